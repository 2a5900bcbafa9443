package lineage_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
)

// ids are those of an answer's nodes, in its order.
func ids(g *lineage.Graph) []string {
	out := make([]string, len(g.Nodes))
	for i, n := range g.Nodes {
		out[i] = n.ID
	}
	return out
}

// node is one of an answer's nodes.
func node(t *testing.T, g *lineage.Graph, id string) *lineage.Node {
	t.Helper()
	i := slices.IndexFunc(g.Nodes, func(n *lineage.Node) bool { return n.ID == id })
	require.GreaterOrEqual(t, i, 0, "not in the answer")
	return g.Nodes[i]
}

// chain adds nodes of which each feeds the next.
func (w *world) chain(n int) []int {
	all := w.addMany(n)
	for i := 1; i < n; i++ {
		w.feed(all[i-1], all[i])
	}
	return all
}

func TestDepthNMeansN(t *testing.T) {
	s, w := newStage(t), newWorld()
	chain := w.chain(50)
	s.seed(t, w)
	for depth := 0; depth <= graph.MaxDepth; depth++ {
		for d, sides := range map[graph.Direction]int{graph.Upstream: 1, graph.Downstream: 1, graph.Both: 2} {
			g := s.walk(t, w, lineage.Query{Node: w.id(chain[25]), Direction: d, Depth: depth})
			assert.Len(t, g.Nodes, 1+sides*depth)
			assert.Equal(t, []lineage.Budget{lineage.BudgetDepth}, g.Completeness.StoppedBy)
			assert.Empty(t, g.Completeness.Truncated)
		}
	}
	g := s.walk(t, w, lineage.Query{Node: w.id(chain[45]), Direction: graph.Downstream, Depth: 4})
	assert.Len(t, g.Nodes, 5)
	assert.True(t, g.Completeness.IsComplete, "nothing lies beyond the end of the chain")
	g = s.walk(t, w, lineage.Query{Node: w.id(chain[45]), Direction: graph.Downstream, Depth: 3})
	assert.False(t, g.Completeness.IsComplete)

	_, err := lineage.Walk(t.Context(), s.store, w.audience(graph.ClassFull), lineage.Query{Node: w.id(0), Direction: graph.Both, Depth: graph.MaxDepth + 1}, lineage.DefaultBudgets().Untimed(), "")
	assert.Equal(t, fault.CodeBadUserInput, fault.CodeOf(err))
	_, err = lineage.Walk(t.Context(), s.store, w.audience(graph.ClassFull), lineage.Query{Node: w.id(0), Direction: graph.Both, Depth: -1}, lineage.DefaultBudgets().Untimed(), "")
	assert.Equal(t, fault.CodeBadUserInput, fault.CodeOf(err))
}

func TestDiamondsHaveAllTheirEdgesAndCostNoPaths(t *testing.T) {
	s, w := newStage(t), newWorld()
	const layers, width = 40, 2 // 2^40 paths from the first layer to the last
	mesh := make([][]int, layers)
	for i := range mesh {
		mesh[i] = w.addMany(width)
		if i > 0 {
			for _, from := range mesh[i-1] {
				w.feed(from, mesh[i]...)
			}
		}
	}
	// Fewer layers, but within the depth 40^5 paths.
	wide := [][]int{w.addMany(1)}
	for range 5 {
		next := w.addMany(40)
		for _, from := range wide[len(wide)-1] {
			w.feed(from, next...)
		}
		wide = append(wide, next)
	}
	s.seed(t, w)
	g := s.walk(t, w, lineage.Query{Node: w.id(mesh[20][0]), Direction: graph.Both, Depth: 5})
	assert.Len(t, g.Nodes, 1+2*5*width)
	assert.Len(t, g.Edges, 2*(width+4*width*width), "of each diamond both paths")
	g = s.walk(t, w, lineage.Query{Node: w.id(wide[0][0]), Direction: graph.Downstream, Depth: 5})
	assert.Len(t, g.Nodes, 201)
	assert.Len(t, g.Edges, 40+4*40*40)
	assert.True(t, g.Completeness.IsComplete)
}

