package lineage_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
)

// Two worlds that differ in hidden nodes and their edges alone, with equal ids: whoever may not see them
// gets equal answers from both, whatever budgets bite.
func TestRestrictedWalkDoesNotBetrayHiddenNodes(t *testing.T) {
	s, open := newStage(t), newWorld()
	focus := open.add()
	children := open.addMany(6)
	open.feed(focus, children...)
	for _, child := range children {
		grandchildren := open.addMany(4)
		open.feed(child, grandchildren...)
		open.feed(grandchildren[0], grandchildren[1])
	}
	source := open.add()
	open.feed(source, focus)

	secret := &world{workspace: freshWorkspace(), vertices: slices.Clone(open.vertices), arcs: slices.Clone(open.arcs)}
	for i := range secret.vertices {
		secret.vertices[i].workspace = secret.workspace
	}
	for i := range secret.arcs {
		secret.arcs[i].workspace = secret.workspace
	}
	hide := func() int {
		i := secret.add()
		secret.vertices[i].hiddenRank = 1
		return i
	}
	// Beside the focus, between nodes, before the source, behind leaves, on a cycle, and many around one
	// child, so that its true degree would be the largest.
	beside, between, before, behind := hide(), hide(), hide(), hide()
	secret.feed(focus, beside)
	secret.feed(children[0], between)
	secret.feed(between, children[1])
	secret.feed(before, source)
	secret.feed(len(open.vertices)-2, behind)
	secret.feed(behind, focus)
	for range 20 {
		around := hide()
		secret.feed(children[5], around)
		secret.feed(around, children[5])
	}
	s.seed(t, open)
	s.seed(t, secret)

	for _, b := range []lineage.Budgets{lineage.DefaultBudgets().Untimed(), {Nodes: 10, FanOut: 100}, {Nodes: 500, FanOut: 3}, {Nodes: 7, FanOut: 2}} {
		for _, d := range []graph.Direction{graph.Upstream, graph.Downstream, graph.Both} {
			for depth := range graph.MaxDepth + 1 {
				q := lineage.Query{Node: open.id(focus), Direction: d, Depth: depth}
				want, err := lineage.Walk(t.Context(), s.store, open.audience(graph.ClassRestricted), q, b, "v")
				require.NoError(t, err)
				got, err := lineage.Walk(t.Context(), s.store, secret.audience(graph.ClassRestricted), q, b, "v")
				require.NoError(t, err)
				assert.Equal(t, want, got)
			}
		}
	}
	q := lineage.Query{Node: open.id(focus), Direction: graph.Both, Depth: 5}
	all, err := lineage.Walk(t.Context(), s.store, secret.audience(graph.ClassFull), q, lineage.DefaultBudgets().Untimed(), "v")
	require.NoError(t, err)
	assert.Len(t, all.Nodes, len(secret.vertices), "who may see them does")
}
