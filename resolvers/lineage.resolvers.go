package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/lineage"
	"github.com/strata-gateway/strata/loaders"
)

func (r *lineageEdgeResolver) CanEdit(ctx context.Context, obj *lineage.Edge) (bool, error) {
	source, err := r.holds(ctx, obj.SourceDatasource, graph.Editor)
	if err != nil || !source {
		return false, err
	}
	return r.holds(ctx, obj.TargetDatasource, graph.Editor)
}

func (r *lineageNodeResolver) Asset(ctx context.Context, obj *lineage.Node) (*graph.Asset, error) {
	if obj.AssetID == "" {
		return nil, nil
	}
	return loaders.From(ctx).Asset(ctx, obj.AssetID)
}

func (r *lineageNodeResolver) CanOpen(ctx context.Context, obj *lineage.Node) (bool, error) {
	return r.holds(ctx, obj.Datasource, graph.Reporter)
}

func (r *lineageNodeResolver) CanSeeImpact(ctx context.Context, obj *lineage.Node) (bool, error) {
	return r.holds(ctx, obj.Datasource, graph.Viewer)
}

func (r *queryResolver) Lineage(ctx context.Context, node string, direction graph.Direction, depth int, filter *lineage.Filter, maxNodes int) (*lineage.Graph, error) {
	c, err := authz.CallerFrom(ctx)
	if err != nil {
		return nil, err
	}
	q, err := newWalk("node", node, direction, depth, filter)
	if err != nil {
		return nil, err
	}
	budgets, err := r.budgets(maxNodes)
	if err != nil {
		return nil, err
	}
	g, err := r.Graphs.Walk(ctx, asked(c), q, budgets)
	if err != nil || g == nil {
		return nil, err
	}
	announceGraph(ctx, g)
	return g, nil
}

func (r *Resolver) LineageEdge() gql.LineageEdgeResolver { return &lineageEdgeResolver{r} }

func (r *Resolver) LineageNode() gql.LineageNodeResolver { return &lineageNodeResolver{r} }

type (
	lineageEdgeResolver struct{ *Resolver }
	lineageNodeResolver struct{ *Resolver }
)
