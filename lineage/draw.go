package lineage

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/strata-gateway/strata/graph"
)

// graph is the answer as it is given: without the nodes that the filter hides, and their edges.
func (a *answer) graph(c *Completeness) *Graph {
	shown := make([]bool, len(a.nodes))
	for i, n := range a.nodes {
		shown[i] = n.Fits || i == a.focus
		if !shown[i] {
			c.HiddenByFilter++
		}
	}
	return &Graph{Nodes: a.drawNodes(shown), Edges: a.drawEdges(shown), Completeness: c}
}

// drawNodes are the shown nodes by distance from the focus, then id.
func (a *answer) drawNodes(shown []bool) []*Node {
	returns := slices.ContainsFunc(a.fedBy[a.focus], func(i int) bool { return a.down[i] != unreached && !a.ends[i] })
	nodes, order := make([]Node, len(a.nodes)), make([]int, 0, len(a.nodes))
	for i, n := range a.nodes {
		if !shown[i] {
			continue
		}
		order = append(order, i)
		nodes[i] = newNode(n)
		nodes[i].UpstreamDegree, nodes[i].DownstreamDegree = degree(a.up[i]), degree(a.down[i])
		nodes[i].IsFocus = i == a.focus
		nodes[i].IsImpacted = a.down[i] != unreached && (i != a.focus || returns)
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(a.distance(i), a.distance(j)), strings.Compare(nodes[i].ID, nodes[j].ID))
	})
	out := make([]*Node, len(order))
	for at, i := range order {
		out[at] = &nodes[i]
	}
	return out
}

// drawEdges are the edges among the shown nodes, by id.
func (a *answer) drawEdges(shown []bool) []*Edge {
	edges, cycle := make([]Edge, 0, len(a.edges)), cycles(a.feeds.among(shown))
	for _, e := range a.edges {
		s, t := a.index[e.Source], a.index[e.Target]
		if !shown[s] || !shown[t] {
			continue
		}
		edges = append(edges, Edge{
			ID: e.ID, Source: e.Source, Target: e.Target, Category: e.Category,
			SourceDatasource: a.nodes[s].Datasource, TargetDatasource: a.nodes[t].Datasource,
			OnImpactPath: a.down[s] != unreached && a.down[t] != unreached,
			ClosesCycle:  cycle[s] == cycle[t] && a.distance(t) <= a.distance(s),
		})
	}
	out := make([]*Edge, len(edges))
	for i := range edges {
		out[i] = &edges[i]
	}
	slices.SortFunc(out, func(x, y *Edge) int { return strings.Compare(x.ID, y.ID) })
	return out
}

// among are the neighbours among a part of the nodes.
func (a adjacency) among(part []bool) adjacency {
	if !slices.Contains(part, false) {
		return a
	}
	out := make(adjacency, len(a))
	for i, neighbours := range a {
		for _, n := range neighbours {
			if part[i] && part[n] {
				out[i] = append(out[i], n)
			}
		}
	}
	return out
}

// drawRetired adds the retired edges among the nodes, if they are asked for. They lie on no path.
func (g *Graph) drawRetired(ctx context.Context, store Store, audience graph.Audience, q Query) error {
	if !q.Retired {
		return nil
	}
	ids, datasource, active := make([]string, len(g.Nodes)), make(map[string]string, len(g.Nodes)), make(map[string]bool, len(g.Edges))
	for _, e := range g.Edges {
		active[e.ID] = true // for the organization, although a workspace retired its own
	}
	for i, n := range g.Nodes {
		ids[i], datasource[n.ID] = n.ID, n.Datasource
	}
	retired, err := store.RetiredEdges(ctx, audience, ids, q.Filter)
	if err != nil {
		return err
	}
	for _, e := range retired {
		if active[e.ID] {
			continue
		}
		g.Edges = append(g.Edges, &Edge{
			ID: e.ID, Source: e.Source, Target: e.Target, Category: e.Category, Retired: true,
			SourceDatasource: datasource[e.Source], TargetDatasource: datasource[e.Target],
		})
	}
	slices.SortFunc(g.Edges, func(x, y *Edge) int { return strings.Compare(x.ID, y.ID) })
	return nil
}
