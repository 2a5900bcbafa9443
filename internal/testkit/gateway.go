package testkit

import (
	"log/slog"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/cache"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
	"github.com/strata-gateway/strata/server"
	"github.com/strata-gateway/strata/server/authn"
	"github.com/strata-gateway/strata/server/limits"
)

// Gateway is a running gateway over a world, the whole pipeline of the real one.
type Gateway struct {
	// URL is its address, http://127.0.0.1:….
	URL string

	t     testing.TB
	world *World
	key   *authn.LocalKey
	web   *httptest.Server

	mu     sync.Mutex
	served map[string]chan server.Served
}

// NewGateway starts a gateway over a world until the test ends. change may set what it is made of.
func NewGateway(t testing.TB, w *World, change ...func(*server.Deps)) *Gateway {
	t.Helper()
	key, err := authn.OpenLocalKey(t.TempDir())
	require.NoError(t, err)
	g := &Gateway{t: t, world: w, key: key, served: map[string]chan server.Served{}}
	verifier, err := authn.NewChain(key.Verifier(nil))
	require.NoError(t, err)
	deps := server.Deps{
		Store: w.Store, Verifier: verifier, Policy: w.Policy, CursorKey: []byte("the cursor key of the test gateway"),
		Budgets: lineage.DefaultBudgets().Untimed(), Limits: limits.Default(), Introspection: true, RequestTime: patience, Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError})),
	}
	for _, c := range change {
		c(&deps)
	}
	told := deps.Served
	deps.Served = func(s server.Served) {
		if told != nil {
			told(s)
		}
		select {
		case g.channel(s.ID) <- s:
		default: // an id was used again and nobody asked for the first record
		}
	}
	handler, err := server.New(deps)
	require.NoError(t, err)
	g.web = httptest.NewUnstartedServer(handler)
	g.web.Config = server.NewHTTP(handler, deps.Log)
	g.web.Start()
	t.Cleanup(g.web.Close)
	g.URL = g.web.URL
	return g
}

// Close ends the gateway before the test does.
func (g *Gateway) Close() { g.web.Close() }

// Keeping gives a gateway a cache of its own over a store, until the test ends.
func Keeping(t testing.TB, store *graph.Store, change ...func(*cache.Config)) func(*server.Deps) {
	t.Helper()
	config := cache.Config{Epochs: store, Bytes: 16 << 20, Log: slog.New(slog.DiscardHandler)}
	for _, c := range change {
		c(&config)
	}
	kept, err := cache.New(config)
	require.NoError(t, err)
	t.Cleanup(func() { _ = kept.Close() })
	return func(d *server.Deps) { d.Cache = kept }
}

// channel is where the record of a request arrives.
func (g *Gateway) channel(request string) chan server.Served {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.served[request] == nil {
		g.served[request] = make(chan server.Served, 1)
	}
	return g.served[request]
}

// Served is the record of a request by its id. It waits for it: a client has its answer a moment before.
func (g *Gateway) Served(request string) server.Served {
	g.t.Helper()
	select {
	case s := <-g.channel(request):
		return s
	case <-time.After(patience):
		require.FailNow(g.t, "no request was served with the id "+request)
		return server.Served{}
	}
}

// Token is a bearer token for an address.
func (g *Gateway) Token(email string) string {
	g.t.Helper()
	token, err := g.key.Mint(email, time.Hour, time.Now())
	require.NoError(g.t, err)
	return token
}
