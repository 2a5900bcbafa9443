package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"golang.org/x/sync/errgroup"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/cache"
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
	cache   *cache.Cache
	handler http.Handler
	// key mints tokens for the demo's callers; nil if the local key does not sign anyone in.
	key *authn.LocalKey
	// firstAdmin is whom a client of this machine speaks for if it does not say; "" if there is none.
	firstAdmin string
}

// start brings up everything behind the door: storage, migrations, workspaces, the demo, the handler.
// What it started ends again if a later step fails.
func start(ctx context.Context, o serveOptions, metrics prometheus.Registerer, log *slog.Logger) (*gateway, error) {
	storage, err := openStorage(ctx, o, log)
	if err != nil {
		return nil, err
	}
	g, err := assemble(ctx, storage, o, metrics, log)
	if err != nil {
		return nil, errors.Join(err, storage.close())
	}
	return g, nil
}

// assemble makes the gateway over its storage.
func assemble(ctx context.Context, s *storage, o serveOptions, metrics prometheus.Registerer, log *slog.Logger) (*gateway, error) {
	policy := authz.NewPolicy(o.admins...)
	demoIsThere, err := migrate(ctx, s, policy, o)
	if err != nil {
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
	g := &gateway{storage: s, key: ids.key, firstAdmin: o.firstAdmin()}
	if g.cache, err = newCache(s.Store, cursors, o, metrics, log); err != nil {
		return nil, err
	}
	if err := ensureAdmins(ctx, s.Store, o); err != nil {
		return nil, err
	}
	if o.demo && !demoIsThere {
		if err := demo.Load(ctx, s.Store, policy, log); err != nil {
			return nil, err
		}
	}
	g.handler, err = server.New(server.Deps{
		Store: s.Store, Cache: g.cache, Verifier: ids, Policy: policy, CursorKey: cursors, Budgets: lineage.DefaultBudgets(),
		Enrolment: o.enrolment(), Limits: limits.Default(), Introspection: o.introspection, NoExports: !o.exports, Log: log,
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

// migrate brings the store up to date, and looks beside that for the demo: each takes a server that has just
// started more than a second, most of it to compile statements.
func migrate(ctx context.Context, s *storage, policy *authz.Policy, o serveOptions) (demoIsThere bool, err error) {
	var both errgroup.Group
	both.Go(func() error { return s.Migrate(ctx) })
	if o.demo {
		both.Go(func() error {
			// It may fail on a store that is not up to date yet: whoever loads the demo looks again.
			there, err := demo.Loaded(ctx, s.Store, policy)
			demoIsThere = err == nil && there
			return nil
		})
	}
	err = both.Wait()
	return demoIsThere, err
}

// ensureAdmins makes the workspace, and the admins its members.
func ensureAdmins(ctx context.Context, store *graph.Store, o serveOptions) error {
	if len(o.admins)+len(o.enrolDomains) == 0 {
		return nil
	}
	if err := store.EnsureWorkspace(ctx, o.workspace); err != nil {
		return err
	}
	for _, email := range o.admins {
		if _, err := store.EnsureMember(ctx, o.workspace, email, graph.RoleAdmin, graph.Unrestricted); err != nil {
			return err
		}
	}
	return nil
}
