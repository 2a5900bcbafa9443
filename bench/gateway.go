package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/bench/estate"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
	"github.com/strata-gateway/strata/server"
	"github.com/strata-gateway/strata/server/authn"
	"github.com/strata-gateway/strata/server/limits"
)

// gateway is the real gateway, served on loopback in this process, and its client.
type gateway struct {
	url    string
	web    *http.Server
	store  *graph.Store
	client *http.Client
	tokens map[string]string // by caller

	mu         sync.Mutex
	statements map[string]int // the most that an operation of a name took
}

const (
	tokenTime    = 24 * time.Hour
	localKeyHome = "gateway"
)

// startGateway serves the store of the server as `strata serve` would, and logs as it does, to nowhere.
func startGateway(ctx context.Context, db graph.Config, o Options) (*gateway, error) {
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	db.Log = log
	store, err := graph.Open(ctx, db)
	if err != nil {
		return nil, err
	}
	g := &gateway{store: store, client: &http.Client{}, tokens: map[string]string{}, statements: map[string]int{}}
	if err := g.serve(ctx, o, log); err != nil {
		return nil, errors.Join(err, store.Close(ctx))
	}
	return g, nil
}

func (g *gateway) serve(ctx context.Context, o Options, log *slog.Logger) error {
	if err := g.store.Migrate(ctx); err != nil {
		return err
	}
	key, err := authn.OpenLocalKey(filepath.Join(o.Data, localKeyHome))
	if err != nil {
		return err
	}
	for _, who := range []string{estate.Admin, estate.Member} {
		if g.tokens[who], err = key.Mint(o.Params.Email(who), tokenTime, time.Now()); err != nil {
			return err
		}
	}
	verifier, err := authn.NewChain(key.Verifier(nil))
	if err != nil {
		return err
	}
	handler, err := server.New(server.Deps{
		Store: g.store, Verifier: verifier, Policy: authz.NewPolicy(), CursorKey: []byte("the key of the benchmark's cursors"),
		Budgets: lineage.DefaultBudgets().Untimed(), Limits: limits.Default(), Log: log, Served: g.served,
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	g.web, g.url = server.NewHTTP(handler, log), "http://"+listener.Addr().String()+"/graphql"
	go func() { _ = g.web.Serve(listener) }() // ends by close, with nothing to say
	return nil
}

func (g *gateway) close(ctx context.Context) error {
	g.client.CloseIdleConnections()
	return errors.Join(g.web.Shutdown(ctx), g.store.Close(ctx))
}

// served notes what the gateway says of a request.
func (g *gateway) served(s server.Served) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.statements[s.Operation] = max(g.statements[s.Operation], s.Statements)
}

// forget starts the count of statements anew.
func (g *gateway) forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	clear(g.statements)
}

// mostStatements is the most Cypher statements that a request took, by the operation's name.
func (g *gateway) mostStatements() map[string]int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return maps.Clone(g.statements)
}

// ask sends a query as a caller and returns the whole answer as bytes, as a client reads it.
func (g *gateway) ask(ctx context.Context, who, query string, variables map[string]any) ([]byte, error) {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, g.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+g.tokens[who])
	r.Header.Set("Content-Type", "application/json")
	answer, err := g.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	content, err := io.ReadAll(answer.Body)
	if err == nil && (answer.StatusCode != http.StatusOK || bytes.HasPrefix(content, []byte(`{"errors"`))) {
		err = fmt.Errorf("bench: the gateway answers %s: %.300s", answer.Status, content)
	}
	return content, err
}
