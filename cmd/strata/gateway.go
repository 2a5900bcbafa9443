package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/demo"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
	"github.com/strata-gateway/strata/server"
	"github.com/strata-gateway/strata/server/authn"
	"github.com/strata-gateway/strata/server/limits"
)

// gateway is what `serve` started.
type gateway struct {
	storage *storage
	handler http.Handler
	// key mints tokens for the demo's callers; nil if the local key does not sign anyone in.
	key *authn.LocalKey
	// firstAdmin is whom a client of this machine speaks for if it does not say; "" if there is none.
	firstAdmin string
}

// start brings up everything behind the door: storage, migrations, workspaces, the demo, the handler.
// What it started ends again if a later step fails.
func start(ctx context.Context, o serveOptions, log *slog.Logger) (*gateway, error) {
	storage, err := openStorage(ctx, o, log)
	if err != nil {
		return nil, err
	}
	g, err := assemble(ctx, storage, o, log)
	if err != nil {
		return nil, errors.Join(err, storage.close())
	}
	return g, nil
}

// assemble makes the gateway over its storage.
func assemble(ctx context.Context, s *storage, o serveOptions, log *slog.Logger) (*gateway, error) {
	if err := s.Migrate(ctx); err != nil {
		return nil, err
	}
	ids, err := newIdentities(o)
	if err != nil {
		return nil, err
	}
	cursors, err := cursorKey(ctx, s.Store)
	if err != nil {
		return nil, err
	}
	policy := authz.NewPolicy(o.admins...)
	g := &gateway{storage: s, key: ids.key}
	if g.firstAdmin, err = populate(ctx, s.Store, policy, o, log); err != nil {
		return nil, err
	}
	g.handler, err = server.New(server.Deps{
		Store: s.Store, Verifier: ids, Policy: policy, CursorKey: cursors, Budgets: lineage.DefaultBudgets(),
		Limits: limits.Default(), Introspection: o.introspection, Log: log,
	})
	return g, err
}

// cursorKeySize is in bytes.
const cursorKeySize = 32

// cursorKey is the key that all replicas of a store share; the first of them makes it.
func cursorKey(ctx context.Context, store *graph.Store) ([]byte, error) {
	proposal := make([]byte, cursorKeySize)
	if _, err := rand.Read(proposal); err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	kept, err := store.Secret(ctx, "cursor-key", hex.EncodeToString(proposal))
	if err != nil {
		return nil, err
	}
	return hex.DecodeString(kept)
}

// populate makes the workspace with its admins, and the demo if it is asked for, and returns the first
// admin.
func populate(ctx context.Context, store *graph.Store, policy *authz.Policy, o serveOptions, log *slog.Logger) (string, error) {
	first := ""
	if len(o.admins) > 0 {
		first = o.admins[0]
		if err := store.EnsureWorkspace(ctx, o.workspace); err != nil {
			return "", err
		}
	}
	for _, email := range o.admins {
		if _, err := store.EnsureMember(ctx, o.workspace, email, graph.RoleAdmin, graph.Unrestricted); err != nil {
			return "", err
		}
	}
	if !o.demo {
		return first, nil
	}
	if first == "" {
		first = demo.Admin
	}
	return first, demo.Load(ctx, store, policy, log)
}
