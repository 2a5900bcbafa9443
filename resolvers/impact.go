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
func newImpact(node string, direction graph.Direction, depth int, filter *gql.ImpactFilter, order *gql.ImpactOrder) (lineage.ImpactQuery, error) {
	q := lineage.ImpactQuery{Node: node, Direction: direction, Depth: depth, OrderBy: lineage.ByDegree}
	if direction == graph.Both {
		return q, fault.BadInput("direction", "Ask for one direction at a time: DOWNSTREAM or UPSTREAM.")
	}
	if depth < 1 || depth > graph.MaxImpactDepth {
		return q, fault.BadInput("maxDepth", fmt.Sprintf("maxDepth must be from 1 to %d.", graph.MaxImpactDepth))
	}
	if order != nil {
		q.OrderBy, q.Descending = order.Field, order.Direction == graph.Descending
	}
	if filter == nil {
		return q, nil
	}
	var err error
	q.Filter, err = validNarrowing(graph.WalkFilter{
		Categories: filter.Categories, Systems: filter.Systems, Tags: filter.Tags, Types: filter.Types,
		WorstSeverityAtLeast: value(filter.WorstSeverityAtLeast), Text: value(filter.Text), OwnerEmail: value(filter.OwnerEmail), Datasource: value(filter.Datasource),
	})
	return q, err
}

// impactPage answers a page of an impact and seals its cursors. A cursor says which result it is of, and how many
// of its entries lie up to it.
func (r *Resolver) impactPage(ctx context.Context, q lineage.ImpactQuery, first *int, after *string) (*gql.ImpactConnection, error) {
	c, err := authz.CallerFrom(ctx)
	if err != nil {
		return nil, err
	}
	l, at, err := r.page(ctx, "impact", q, first, after)
	if err != nil {
		return nil, err
	}
	page, err := r.Impacts.Impact(ctx, c.Audience, q, impactVersions(c), lineage.ImpactPosition{First: at.First, Offset: int(at.Number), Pinned: at.Text})
	if err != nil {
		return nil, err
	}
	out := &gql.ImpactConnection{
		Edges: page.Edges, TotalCount: len(page.All), Completeness: page.Completeness, CanExport: r.CanExport,
		PageInfo: &connection.PageInfo{HasNextPage: page.Offset+len(page.Edges) < len(page.All), HasPreviousPage: page.Offset > 0},
	}
	for i, e := range page.Edges {
		e.Cursor = r.Cursors.Seal(l, graph.Position{Text: page.Pinned, Number: int64(page.Offset + i + 1)})
	}
	if n := len(page.Edges); n > 0 {
		out.PageInfo.StartCursor, out.PageInfo.EndCursor = &page.Edges[0].Cursor, &page.Edges[n-1].Cursor
	}
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

// impactVersions are what an impact depends on: the graph, and what its filters and orders look at.
func impactVersions(c *authz.Caller) lineage.Versions {
	class := c.Audience.Class
	return lineage.Versions{
		Lineage: c.Epochs.Version(graph.FamilyLineage, class),
		Others:  c.Epochs.Version(graph.FamilyCatalog, class) + "." + c.Epochs.Version(graph.FamilyVerdict, class),
	}
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
