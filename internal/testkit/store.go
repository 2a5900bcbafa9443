// Package testkit is what the tests of every package stand on: the store of the shared test server, a
// world (a workspace with members of every role) of a test's own, and a gateway over it with the real
// pipeline, from the bearer token to the statement. What a test plants goes through the store's own write
// functions, as a caller with rights, so that tests meet the data that production makes. Nothing here
// sleeps, and the clock and the ids can be set.
package testkit

import (
	"context"
	crand "crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/teststack"
)

// patience is how long a statement or a request may take: what tests ask for is small, but a machine that
// runs all of them at once is slow.
const patience = 5 * time.Minute

// Option sets what a store or a world is made with.
type Option func(*settings)

type settings struct {
	now    func() time.Time
	ids    graph.IDs
	admins []string
	listed []string
	name   string
}

// Clock sets the clock of the store. Without it, it is the machine's.
func Clock(now func() time.Time) Option { return func(s *settings) { s.now = now } }

// IDs sets where the store's ids come from. Without it they are random.
func IDs(ids graph.IDs) Option { return func(s *settings) { s.ids = ids } }

// Named sets the name of the world's workspace. Without it, it is random.
func Named(workspace string) Option { return func(s *settings) { s.name = workspace } }

// AllowListed makes addresses admins of every workspace that they are members of.
func AllowListed(emails ...string) Option { return func(s *settings) { s.admins = emails } }

// AllowListedNames makes the world's members of these names admins, whatever role they are enrolled with.
func AllowListedNames(names ...string) Option { return func(s *settings) { s.listed = names } }

func apply(options []Option) settings {
	var s settings
	for _, o := range options {
		o(&s)
	}
	return s
}

// Store opens the store of the test server, migrated, until the test ends. The server is shared: a test
// keeps to workspaces of its own, and is an organization of its own.
func Store(t testing.TB, options ...Option) *graph.Store {
	t.Helper()
	s := apply(options)
	uri, user, password := teststack.Neo4j(t)
	store, err := graph.Open(t.Context(), graph.Config{
		URI: uri, User: user, Password: password, Organization: "org-" + strings.ToLower(crand.Text()), Now: s.now, IDs: s.ids,
		StatementTimeout: patience, Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close(context.WithoutCancel(t.Context())) })
	require.NoError(t, store.Migrate(t.Context()))
	return store
}

// SeededIDs makes the same ids in the same order for the same seed. Ids are unique in the whole test
// server: a seed may be used by one world of one run only.
func SeededIDs(seed [32]byte) graph.IDs { return &seededIDs{source: rand.NewChaCha8(seed)} }

type seededIDs struct {
	mu     sync.Mutex
	source *rand.ChaCha8
}

// New implements graph.IDs.
func (s *seededIDs) New(kind graph.Kind) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], s.source.Uint64())
	binary.BigEndian.PutUint64(b[8:], s.source.Uint64())
	return string(kind) + "_" + hex.EncodeToString(b[:])
}
