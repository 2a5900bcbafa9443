package lineage

import (
	"context"
	"slices"
	"strings"

	"github.com/strata-gateway/strata/graph"
)

// ExpandStore is what an expansion reads.
type ExpandStore interface {
	// Expand returns a page of neighbours by degree, nil for no node.
	Expand(context.Context, graph.Audience, graph.ExpandQuery, graph.Position) (*graph.Page[graph.Neighbour], error)
	// Topology returns nodes and the edges among them.
	Topology(ctx context.Context, audience graph.Audience, ids []string, f graph.WalkFilter) (graph.Topology, error)
}

// Neighbour is a node next to an expanded one.
type Neighbour struct {
	// Node is marked as in a walk of one hop in this direction alone.
	Node *Node
	// Edges are those between the two in this direction, by id.
	Edges []*Edge
	// Degree is how many distinct nodes, other than itself, it feeds or is fed by.
	Degree int
}

// Expand returns a page of the neighbours of a node in one direction, those with the most neighbours first,
// and nil for an id of nothing.
func Expand(ctx context.Context, store ExpandStore, audience graph.Audience, q graph.ExpandQuery, at graph.Position) (*graph.Page[*Neighbour], error) {
	found, err := store.Expand(ctx, audience, q, at)
	if err != nil || found == nil {
		return nil, err
	}
	ids := []string{q.Node}
	for _, n := range found.Items {
		ids = append(ids, n.ID)
	}
	topology, err := store.Topology(ctx, audience, ids, q.Filter)
	if err != nil {
		return nil, err
	}
	near := neighbours(topology, q)
	page := graph.Page[*Neighbour]{Total: found.Total, HasNext: found.HasNext, HasPrevious: found.HasPrevious}
	for _, n := range found.Items {
		if x := near[n.ID]; x != nil && len(x.Edges) > 0 { // else it went away between the two statements
			x.Degree = n.Degree
			slices.SortFunc(x.Edges, func(a, b *Edge) int { return strings.Compare(a.ID, b.ID) })
			page.Items = append(page.Items, x)
		}
	}
	return &page, nil
}

// neighbours are the nodes of a topology beside the expanded one, with the edges that lead to or from it.
func neighbours(t graph.Topology, q graph.ExpandQuery) map[string]*Neighbour {
	one, out, datasource := 1, map[string]*Neighbour{}, map[string]string{}
	for _, n := range t.Nodes {
		node := newNode(n)
		if q.Direction == graph.Downstream {
			node.DownstreamDegree, node.IsImpacted = &one, true
		} else {
			node.UpstreamDegree = &one
		}
		out[n.ID], datasource[n.ID] = &Neighbour{Node: &node}, n.Datasource
	}
	for _, e := range t.Edges {
		from, to := e.Source, e.Target
		if q.Direction == graph.Upstream {
			from, to = to, from
		}
		if from == q.Node && to != q.Node {
			out[to].Edges = append(out[to].Edges, &Edge{
				ID: e.ID, Source: e.Source, Target: e.Target, Category: e.Category,
				SourceDatasource: datasource[e.Source], TargetDatasource: datasource[e.Target],
				OnImpactPath: q.Direction == graph.Downstream,
			})
		}
	}
	return out
}
