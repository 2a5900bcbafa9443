package resolvers

import (
	"context"
	"fmt"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/connection"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/lineage"
)

// starts reports whether an impact can be of the thing with this id.
func starts(id string) bool {
	k := graph.KindOf(id)
	return k == graph.KindAsset || k == graph.KindExternal
}

// newImpact checks what an impact is of. Errors: BAD_USER_INPUT.
func newImpact(node string, direction graph.Direction, depth int, filter *graph.WalkFilter, order *gql.ImpactOrder) (lineage.ImpactQuery, error) {
	q := lineage.ImpactQuery{Node: node, Direction: direction, Depth: depth, Filter: value(filter), OrderBy: lineage.ByDegree}
	if direction == graph.Both {
		return q, fault.BadInput("direction", "Ask for one direction at a time: DOWNSTREAM or UPSTREAM.")
	}
	if depth < 1 || depth > graph.MaxImpactDepth {
		return q, fault.BadInput("maxDepth", fmt.Sprintf("maxDepth must be from 1 to %d.", graph.MaxImpactDepth))
	}
	if order != nil {
		q.OrderBy, q.Descending = order.Field, order.Direction == graph.Descending
	}
	return q, validNarrowing(q.Filter)
}

// impactPage answers a page of an impact.
func (r *Resolver) impactPage(ctx context.Context, q lineage.ImpactQuery, first *int, after *string) (*gql.ImpactConnection, error) {
	c, err := authz.CallerFrom(ctx)
	if err != nil {
		return nil, err
	}
	l, at, err := r.page(ctx, "impact", q, first, after)
	if err != nil {
		return nil, err
	}
	page, err := r.Impacts.Impact(ctx, asked(c), q, lineage.ImpactPosition{First: at.First, Offset: int(at.Number), Pinned: at.Text})
	if err != nil {
		return nil, err
	}
	out := &gql.ImpactConnection{Edges: page.Edges, TotalCount: len(page.All), Completeness: page.Completeness, CanExport: r.CanExport}
	cursors := make([]*string, len(page.Edges))
	for i, e := range page.Edges {
		cursors[i] = &e.Cursor
	}
	out.PageInfo = r.pinnedPage(l, page.Pinned, page.Offset, len(page.All), cursors)
	if selects(ctx, "countByDegree") {
		out.CountByDegree = page.CountByDegree()
	}
	if selects(ctx, "countBySeverity") {
		out.CountBySeverity = page.CountBySeverity()
	}
	if selects(ctx, "countByOwner") {
		out.CountByOwner = page.CountByOwner()
	}
	announceImpact(ctx, page.Edges)
	return out, nil
}

// pinnedPage seals the cursors of a page: each says which result it is of, and how many entries lie up to it.
func (r *Resolver) pinnedPage(l connection.List, pinned string, offset, total int, cursors []*string) *connection.PageInfo {
	info := &connection.PageInfo{HasNextPage: offset+len(cursors) < total, HasPreviousPage: offset > 0}
	for i, c := range cursors {
		*c = r.Cursors.Seal(l, graph.Position{Text: pinned, Number: int64(offset + i + 1)})
	}
	if n := len(cursors); n > 0 {
		info.StartCursor, info.EndCursor = cursors[0], cursors[n-1]
	}
	return info
}

// rankingPage answers a page of a ranking.
func (r *Resolver) rankingPage(ctx context.Context, q lineage.RankingQuery, first *int, after *string) (*gql.RankingConnection, error) {
	c, err := authz.CallerFrom(ctx)
	if err != nil {
		return nil, err
	}
	l, at, err := r.page(ctx, "impactRanking", q, first, after)
	if err != nil {
		return nil, err
	}
	page, err := r.Impacts.Ranking(ctx, asked(c), q, lineage.ImpactPosition{First: at.First, Offset: int(at.Number), Pinned: at.Text})
	if err != nil {
		return nil, err
	}
	cursors, nodes := make([]*string, len(page.Edges)), []*lineage.Node{}
	for i, e := range page.Edges {
		cursors[i] = &e.Cursor
		if e.Node != nil {
			nodes = append(nodes, e.Node)
		}
	}
	announceGraph(ctx, &lineage.Graph{Nodes: nodes})
	return &gql.RankingConnection{
		Edges: page.Edges, TotalCount: page.Total, Completeness: page.Completeness, PageInfo: r.pinnedPage(l, page.Pinned, page.Offset, page.Total, cursors),
	}, nil
}

// announceImpact announces the assets of results, and their datasources.
func announceImpact(ctx context.Context, edges []*lineage.ImpactEdge) {
	var nodes []*lineage.Node
	for _, e := range edges {
		if e.Node != nil {
			nodes = append(nodes, e.Node)
		}
	}
	announceGraph(ctx, &lineage.Graph{Nodes: nodes})
}

// validPaths bounds how many paths are asked for. Errors: BAD_USER_INPUT.
func validPaths(first int) error {
	if first < 1 || first > graph.MaxPaths {
		return fault.BadInput("first", fmt.Sprintf("first must be from 1 to %d.", graph.MaxPaths))
	}
	return nil
}
