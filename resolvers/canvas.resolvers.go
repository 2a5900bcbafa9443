package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/connection"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/lineage"
)

func (r *queryResolver) Expand(ctx context.Context, node string, direction graph.Direction, filter *gql.LineageFilter, first *int, after *string) (*connection.Connection[*lineage.Neighbour], error) {
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
	return lineage.Dataset(ctx, r.Store, c.Audience, namespace, name)
}
