package estate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
)

// Report is what Load made, as counted in the store, and how long it took.
type Report struct {
	Params Params        `json:"params"`
	Counts Counts        `json:"counts"`
	Took   time.Duration `json:"took"`
}

// Counts are how many objects of each kind the workspace has.
type Counts struct {
	Assets      int `json:"assets"`
	Edges       int `json:"edges"`
	Columns     int `json:"columns"`
	Monitored   int `json:"monitoredAssets"`
	Suites      int `json:"suites"`
	Checks      int `json:"checks"`
	Runs        int `json:"runs"`
	Results     int `json:"results"`
	Shares      int `json:"shares"`
	Members     int `json:"members"`
	Datasources int `json:"datasources"`
}

// Load makes the estate in a store that it migrates first. The workspace must not hold anything yet.
// Nothing is told to a gateway that runs on the store meanwhile: what it cached of the workspace would
// be old.
func Load(ctx context.Context, c graph.Config, p Params) (r Report, err error) {
	if err := p.Validate(); err != nil {
		return Report{}, err
	}
	start := time.Now()
	if c.Log == nil {
		c.Log = slog.Default()
	}
	c.IDs, c.Now = &sequence{params: p}, base
	store, err := graph.Open(ctx, c)
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, store.Close(context.WithoutCancel(ctx))) }()
	if err := store.Migrate(ctx); err != nil {
		return Report{}, err
	}
	driver, err := neo4j.NewDriverWithContext(c.URI, neo4j.BasicAuth(c.User, c.Password, ""), func(d *config.Config) { d.TelemetryDisabled = true })
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, driver.Close(context.WithoutCancel(ctx))) }()
	l := &loader{params: p, store: store, driver: driver, log: c.Log}
	for _, step := range []struct {
		name string
		run  func(context.Context) error
	}{
		{"people", l.makePeople}, {"datasources", l.makeDatasources}, {"teams", l.writeTeams}, {"assets", l.writeAssets},
		{"columns", l.writeColumns}, {"edges", l.writeEdges}, {"suites", l.writeSuites}, {"indexes", l.awaitIndexes},
	} {
		began := time.Now()
		if err := step.run(ctx); err != nil {
			return Report{}, fmt.Errorf("estate: %s: %w", step.name, err)
		}
		c.Log.InfoContext(ctx, "estate", "made", step.name, "took", time.Since(began).Round(time.Millisecond))
	}
	counts, err := l.count(ctx)
	return Report{Params: p, Counts: counts, Took: time.Since(start)}, err
}

// sequence makes the ids of what the store makes itself: the same ones every time.
type sequence struct {
	params Params
	made   int
}

// New implements graph.IDs.
func (s *sequence) New(kind graph.Kind) string {
	s.made++
	return s.params.id(kind, -s.made) // what the estate numbers itself starts at 0
}

// loader writes one estate.
type loader struct {
	params Params
	store  *graph.Store
	driver neo4j.DriverWithContext
	log    *slog.Logger
	// users are the ids of the people, datasources those of the datasources.
	users, datasources []string
}

// makePeople makes the workspace with its members as an operator would.
func (l *loader) makePeople(ctx context.Context) error {
	if err := l.store.EnsureWorkspace(ctx, l.params.Workspace); err != nil {
		return err
	}
	for _, who := range l.params.people() {
		id, err := l.store.EnsureMember(ctx, l.params.Workspace, who.email, who.role, who.access)
		if err != nil {
			return err
		}
		l.users = append(l.users, id)
	}
	return nil
}

// makeDatasources makes them as the manager, who owns them.
func (l *loader) makeDatasources(ctx context.Context) error {
	facts, _, err := l.store.Caller(ctx, l.params.Email(Manager), l.params.Workspace)
	if err != nil {
		return err
	}
	caller, err := authz.NewPolicy().Caller(facts)
	if err != nil {
		return err
	}
	writer, err := authz.Writer(authz.WithCaller(ctx, caller), "estate", authz.CreateDatasource)
	if err != nil {
		return err
	}
	for i := range datasources {
		made, err := l.store.CreateDatasource(ctx, writer, newDatasource(i))
		if err != nil {
			return err
		}
		l.datasources = append(l.datasources, made.ID)
	}
	return nil
}

const awaitIndexesQuery = `CALL db.awaitIndexes(600)`

func (l *loader) awaitIndexes(ctx context.Context) error {
	_, err := l.run(ctx, awaitIndexesQuery, nil)
	return err
}

const countQuery = `
CALL () { MATCH (n:Asset {workspace: $workspace}) RETURN count(n) AS assets, sum(CASE WHEN n.suiteCount > 0 THEN 1 ELSE 0 END) AS monitored }
CALL () { MATCH (:Asset {workspace: $workspace})-[r:FEEDS]->() RETURN count(r) AS edges }
CALL () { MATCH (:Asset {workspace: $workspace})-[r:HAS_COLUMN]->(:Column) RETURN count(r) AS columns }
CALL () { MATCH (n:Suite {workspace: $workspace}) RETURN count(n) AS suites }
CALL () { MATCH (:Suite {workspace: $workspace})-[:HAS_CHECK]->(n:Check) RETURN count(n) AS checks }
CALL () { MATCH (:Suite {workspace: $workspace})-[:HAS_CONFIG]->()-[:HAS_RUN]->(n:Run) RETURN count(n) AS runs }
CALL () { MATCH (:Suite {workspace: $workspace})-[:HAS_CONFIG]->()-[:HAS_RUN]->(:Run)-[:HAS_RESULT]->(n:Result) RETURN count(n) AS results }
CALL () { MATCH (:Suite {workspace: $workspace})<-[r:SHARE]-(:User) RETURN count(r) AS shares }
CALL () { MATCH (:Workspace {id: $workspace})<-[r:MEMBER]-(:User) RETURN count(r) AS members }
CALL () { MATCH (n:Datasource {workspace: $workspace}) RETURN count(n) AS datasources }
RETURN assets, monitored, edges, columns, suites, checks, runs, results, shares, members, datasources`

func (l *loader) count(ctx context.Context) (Counts, error) {
	rows, err := l.run(ctx, countQuery, map[string]any{"workspace": l.params.Workspace})
	if err != nil {
		return Counts{}, fmt.Errorf("estate: count: %w", err)
	}
	n := func(column string) int {
		v, _ := rows[0].AsMap()[column].(int64)
		return int(v)
	}
	return Counts{
		Assets: n("assets"), Monitored: n("monitored"), Edges: n("edges"), Columns: n("columns"), Suites: n("suites"), Checks: n("checks"),
		Runs: n("runs"), Results: n("results"), Shares: n("shares"), Members: n("members"), Datasources: n("datasources"),
	}, nil
}
