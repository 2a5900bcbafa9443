package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/lineage"
	"github.com/strata-gateway/strata/loaders"
)

func (r *columnLineageNodeResolver) Asset(ctx context.Context, obj *lineage.ColumnNode) (*graph.Asset, error) {
	return loaders.From(ctx).Asset(ctx, obj.AssetID)
}

func (r *lineageEdgeResolver) ColumnPairs(ctx context.Context, obj *lineage.Edge) ([]*graph.ColumnPair, error) {
	return loaders.From(ctx).ColumnPairs(ctx, obj.ID)
}

func (r *queryResolver) ColumnLineage(ctx context.Context, column string, direction graph.Direction, depth int) (*lineage.ColumnGraph, error) {
	c, err := authz.CallerFrom(ctx)
	if err != nil {
		return nil, err
	}
	q, err := newWalk("column", column, direction, depth, nil)
	if err != nil {
		return nil, err
	}
	g, err := r.Graphs.Columns(ctx, asked(c), q, r.Budgets.Nodes)
	if err != nil || g == nil {
		return nil, err
	}
	announce(ctx, g.Nodes, func(n *lineage.ColumnNode) string { return n.AssetID })
	return g, nil
}

func (r *Resolver) ColumnLineageNode() gql.ColumnLineageNodeResolver {
	return &columnLineageNodeResolver{r}
}

type columnLineageNodeResolver struct{ *Resolver }