func TestCyclesEnd(t *testing.T) {
	s, w := newStage(t), newWorld()
	two, three, one := w.chain(2), w.chain(3), w.add()
	w.feed(two[1], two[0])
	w.feed(three[2], three[0])
	w.feed(one, one)
	s.seed(t, w)

	g := s.walk(t, w, lineage.Query{Node: w.id(two[0]), Direction: graph.Both, Depth: 3})
	assert.Equal(t, []string{w.id(two[0]), w.id(two[1])}, ids(g))
	require.Len(t, g.Edges, 2)
	for _, e := range g.Edges {
		assert.Equal(t, e.Target == w.id(two[0]), e.ClosesCycle, "the one that leads back")
		assert.True(t, e.OnImpactPath)
	}
	assert.True(t, node(t, g, w.id(two[0])).IsImpacted, "a change comes back to the focus")

	g = s.walk(t, w, lineage.Query{Node: w.id(three[0]), Direction: graph.Upstream, Depth: 5})
	assert.Len(t, g.Nodes, 3)
	assert.Len(t, g.Edges, 3)
	assert.Equal(t, 2, *node(t, g, w.id(three[1])).UpstreamDegree)
	assert.Equal(t, 1, *node(t, g, w.id(three[1])).DownstreamDegree, "it is downstream too, whichever way was walked")

	g = s.walk(t, w, lineage.Query{Node: w.id(one), Direction: graph.Both, Depth: 1})
	assert.Len(t, g.Nodes, 1)
	require.Len(t, g.Edges, 1)
	assert.True(t, g.Edges[0].ClosesCycle)
	assert.True(t, g.Nodes[0].IsImpacted)
	assert.True(t, g.Completeness.IsComplete, "a node is no neighbour of itself")
}

func TestWalkOfNothingAndOfLittle(t *testing.T) {
	s, w := newStage(t), newWorld()
	alone := w.add()
	hidden := w.add()
	w.vertices[hidden].hiddenRank = 1
	s.seed(t, w)
	q := lineage.Query{Node: w.id(alone), Direction: graph.Both, Depth: 3}
	g := s.walk(t, w, q)
	assert.Equal(t, []string{w.id(alone)}, ids(g))
	assert.Empty(t, g.Edges)
	assert.NotNil(t, g.Edges)
	assert.True(t, g.Completeness.IsComplete)
	assert.False(t, g.Nodes[0].IsImpacted)

	q.Node = w.id(hidden)
	g, err := lineage.Walk(t.Context(), s.store, w.audience(graph.ClassRestricted), q, lineage.DefaultBudgets().Untimed(), "v")
	require.NoError(t, err)
	assert.Nil(t, g)
	q.Node = "asset_00000000000000000000000000000000"
	g, err = lineage.Walk(t.Context(), s.store, w.audience(graph.ClassFull), q, lineage.DefaultBudgets().Untimed(), "v")
	require.NoError(t, err)
	assert.Nil(t, g)
	q.Node = w.id(alone)
	g, err = lineage.Walk(t.Context(), s.store, graph.Audience{}, q, lineage.DefaultBudgets().Untimed(), "v")
	require.NoError(t, err)
	assert.Nil(t, g, "the zero audience sees nothing")
}

func TestOneStatementAnswersMostWalks(t *testing.T) {
	s, w := newStage(t), newWorld()
	chain := w.chain(9)
	s.seed(t, w)
	ctx, session := graph.WithSession(t.Context())
	_, err := lineage.Walk(ctx, s.store, w.audience(graph.ClassFull), lineage.Query{Node: w.id(chain[4]), Direction: graph.Both, Depth: 3}, lineage.DefaultBudgets().Untimed(), "")
	require.NoError(t, err)
	assert.Equal(t, 1, session.Statements())
}
