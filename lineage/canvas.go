package lineage

import (
	"context"
	"slices"
	"strings"

	"github.com/strata-gateway/strata/graph"
)

// CanvasStore is what a canvas reads.
type CanvasStore interface {
	// Canvas returns assets of datasources, those with the most neighbours first.
	Canvas(ctx context.Context, audience graph.Audience, datasources []string, limit int) ([]string, error)
	// Between returns the assets that connect two datasources.
	Between(ctx context.Context, audience graph.Audience, a, b string, limit int) ([]string, error)
	// Topology returns nodes and the edges among them.
	Topology(ctx context.Context, audience graph.Audience, ids []string, f graph.WalkFilter) (graph.Topology, error)
}

// Canvas returns all assets of datasources with every edge among them, at most so many nodes: those with the
// most neighbours stay. It has no focus, so that nothing has a degree.
func Canvas(ctx context.Context, store CanvasStore, audience graph.Audience, datasources []string, nodes int, version string) (*Graph, error) {
	ids, err := store.Canvas(ctx, audience, datasources, nodes+1)
	if err != nil {
		return nil, err
	}
	return drawCanvas(ctx, store, audience, ids, nodes, version, func(_, _ string) bool { return true })
}

// Between returns what connects two datasources: the assets of both with an edge between the two, and these
// edges, at most so many nodes.
func Between(ctx context.Context, store CanvasStore, audience graph.Audience, a, b string, nodes int, version string) (*Graph, error) {
	ids, err := store.Between(ctx, audience, a, b, nodes+1)
	if err != nil {
		return nil, err
	}
	return drawCanvas(ctx, store, audience, ids, nodes, version, func(from, to string) bool {
		return from == a && to == b || from == b && to == a
	})
}

// drawCanvas draws nodes, cut to the budget, and those edges among them whose datasources are asked for.
func drawCanvas(ctx context.Context, store CanvasStore, audience graph.Audience, ids []string, nodes int, version string, asked func(from, to string) bool) (*Graph, error) {
	stopped := map[Budget]bool{BudgetNodes: len(ids) > nodes}
	topology, err := store.Topology(ctx, audience, ids[:min(nodes, len(ids))], graph.WalkFilter{})
	if err != nil {
		return nil, err
	}
	index := make(map[string]int, len(topology.Nodes))
	g := &Graph{Nodes: make([]*Node, len(topology.Nodes)), Edges: []*Edge{}, Completeness: newCompleteness(stopped, nil)}
	g.Completeness.GraphVersion = version
	for i, n := range topology.Nodes {
		node := newNode(n)
		g.Nodes[i], index[n.ID] = &node, i
	}
	feeds := make(adjacency, len(topology.Nodes))
	for _, e := range topology.Edges {
		from, to := index[e.Source], index[e.Target]
		if !asked(g.Nodes[from].Datasource, g.Nodes[to].Datasource) {
			continue
		}
		feeds[from] = append(feeds[from], to)
		g.Edges = append(g.Edges, &Edge{
			ID: e.ID, Source: e.Source, Target: e.Target, Category: e.Category,
			SourceDatasource: g.Nodes[from].Datasource, TargetDatasource: g.Nodes[to].Datasource,
		})
	}
	component := cycles(feeds)
	for _, e := range g.Edges {
		e.ClosesCycle = component[index[e.Source]] == component[index[e.Target]]
	}
	slices.SortFunc(g.Nodes, func(x, y *Node) int { return strings.Compare(x.ID, y.ID) })
	slices.SortFunc(g.Edges, func(x, y *Edge) int { return strings.Compare(x.ID, y.ID) })
	return g, nil
}
