package demo

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"

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
	if err := whole(store, policy, log).load(ctx); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	return nil
}

// Loaded reports whether all of the demo is there. It only reads.
func Loaded(ctx context.Context, store *graph.Store, policy *authz.Policy) (bool, error) {
	return whole(store, policy, slog.New(slog.DiscardHandler)).loaded(ctx)
}

func whole(store *graph.Store, policy *authz.Policy, log *slog.Logger) estate {
	return estate{store: store, policy: policy, workspace: Workspace, projects: examples.Projects(), log: log}
}

// estate is what is to be in a workspace.
type estate struct {
	store     *graph.Store
	policy    *authz.Policy
	workspace string
	projects  []examples.Project
	log       *slog.Logger
}

func (e estate) load(ctx context.Context) error {
	if done, err := e.loaded(ctx); err != nil || done {
		return err
	}
	if err := e.store.EnsureWorkspace(ctx, e.workspace); err != nil {
		return err
	}
	for _, c := range Callers() {
		if _, err := e.store.EnsureMember(ctx, e.workspace, c.Email, c.role, c.access); err != nil {
			return err
		}
	}
	for _, p := range e.projects {
		as, err := e.signIn(ctx, ingester(p.Name))
		if err == nil {
			err = e.loadProject(as, p)
		}
		if err != nil {
			return fmt.Errorf("project %s: %w", p.Name, err)
		}
	}
	as, err := e.signIn(ctx, Admin)
	if err != nil {
		return err
	}
	if err := e.assertExports(as); err != nil {
		return err
	}
	return e.govern(as)
}

// loaded tells by the last thing that is done whether all of the demo is there. It is a short cut, of three
// statements: looking for each part takes many, which a server that has just started compiles for seconds.
func (e estate) loaded(ctx context.Context) (bool, error) {
	facts, _, err := e.store.Caller(ctx, Admin, e.workspace)
	if err != nil {
		return false, err
	}
	if _, member := facts.In(e.workspace); !member {
		return false, nil
	}
	caller, err := e.policy.Caller(facts)
	if err != nil {
		return false, err
	}
	group, err := e.findAuditors(authz.WithCaller(ctx, caller))
	if err != nil || group == nil {
		return false, err
	}
	members, err := e.store.GroupMembers(ctx, caller.Audience, group.ID, graph.Position{First: 1})
	return len(members.Items) > 0, err
}

// signIn returns a context in which a member asks, found as a request would find them.
func (e estate) signIn(ctx context.Context, email string) (context.Context, error) {
	facts, _, err := e.store.Caller(ctx, email, e.workspace)
	if err != nil {
		return nil, err
	}
	caller, err := e.policy.Caller(facts)
	if err != nil {
		return nil, err
	}
	return authz.WithCaller(ctx, caller), nil
}

// loadProject brings in a project with its datasource. An ingest is whole or nothing, so that one asset of
// the datasource tells that it was done.
func (e estate) loadProject(ctx context.Context, p examples.Project) error {
	d, err := e.datasource(ctx, p)
	if err != nil {
		return err
	}
	if done, err := e.anyAsset(ctx, graph.AssetFilter{Datasource: d.ID}); err != nil || done {
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
	summary, err := ingest.Apply(ctx, e.store, w, set, d.Name)
	if err != nil {
		return err
	}
	e.log.InfoContext(ctx, "loaded the demo project", "project", p.Name, "assets", summary.AssetsCreated, "suites", summary.SuitesCreated)
	return nil
}

func (e estate) anyAsset(ctx context.Context, f graph.AssetFilter) (bool, error) {
	scope, err := authz.ScopeFrom(ctx)
	if err != nil {
		return false, err
	}
	order := graph.AssetOrder{Field: graph.OrderByName, Direction: graph.Ascending}
	page, err := e.store.AssetList(ctx, scope, f, order, graph.Position{First: connection.MaxFirst})
	// Assets of the organization are in every workspace's lists.
	return slices.ContainsFunc(page.Items, func(a *graph.Asset) bool { return a.Workspace == e.workspace }), err
}

// datasource is the project's datasource, made if it is not there yet.
func (e estate) datasource(ctx context.Context, p examples.Project) (*graph.Datasource, error) {
	scope, err := authz.ScopeFrom(ctx)
	if err != nil {
		return nil, err
	}
	for at := (graph.Position{First: connection.MaxFirst}); ; {
		page, err := e.store.DatasourceList(ctx, scope, "", at)
		if err != nil {
			return nil, err
		}
		for _, d := range page.Items {
			if d.Workspace == e.workspace && d.Name == p.Datasource.Name {
				return d, nil
			}
		}
		if !page.HasNext {
			break
		}
		last := page.Items[len(page.Items)-1]
		at.After, at.Text, at.ID = true, last.Name, last.ID
	}
	w, err := authz.Writer(ctx, requestID, authz.CreateDatasource)
	if err != nil {
		return nil, err
	}
	return e.store.CreateDatasource(ctx, w, graph.NewDatasource{
		Name: p.Datasource.Name, Kind: graph.DatasourceKind(p.Datasource.Kind), Database: &p.Datasource.Database, Everyone: graph.Viewer,
	})
}
