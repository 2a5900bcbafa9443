package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/connection"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/loaders"
)

func (r *datasourceResolver) MyPermission(ctx context.Context, obj *graph.Datasource) (*graph.TeamPermission, error) {
	c, err := authz.CallerFrom(ctx)
	if err != nil {
		return nil, err
	}
	facts, err := loaders.From(ctx).Rights(ctx, obj.ID)
	if err != nil {
		return nil, err
	}
	if held, _ := authz.PermissionOn(c, facts); held != "" {
		return &held, nil
	}
	return nil, nil
}

func (r *mutationResolver) CreateDatasource(ctx context.Context, input gql.CreateDatasourceInput) (*gql.DatasourcePayload, error) {
	w, err := r.writer(ctx, authz.CreateDatasource)
	if err != nil {
		return nil, err
	}
	if err := firstError(
		named("input.name", input.Name, maxName), optional("input.host", input.Host, maxName),
		optional("input.database", input.Database, maxName), validTexts("input.schemas", input.Schemas, maxList, maxName),
		validTexts("input.namespaces", input.Namespaces, maxList, maxAssetName),
	); err != nil {
		return nil, err
	}
	in := graph.NewDatasource{
		Name: input.Name, Kind: input.Kind, Host: nonEmpty(input.Host), Database: nonEmpty(input.Database), Schemas: input.Schemas, Namespaces: input.Namespaces,
	}
	if input.Everyone != nil {
		in.Everyone = *input.Everyone
	}
	made, err := r.Store.CreateDatasource(ctx, w, in)
	if err != nil {
		return nil, err
	}
	return &gql.DatasourcePayload{Datasource: made}, nil
}

func (r *queryResolver) Datasources(ctx context.Context, minPermission *graph.TeamPermission, first *int, after *string) (*connection.Connection[*graph.Datasource], error) {
	scope, err := authz.ScopeFrom(ctx)
	if err != nil {
		return nil, err
	}
	var least graph.TeamPermission
	if minPermission != nil {
		least = *minPermission
	}
	l, at, err := r.page(ctx, "datasources", least, first, after)
	if err != nil {
		return nil, err
	}
	page, err := r.Store.DatasourceList(ctx, scope, least, at)
	if err != nil {
		return nil, err
	}
	announce(ctx, page.Items, func(d *graph.Datasource) string { return d.ID })
	return connection.New(r.Cursors, l, page, func(d *graph.Datasource) graph.Position {
		return graph.Position{Text: d.Name, ID: d.ID}
	}), nil
}

func (r *Resolver) Datasource() gql.DatasourceResolver { return &datasourceResolver{r} }

type datasourceResolver struct{ *Resolver }
