package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/lineage"
	"github.com/strata-gateway/strata/loaders"
)

func (r *impactEdgeResolver) Paths(ctx context.Context, obj *lineage.ImpactEdge, first int) ([][]string, error) {
	if err := validPaths(first); err != nil {
		return nil, err
	}
	own, beside := obj.PathsAsked(first)
	found, err := loaders.From(ctx).Paths(ctx, own, beside)
	if found == nil {
		found = [][]string{} // it is gone meanwhile
	}
	return found, err
}

func (r *queryResolver) Impact(ctx context.Context, node string, direction graph.Direction, maxDepth int, filter *graph.WalkFilter, orderBy *gql.ImpactOrder, first *int, after *string) (*gql.ImpactConnection, error) {
	q, err := newImpact(node, direction, maxDepth, filter, orderBy)
	if err != nil || !starts(node) {
		return nil, err
	}
	return r.impactPage(ctx, q, first, after)
}

func (r *queryResolver) Paths(ctx context.Context, from string, to string, first int) ([][]string, error) {
	if err := firstError(identified("from", from), identified("to", to), validPaths(first)); err != nil {
		return nil, err
	}
	return loaders.From(ctx).Paths(ctx, graph.PathsOf{From: from, To: to, First: first}, nil)
}

func (r *queryResolver) ImpactRanking(ctx context.Context, datasource string, orderBy lineage.RankingField, first *int, after *string) (*gql.RankingConnection, error) {
	if graph.KindOf(datasource) != graph.KindDatasource {
		return nil, nil
	}
	return r.rankingPage(ctx, lineage.RankingQuery{Datasource: datasource, OrderBy: orderBy}, first, after)
}

func (r *Resolver) ImpactEdge() gql.ImpactEdgeResolver { return &impactEdgeResolver{r} }

type impactEdgeResolver struct{ *Resolver }
