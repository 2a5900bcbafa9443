package lineage

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/strata-gateway/strata/graph"
)

// ColumnStore is what a walk of columns reads.
type ColumnStore interface {
	// ColumnLinks returns links that lead from columns in a direction.
	ColumnLinks(ctx context.Context, audience graph.Audience, ids []string, d graph.Direction, limit int) ([]graph.ColumnLink, error)
	// PlacedColumns returns columns with their assets.
	PlacedColumns(ctx context.Context, audience graph.Audience, ids []string) (map[string]graph.PlacedColumn, error)
}

// ColumnGraph is the answer of a walk of columns.
type ColumnGraph struct {
	// Nodes are by distance from the focus, then id.
	Nodes []*ColumnNode
	// Edges are all dependencies among the nodes, by source, target and what they say.
	Edges        []*graph.ColumnLink
	Completeness *Completeness
}

// ColumnNode is a column of an answer.
type ColumnNode struct {
	ID     string
	Column *graph.Column
	// AssetID is the asset that it is of.
	AssetID                          string
	UpstreamDegree, DownstreamDegree *int
	IsFocus                          bool
}

// maxLinks is how many links of a level, or among the nodes, are looked at.
const maxLinks = 20_000

// columnWalk is a walk of columns, level by level.
type columnWalk struct {
	store    ColumnStore
	audience graph.Audience
	budget   int
	// degrees are the hops to the columns that were reached in each direction.
	degrees map[graph.Direction]map[string]int
	in      map[string]bool
	stopped map[Budget]bool
}

// Columns walks the dependencies of columns across assets, as far as a depth in hops in each direction, and returns
// nil for an id of nothing. Of more columns than the budget those with the lesser ids of a level stay.
//
// SECURITY: it computes from the answer alone (TestColumnLineageIsTheReferenceWalk).
func Columns(ctx context.Context, store ColumnStore, audience graph.Audience, q Query, budget int, version string) (*ColumnGraph, error) {
	w := &columnWalk{
		store: store, audience: audience, budget: budget, in: map[string]bool{q.Node: true}, stopped: map[Budget]bool{},
		degrees: map[graph.Direction]map[string]int{graph.Upstream: {q.Node: 0}, graph.Downstream: {q.Node: 0}},
	}
	found, err := store.PlacedColumns(ctx, audience, []string{q.Node})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	for _, d := range q.directions() {
		if err := w.walk(ctx, d, q.Node, q.Depth); err != nil {
			return nil, err
		}
	}
	g, err := w.draw(ctx, q)
	if err != nil {
		return nil, err
	}
	g.Completeness.GraphVersion = version
	return g, nil
}

// walk goes level by level. It looks one level farther than the depth, to tell whether there is more.
func (w *columnWalk) walk(ctx context.Context, d graph.Direction, from string, depth int) error {
	frontier := []string{from}
	for hops := 1; hops <= depth+1 && len(frontier) > 0; hops++ {
		links, err := w.store.ColumnLinks(ctx, w.audience, frontier, d, maxLinks)
		if err != nil {
			return err
		}
		if len(links) == maxLinks {
			w.stopped[BudgetNodes] = true
		}
		next := map[string]bool{}
		for _, l := range links {
			other := l.Target
			if d == graph.Upstream {
				other = l.Source
			}
			if _, reached := w.degrees[d][other]; !reached {
				next[other] = true
			}
		}
		if hops > depth {
			w.stopped[BudgetDepth] = w.stopped[BudgetDepth] || len(next) > 0
			return nil
		}
		frontier = w.admit(d, next, hops)
	}
	return nil
}

// admit takes a level into the answer, as much of it as fits.
func (w *columnWalk) admit(d graph.Direction, level map[string]bool, hops int) []string {
	ids := make([]string, 0, len(level))
	for id := range level {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	var admitted []string
	for _, id := range ids {
		if !w.in[id] && len(w.in) >= w.budget {
			w.stopped[BudgetNodes] = true
			continue
		}
		w.in[id], w.degrees[d][id] = true, hops
		admitted = append(admitted, id)
	}
	return admitted
}

// draw reads the columns and all links among them.
func (w *columnWalk) draw(ctx context.Context, q Query) (*ColumnGraph, error) {
	ids := make([]string, 0, len(w.in))
	for id := range w.in {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	columns, err := w.store.PlacedColumns(ctx, w.audience, ids)
	if err != nil {
		return nil, err
	}
	links, err := w.store.ColumnLinks(ctx, w.audience, ids, graph.Downstream, maxLinks)
	if err != nil {
		return nil, err
	}
	g := &ColumnGraph{Nodes: []*ColumnNode{}, Edges: []*graph.ColumnLink{}}
	for _, id := range ids {
		c, ok := columns[id]
		if !ok {
			continue // it went away meanwhile
		}
		n := &ColumnNode{ID: id, Column: c.Column, AssetID: c.Asset, IsFocus: id == q.Node}
		n.UpstreamDegree, n.DownstreamDegree = w.degree(graph.Upstream, id), w.degree(graph.Downstream, id)
		g.Nodes = append(g.Nodes, n)
	}
	slices.SortStableFunc(g.Nodes, func(a, b *ColumnNode) int {
		return cmp.Or(cmp.Compare(a.distance(), b.distance()), strings.Compare(a.ID, b.ID))
	})
	for i, l := range links {
		_, source := columns[l.Source]
		_, target := columns[l.Target]
		if source && target {
			g.Edges = append(g.Edges, &links[i])
		}
	}
	if len(links) == maxLinks {
		w.stopped[BudgetNodes] = true
	}
	g.Completeness = newCompleteness(w.stopped, nil)
	return g, nil
}

// degree is how far a column was reached in a direction, nil if it was not.
func (w *columnWalk) degree(d graph.Direction, id string) *int {
	hops, ok := w.degrees[d][id]
	if !ok {
		return nil
	}
	return &hops
}

// distance is the lesser degree.
func (n *ColumnNode) distance() int {
	switch {
	case n.UpstreamDegree == nil:
		return *n.DownstreamDegree
	case n.DownstreamDegree == nil:
		return *n.UpstreamDegree
	}
	return min(*n.UpstreamDegree, *n.DownstreamDegree)
}
