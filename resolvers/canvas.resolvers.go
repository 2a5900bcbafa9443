package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/connection"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/lineage"
	"github.com/strata-gateway/strata/loaders"
)

func (r *datasourceLinkResolver) Datasource(ctx context.Context, obj *graph.DatasourceLink) (*graph.Datasource, error) {
	if obj.Datasource == "" {
		return nil, nil
	}
	return loaders.From(ctx).Datasource(ctx, obj.Datasource)
}

func (r *queryResolver) Expand(ctx context.Context, node string, direction graph.Direction, filter *lineage.Filter, first *int, after *string) (*connection.Connection[*lineage.Neighbour], error) {
	asked, err := newExpansion(node, direction, filter)
	if err != nil {
		return nil, err
	}
	l, at, err := r.page(ctx, "expand", asked, first, after)
	if err != nil {
		return nil, err
	}
	c, err := authz.CallerFrom(ctx)
	if err != nil {
		return nil, err
	}
	page, err := lineage.Expand(ctx, r.Store, c.Audience, asked, at)
	if err != nil || page == nil {
		return nil, err
	}
	announceNeighbours(ctx, page.Items)
	return connection.New(r.Cursors, l, *page, neighbourPosition), nil
}

func (r *queryResolver) Dataset(ctx context.Context, namespace string, name string) (*lineage.Node, error) {
	c, err := authz.CallerFrom(ctx)
	if err != nil {
		return nil, err
	}
	if err := firstError(named("namespace", namespace, maxName), named("name", name, maxAssetName)); err != nil {
		return nil, err
	}
	return lineage.Dataset(ctx, r.Store, c.Audience, graph.WithoutCredentials(namespace), name)
}

func (r *queryResolver) DatasourceMap(ctx context.Context, datasource string) (*gql.DatasourceMap, error) {
	c, err := authz.CallerFrom(ctx)
	if err != nil {
		return nil, err
	}
	of, err := loaders.From(ctx).Datasource(ctx, datasource)
	if err != nil || of == nil {
		return nil, err
	}
	links, err := r.Store.DatasourceMap(ctx, c.Audience, datasource, maxLinks+1)
	if err != nil {
		return nil, err
	}
	m := &gql.DatasourceMap{Datasource: of, Links: []*graph.DatasourceLink{}, IsComplete: len(links) <= maxLinks, GraphVersion: lineageVersion(c)}
	for i := range links[:min(maxLinks, len(links))] {
		m.Links = append(m.Links, &links[i])
	}
	announce(ctx, m.Links, func(l *graph.DatasourceLink) string { return l.Datasource })
	return m, nil
}

func (r *queryResolver) DatasourceLineage(ctx context.Context, a string, b string, maxNodes int) (*lineage.Graph, error) {
	return r.canvas(ctx, []string{a, b}, maxNodes, func(c *authz.Caller) (*lineage.Graph, error) {
		return r.Graphs.Between(ctx, asked(c), a, b, maxNodes)
	})
}

func (r *queryResolver) WorkspaceLineage(ctx context.Context, datasources []string, maxNodes int) (*lineage.Graph, error) {
	if err := atMost("datasources", len(datasources), maxEntries); err != nil {
		return nil, err
	}
	return r.canvas(ctx, datasources, maxNodes, func(c *authz.Caller) (*lineage.Graph, error) {
		return r.Graphs.Canvas(ctx, asked(c), datasources, maxNodes)
	})
}

func (r *Resolver) DatasourceLink() gql.DatasourceLinkResolver { return &datasourceLinkResolver{r} }

type datasourceLinkResolver struct{ *Resolver }
