package lineage_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
)

func TestHubIsCutAndSaysByHowMuch(t *testing.T) {
	s, w := newStage(t), newWorld()
	hub, leaves := w.add(), w.addMany(10_000)
	w.feed(hub, leaves...)
	tail := w.add()
	w.feed(leaves[7777], tail) // so that one leaf has more neighbours than the others
	s.seed(t, w)

	q := lineage.Query{Node: w.id(hub), Direction: graph.Both, Depth: 1}
	g, err := lineage.Walk(t.Context(), s.store, w.audience(graph.ClassFull), q, lineage.DefaultBudgets().Untimed(), "v1")
	require.NoError(t, err)
	require.Len(t, g.Nodes, 101)
	assert.Equal(t, append([]string{w.id(hub)}, slices.Sorted(slices.Values(append([]string{w.id(leaves[7777])}, idsOf(w, leaves[:99])...)))...), ids(g),
		"the one that leads on, then the first by id")
	assert.Equal(t, &lineage.Completeness{
		StoppedBy: []lineage.Budget{lineage.BudgetDepth, lineage.BudgetFanOut}, GraphVersion: "v1",
		Truncated: []*lineage.Truncation{{Node: w.id(hub), Direction: graph.Downstream, Omitted: 9_900}},
	}, g.Completeness)

	// From a leaf, the hub is upstream and is not walked down again.
	q.Node = w.id(leaves[5])
	g, err = lineage.Walk(t.Context(), s.store, w.audience(graph.ClassFull), q, lineage.DefaultBudgets().Untimed(), "v1")
	require.NoError(t, err)
	assert.Equal(t, []string{w.id(leaves[5]), w.id(hub)}, ids(g))
	assert.Len(t, g.Edges, 1, "of the hub's edges the one to a node of the answer")
	assert.True(t, g.Completeness.IsComplete)
}

func idsOf(w *world, indexes []int) []string {
	out := make([]string, len(indexes))
	for i, x := range indexes {
		out[i] = w.id(x)
	}
	return out
}

func TestNodeBudgetIsKeptTheSameWayEveryTime(t *testing.T) {
	s, w, mirrored := newStage(t), newWorld(), newWorld()
	level := w.chain(1)
	for range 3 { // a tree: 1, 30, 900, 27,000 nodes would be in reach
		var next []int
		for _, from := range level[:min(len(level), 40)] {
			children := w.addMany(30)
			w.feed(from, children...)
			next = append(next, children...)
		}
		level = next
	}
	// The same ids in another workspace, written in the opposite order.
	mirrored.vertices, mirrored.arcs = slices.Clone(w.vertices), slices.Clone(w.arcs)
	for i := range mirrored.vertices {
		mirrored.vertices[i].workspace = mirrored.workspace
	}
	for i := range mirrored.arcs {
		mirrored.arcs[i].workspace = mirrored.workspace
	}
	slices.Reverse(mirrored.arcs)
	s.seed(t, w)
	s.seed(t, mirrored)

	q := lineage.Query{Node: w.id(0), Direction: graph.Both, Depth: 3}
	g := s.walk(t, w, q)
	assert.Len(t, g.Nodes, 500)
	assert.Contains(t, g.Completeness.StoppedBy, lineage.BudgetNodes)
	assert.NotContains(t, g.Completeness.StoppedBy, lineage.BudgetFanOut)
	again, err := lineage.Walk(t.Context(), s.store, mirrored.audience(graph.ClassFull), q, lineage.DefaultBudgets().Untimed(), "v1")
	require.NoError(t, err)
	assert.Equal(t, g, again, "the order in which edges were written decides nothing")
}

// impatient is a store that runs out of time in some of its calls, by name and turn.
type impatient struct {
	lineage.Store
	fails map[string]int // how many calls of a name fail at first
	err   error
}

func (i *impatient) fail(call string) error {
	if i.fails[call] > 0 {
		i.fails[call]--
		return i.err
	}
	return nil
}

func (i *impatient) Reach(ctx context.Context, a graph.Audience, q graph.ReachQuery) (graph.Reached, error) {
	if err := i.fail("reach"); err != nil {
		return graph.Reached{}, err
	}
	return i.Store.Reach(ctx, a, q)
}

func (i *impatient) Neighbours(ctx context.Context, a graph.Audience, q graph.NeighboursQuery) (map[string][]graph.Neighbour, error) {
	if err := i.fail("neighbours " + string(q.Direction)); err != nil {
		return nil, err
	}
	return i.Store.Neighbours(ctx, a, q)
}

func (i *impatient) NeighbourTotals(ctx context.Context, a graph.Audience, ids []string, d graph.Direction, f graph.WalkFilter) (map[string]int, error) {
	if err := i.fail("totals"); err != nil {
		return nil, err
	}
	return i.Store.NeighbourTotals(ctx, a, ids, d, f)
}

