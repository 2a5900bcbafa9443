package bench

import (
	"context"
	"runtime/debug"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"

	"github.com/strata-gateway/strata/graph"
)

// raw is the other side: the driver, with the settings that are the fastest known, and statements in
// auto-commit.
type raw struct {
	driver    neo4j.DriverWithContext
	workspace string
}

const readBuffer = 64 << 10

func openRaw(db graph.Config, workspace string) (*raw, error) {
	driver, err := neo4j.NewDriverWithContext(db.URI, neo4j.BasicAuth(db.User, db.Password, ""), func(c *config.Config) {
		c.TelemetryDisabled = true
		c.FetchSize = neo4j.FetchAll
		c.ReadBufferSize = readBuffer
	})
	return &raw{driver: driver, workspace: workspace}, err
}

func (r *raw) close(ctx context.Context) error { return r.driver.Close(ctx) }

// run runs one statement and reads all of its rows. The driver is given no deadline and nothing that can
// be cancelled: either makes it slower.
func (r *raw) run(ctx context.Context, statement string, params map[string]any) ([]*neo4j.Record, error) {
	ctx = context.WithoutCancel(ctx)
	session := r.driver.NewSession(ctx, neo4j.SessionConfig{AccessMode: neo4j.AccessModeRead, FetchSize: neo4j.FetchAll})
	defer func() { _ = session.Close(ctx) }()
	result, err := session.Run(ctx, statement, params)
	if err != nil {
		return nil, err
	}
	return result.Collect(ctx)
}

const returnOneQuery = `RETURN 1`

// roundTrip is the least that anything costs.
func (r *raw) roundTrip(ctx context.Context) error {
	_, err := r.run(ctx, returnOneQuery, nil)
	return err
}

const componentsQuery = `CALL dbms.components() YIELD name, versions, edition RETURN name + ' ' + versions[0] + ' ' + edition`

// versions are those of what was measured.
func (r *raw) versions(ctx context.Context) map[string]string {
	versions := map[string]string{}
	if rows, err := r.run(ctx, componentsQuery, nil); err == nil && len(rows) > 0 {
		versions["store"], _ = rows[0].Values[0].(string)
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return versions
	}
	versions["go"] = info.GoVersion
	for _, m := range info.Deps {
		switch m.Path {
		case "github.com/neo4j/neo4j-go-driver/v5", "github.com/99designs/gqlgen":
			versions[m.Path] = m.Version
		}
	}
	return versions
}
