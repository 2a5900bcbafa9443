package demo

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/connection"
	"github.com/strata-gateway/strata/examples"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/ingest"
	"github.com/strata-gateway/strata/ingest/dbt"
)

// requestID names the loading in the audit trail.
const requestID = "demo"

// Load brings the demo into the store, as far as it is not there yet: a second time it changes nothing,
// and what an interrupted one left out it adds. What people changed since stays as it is.
func Load(ctx context.Context, store *graph.Store, policy *authz.Policy, log *slog.Logger) error {
	if err := store.EnsureWorkspace(ctx, Workspace); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	for _, c := range Callers() {
		if _, err := store.EnsureMember(ctx, Workspace, c.Email, c.role, c.access); err != nil {
			return fmt.Errorf("demo: %w", err)
		}
	}
	for _, p := range examples.Projects() {
		as, err := signIn(ctx, store, policy, ingester(p.Name))
		if err == nil {
			err = load(as, store, p, log)
		}
		if err != nil {
			return fmt.Errorf("demo: project %s: %w", p.Name, err)
		}
	}
	return nil
}

// signIn returns a context in which a member asks, found as a request would find them.
func signIn(ctx context.Context, store *graph.Store, policy *authz.Policy, email string) (context.Context, error) {
	facts, _, err := store.Caller(ctx, email, Workspace)
	if err != nil {
		return nil, err
	}
	caller, err := policy.Caller(facts)
	if err != nil {
		return nil, err
	}
	return authz.WithCaller(ctx, caller), nil
}

// load brings in a project with its datasource. An ingest is whole or nothing, so that one asset of the
// datasource tells that it was done.
func load(ctx context.Context, store *graph.Store, p examples.Project, log *slog.Logger) error {
	d, err := datasource(ctx, store, p)
	if err != nil {
		return err
	}
	if done, err := hasAssets(ctx, store, d); err != nil || done {
		return err
	}
	set, err := dbt.Read(ctx, dbt.Files{
		Manifest: bytes.NewReader(p.Manifest), Catalog: bytes.NewReader(p.Catalog), RunResults: bytes.NewReader(p.RunResults),
	})
	if err != nil {
		return err
	}
	w, err := authz.Writer(ctx, requestID, authz.Ingest)
	if err != nil {
		return err
	}
	summary, err := ingest.Apply(ctx, store, w, set, d.Name)
	if err != nil {
		return err
	}
	log.InfoContext(ctx, "loaded the demo project", "project", p.Name, "assets", summary.AssetsCreated, "suites", summary.SuitesCreated)
	return nil
}

func hasAssets(ctx context.Context, store *graph.Store, d *graph.Datasource) (bool, error) {
	scope, err := authz.ScopeFrom(ctx)
	if err != nil {
		return false, err
	}
	order := graph.AssetOrder{Field: graph.OrderByName, Direction: graph.Ascending}
	page, err := store.AssetList(ctx, scope, graph.AssetFilter{Datasource: d.ID}, order, graph.Position{First: 1})
	return len(page.Items) > 0, err
}

// datasource is the project's datasource, made if it is not there yet.
func datasource(ctx context.Context, store *graph.Store, p examples.Project) (*graph.Datasource, error) {
	scope, err := authz.ScopeFrom(ctx)
	if err != nil {
		return nil, err
	}
	page, err := store.DatasourceList(ctx, scope, "", graph.Position{First: connection.MaxFirst})
	if err != nil {
		return nil, err
	}
	for _, d := range page.Items {
		if d.Name == p.Datasource.Name {
			return d, nil
		}
	}
	w, err := authz.Writer(ctx, requestID, authz.CreateDatasource)
	if err != nil {
		return nil, err
	}
	return store.CreateDatasource(ctx, w, graph.NewDatasource{
		Name: p.Datasource.Name, Kind: graph.DatasourceKind(p.Datasource.Kind), Database: &p.Datasource.Database, Everyone: graph.Viewer,
	})
}