func (i *impatient) Topology(ctx context.Context, a graph.Audience, ids []string, f graph.WalkFilter) (graph.Topology, error) {
	if err := i.fail("topology"); err != nil {
		return graph.Topology{}, err
	}
	return i.Store.Topology(ctx, a, ids, f)
}

func TestWalkOutOfTimeAnswersWithWhatItFound(t *testing.T) {
	s, w := newStage(t), newWorld()
	chain := w.chain(7)
	s.seed(t, w)
	focus := w.id(chain[3])
	timeout := fault.New(fault.CodeTimeout, "The graph store took too long.")
	one := func(d graph.Direction) *lineage.Truncation {
		return &lineage.Truncation{Node: focus, Direction: d, Omitted: 1}
	}
	for _, c := range []struct {
		name      string
		fails     map[string]int
		nodes     int
		truncated []*lineage.Truncation
	}{
		{"only the one statement: the levels answer", map[string]int{"reach": 1}, 7, []*lineage.Truncation{}},
		{"the first level", map[string]int{"reach": 1, "neighbours UPSTREAM": 1}, 1, []*lineage.Truncation{one(graph.Downstream), one(graph.Upstream)}},
		{"one side of the first level", map[string]int{"reach": 1, "neighbours DOWNSTREAM": 1}, 2,
			[]*lineage.Truncation{{Node: w.id(chain[2]), Direction: graph.Upstream, Omitted: 1}, one(graph.Downstream)}},
		{"reading what was found", map[string]int{"reach": 1, "topology": 1}, 1, []*lineage.Truncation{one(graph.Downstream), one(graph.Upstream)}},
		{"counting what is missing", map[string]int{"reach": 1, "totals": 1}, 7, []*lineage.Truncation{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := lineage.Query{Node: focus, Direction: graph.Both, Depth: 3}
			wantTime := len(c.fails) > 1
			g, err := lineage.Walk(t.Context(), &impatient{Store: s.store, fails: c.fails, err: timeout}, w.audience(graph.ClassFull), q, lineage.DefaultBudgets().Untimed(), "v1")
			require.NoError(t, err)
			assert.Len(t, g.Nodes, c.nodes)
			assert.Equal(t, c.truncated, g.Completeness.Truncated)
			assert.Equal(t, !wantTime, g.Completeness.IsComplete)
			if wantTime {
				assert.Equal(t, []lineage.Budget{lineage.BudgetTime}, g.Completeness.StoppedBy)
			}
		})
	}
}

func TestWalkFailsOnlyWithNothingToShow(t *testing.T) {
	s, w := newStage(t), newWorld()
	focus := w.id(w.add())
	s.seed(t, w)
	q := lineage.Query{Node: focus, Direction: graph.Both, Depth: 3}
	walk := func(store lineage.Store) (*lineage.Graph, error) {
		return lineage.Walk(t.Context(), store, w.audience(graph.ClassFull), q, lineage.DefaultBudgets().Untimed(), "v1")
	}
	_, err := walk(&impatient{Store: s.store, fails: map[string]int{"reach": 1, "topology": 2}, err: context.DeadlineExceeded})
	assert.Equal(t, fault.CodeTimeout, fault.CodeOf(err))
	down := fault.Wrap(fault.CodeUnavailable, "The graph store does not answer.", errors.New("refused"))
	for _, call := range []string{"reach", "neighbours UPSTREAM", "topology", "totals"} {
		fails := map[string]int{call: 1}
		if call != "reach" {
			fails["neighbours DOWNSTREAM"] = 0
		}
		store := &impatient{Store: s.store, fails: fails, err: down}
		if call == "reach" {
			_, err = walk(store)
		} else {
			_, err = walk(&impatient{Store: store, fails: map[string]int{"reach": 1}, err: context.DeadlineExceeded})
		}
		assert.Equal(t, fault.CodeUnavailable, fault.CodeOf(err), call)
	}
}

func TestTimeBudgetIsOfTheWalkAlone(t *testing.T) {
	s, w := newStage(t), newWorld()
	chain := w.chain(3)
	s.seed(t, w)
	g, err := lineage.Walk(t.Context(), s.store, w.audience(graph.ClassFull), lineage.Query{Node: w.id(chain[1]), Direction: graph.Both, Depth: 3},
		lineage.Budgets{Nodes: 500, FanOut: 100, Time: time.Nanosecond}, "v1")
	require.NoError(t, err)
	assert.Equal(t, []string{w.id(chain[1])}, ids(g), "with no time at all, the focus")
	assert.Equal(t, []lineage.Budget{lineage.BudgetTime}, g.Completeness.StoppedBy)
}
