package graph

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"
	"github.com/strata-gateway/strata/fault"
)

// Config says how to reach the store. The zero value of each optional field is its default.
type Config struct {
	// URI is bolt://host:port of one server, or neo4j://host of a cluster.
	URI string
	// User and Password; both empty: no authentication.
	User, Password string
	// Organization is the pseudo-workspace of organization-wide assets. Default OrgWorkspace. Stores of
	// several organizations can share a server.
	Organization string
	// StatementTimeout bounds a statement on the server. Default 20 s.
	StatementTimeout time.Duration
	// Now is the clock. Default time.Now.
	Now func() time.Time
	// IDs makes ids. Default RandomIDs.
	IDs IDs
	// Log gets what the store has to say. Default slog.Default().
	Log *slog.Logger
}

// Store is an open connection pool to Neo4j. It is safe for concurrent use.
type Store struct {
	driver       neo4j.DriverWithContext
	organization string
	timeout      time.Duration
	now          func() time.Time
	ids          IDs
	log          *slog.Logger
	texts        sync.Map // statement as written → statement with its conditions
	wires        *wires
	// mark and marks make what tells the transactions of this store from each other, and from all others.
	mark  string
	marks atomic.Uint64
}

// readBuffer is larger than the driver's default: lineage rows are long (docs/operations.md, "Neo4j").
const readBuffer = 64 << 10

// Open connects and checks that the server answers. It does not migrate: see Migrate.
// Errors: UNAVAILABLE if the server cannot be reached or refuses the password.
func Open(ctx context.Context, c Config) (*Store, error) {
	auth := neo4j.NoAuth()
	if c.User != "" {
		auth = neo4j.BasicAuth(c.User, c.Password, "")
	}
	driver, err := neo4j.NewDriverWithContext(c.URI, auth, func(d *config.Config) {
		d.TelemetryDisabled = true
		d.FetchSize = neo4j.FetchAll
		d.ReadBufferSize = readBuffer
	})
	if err != nil {
		return nil, fault.Wrap(fault.CodeUnavailable, "The address of the graph store is malformed. Check --neo4j.", err)
	}
	wires := newWires(c.URI)
	if err := dialBy(driver, wires.dial); err != nil {
		return nil, err
	}
	if err := driver.VerifyConnectivity(ctx); err != nil {
		_ = driver.Close(ctx)
		return nil, fault.Wrap(fault.CodeUnavailable, "The graph store does not answer, or refuses the password. Check --neo4j and its credentials.", err)
	}
	s := &Store{driver: driver, organization: c.Organization, timeout: c.StatementTimeout, now: c.Now, ids: c.IDs, log: c.Log, wires: wires, mark: rand.Text() + "."}
	if s.organization == "" {
		s.organization = OrgWorkspace
	}
	if s.timeout == 0 {
		s.timeout = 20 * time.Second
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.ids == nil {
		s.ids = RandomIDs{}
	}
	if s.log == nil {
		s.log = slog.Default()
	}
	return s, nil
}

// Close closes the pool.
func (s *Store) Close(ctx context.Context) error { return s.driver.Close(ctx) }

// Ready reports whether the store answers. Errors: UNAVAILABLE.
func (s *Store) Ready(ctx context.Context) error {
	const readyQuery = `RETURN 1`
	_, err := s.readUnscoped(ctx, readyQuery, nil)
	return err
}

// nowMillis is the clock in the unit that the store keeps: milliseconds since 1970, UTC.
func (s *Store) nowMillis() int64 { return s.now().UnixMilli() }
