package resolvers

import (
	"context"
	"slices"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
	"github.com/strata-gateway/strata/loaders"
)

// Bounds of a walk.
const (
	maxDepth    = 5 // hops
	maxCanvas   = 5000
	maxEntries  = 50 // of each list of a filter
	maxFragment = 200
	maxLinks    = 500
)

// newWalk checks where a walk starts, how far it goes and what narrows it. Errors: BAD_USER_INPUT.
func newWalk(field, node string, direction graph.Direction, depth int, filter *lineage.Filter) (lineage.Query, error) {
	narrowed := value(filter)
	q := lineage.Query{
		Node: node, Direction: direction, Depth: depth, Filter: narrowed.WalkFilter, StopAt: narrowed.StopAt, Retired: narrowed.IncludeRetired,
	}
	if err := identified(field, node); err != nil {
		return q, err
	}
	if depth < 0 || depth > maxDepth {
		return q, fault.BadInput("depth", "depth must be from 0 to 5.")
	}
	return q, validNarrowing(q.Filter)
}

// newExpansion checks what is expanded. Errors: BAD_USER_INPUT.
func newExpansion(node string, direction graph.Direction, filter *lineage.Filter) (graph.ExpandQuery, error) {
	q := graph.ExpandQuery{Node: node, Direction: direction, Filter: value(filter).WalkFilter}
	if err := identified("node", node); err != nil {
		return q, err
	}
	if direction == graph.Both {
		return q, fault.BadInput("direction", "Expand one direction at a time: UPSTREAM or DOWNSTREAM.")
	}
	return q, validNarrowing(q.Filter)
}

// neighbourPosition is where a neighbour stands in an expansion.
func neighbourPosition(n *lineage.Neighbour) graph.Position {
	return graph.Position{Number: int64(n.Degree), ID: n.Node.ID}
}

// validNarrowing bounds what narrows a walk or an impact. Errors: BAD_USER_INPUT.
func validNarrowing(f graph.WalkFilter) error {
	if f.Datasource != "" {
		if err := identified("filter.datasource", f.Datasource); err != nil {
			return err
		}
	}
	return firstError(
		atMost("filter.categories", len(f.Categories), maxEntries), atMost("filter.types", len(f.Types), maxEntries),
		validTexts("filter.systems", f.Systems, maxEntries, maxName), validTexts("filter.tags", f.Tags, maxEntries, maxTag),
		bounded("filter.text", &f.Text, maxFragment), bounded("filter.ownerEmail", &f.OwnerEmail, maxEmail),
	)
}

// value is what an optional argument points to, else the zero value.
func value[T any](v *T) T {
	if v == nil {
		var zero T
		return zero
	}
	return *v
}

// budgets are the deployment's, with the node budget that was asked for. Errors: BAD_USER_INPUT.
func (r *Resolver) budgets(nodes int) (lineage.Budgets, error) {
	b := r.Budgets
	b.Nodes = nodes
	if nodes < 1 || nodes > maxCanvas {
		return b, fault.BadInput("maxNodes", "maxNodes must be from 1 to 5000.")
	}
	return b, nil
}

// asked is for whom a graph is drawn, at the versions that the caller's request found.
func asked(c *authz.Caller) lineage.Asked {
	return lineage.Asked{Audience: c.Audience, Epochs: c.Epochs}
}

// lineageVersion is the version of the graph that the caller's request found.
func lineageVersion(c *authz.Caller) string {
	return c.Epochs.Version(graph.FamilyLineage, c.Audience.Class)
}

// canvas draws a graph of datasources, without a focus, for the caller; nil if one is none. Errors:
// BAD_USER_INPUT.
func (r *Resolver) canvas(ctx context.Context, datasources []string, nodes int, draw func(*authz.Caller) (*lineage.Graph, error)) (*lineage.Graph, error) {
	c, err := authz.CallerFrom(ctx)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(datasources, func(id string) bool { return graph.KindOf(id) != graph.KindDatasource }) {
		return nil, nil
	}
	if _, err := r.budgets(nodes); err != nil {
		return nil, err
	}
	g, err := draw(c)
	if err != nil {
		return nil, err
	}
	announceGraph(ctx, g)
	return g, nil
}

// announceGraph announces the assets of a graph, their datasources, and its edges.
func announceGraph(ctx context.Context, g *lineage.Graph) {
	announce(ctx, g.Nodes, func(n *lineage.Node) string { return n.AssetID })
	announce(ctx, g.Nodes, func(n *lineage.Node) string { return n.Datasource })
	announceEdges(ctx, g.Edges)
}

func announceEdges(ctx context.Context, edges []*lineage.Edge) {
	announce(ctx, edges, func(e *lineage.Edge) string { return e.ID })
}

// holds reports whether the caller holds a team permission on a datasource. "" stands for what is
// outside the catalog, which asks for none.
func (r *Resolver) holds(ctx context.Context, datasource string, least graph.TeamPermission) (bool, error) {
	c, err := authz.CallerFrom(ctx)
	if err != nil {
		return false, err
	}
	if datasource == "" {
		return true, nil
	}
	facts, err := loaders.From(ctx).Rights(ctx, datasource)
	if err != nil {
		return false, err
	}
	return authz.HoldsOn(c, facts, least), nil
}

// announceNeighbours announces the assets of neighbours, their datasources, and the edges.
func announceNeighbours(ctx context.Context, neighbours []*lineage.Neighbour) {
	announce(ctx, neighbours, func(n *lineage.Neighbour) string { return n.Node.AssetID })
	announce(ctx, neighbours, func(n *lineage.Neighbour) string { return n.Node.Datasource })
	var edges []*lineage.Edge
	for _, n := range neighbours {
		edges = append(edges, n.Edges...)
	}
	announceEdges(ctx, edges)
}
