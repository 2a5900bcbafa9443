package lineage_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
)

// shortest are all shortest paths from one node to another one.
func (r *reference) shortest(from, to string) [][]string {
	all := map[string]bool{}
	for id := range r.nodes {
		all[id] = true
	}
	hops := r.hops(all, from, graph.Downstream)
	if from == to || hops[to] >= none {
		return nil
	}
	paths := [][]string{{to}}
	for far := hops[to] - 1; far >= 0; far-- {
		var longer [][]string
		for _, p := range paths {
			for y := range r.next[graph.Upstream][p[0]] {
				if hops[y] == far {
					longer = append(longer, append([]string{y}, p...))
				}
			}
		}
		paths = longer
	}
	slices.SortFunc(paths, slices.Compare)
	return paths
}

// TestPathsAreThoseOfTheReference: of pairs with an end in common, as a page asks for them, and of any others.
func TestPathsAreThoseOfTheReference(t *testing.T) {
	s := newStage(t)
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, s.organization)
		s.seed(t, w)
		end, first := rapid.IntRange(0, len(w.vertices)-1), rapid.IntRange(1, 20)
		for range probes {
			audience := w.audience(drawClass(t))
			r := newReference(w, audience, lineage.Query{})
			from, to := w.id(end.Draw(t, "from")), w.id(end.Draw(t, "to"))
			shared := rapid.SampledFrom([]string{"from", "to", "none"}).Draw(t, "shared")
			var pairs []graph.PathsOf
			for range 3 {
				if shared != "from" {
					from = w.id(end.Draw(t, "from"))
				}
				if shared != "to" {
					to = w.id(end.Draw(t, "to"))
				}
				pairs = append(pairs, graph.PathsOf{From: from, To: to, First: first.Draw(t, "first")})
			}
			found, err := s.store.Paths(t.Context(), audience, pairs)
			require.NoError(t, err)
			for _, pair := range pairs {
				r.requirePaths(t, pair, found)
			}
			slices.Reverse(pairs)
			again, err := s.store.Paths(t.Context(), audience, pairs)
			require.NoError(t, err)
			require.Equal(t, found, again, "the same each time")
		}
	})
}

// requirePaths fails unless the paths of a pair are some of the shortest ones, as many as were asked for if there
// are as many, and in order.
func (r *reference) requirePaths(t *rapid.T, pair graph.PathsOf, found map[graph.PathsOf][][]string) {
	paths, known := found[pair]
	_, from := r.nodes[pair.From]
	_, to := r.nodes[pair.To]
	require.Equal(t, from && to, known)
	if pair.From == pair.To || !known {
		return // a way back to oneself has a test of its own
	}
	all := r.shortest(pair.From, pair.To)
	require.Len(t, paths, min(pair.First, len(all)))
	require.Subset(t, all, paths)
	require.True(t, slices.IsSortedFunc(paths, slices.Compare))
	require.Len(t, slices.CompactFunc(slices.Clone(paths), slices.Equal), len(paths), "each once")
}

// TestAPathBackToItselfIsACycle: the shortest one, be it a self edge.
func TestAPathBackToItselfIsACycle(t *testing.T) {
	s := newStage(t)
	w := newWorld()
	round, a, b, self, alone := w.add(), w.add(), w.add(), w.add(), w.add()
	w.feed(round, a, b)
	w.feed(a, round)
	w.feed(b, a)
	w.feed(self, self, round)
	s.seed(t, w)
	for n, want := range map[int][][]string{
		round: {{w.id(round), w.id(a), w.id(round)}},
		self:  {{w.id(self), w.id(self)}},
		alone: {},
	} {
		pair := graph.PathsOf{From: w.id(n), To: w.id(n), First: 20}
		paths, err := s.store.Paths(t.Context(), w.audience(graph.ClassFull), []graph.PathsOf{pair})
		require.NoError(t, err)
		assert.Equal(t, want, paths[pair])
	}
}

// TestPathsThroughAHubAreFewAndAnswered: twenty of twenty thousand that are equally short.
func TestPathsThroughAHubAreFewAndAnswered(t *testing.T) {
	s := newStage(t)
	w := newWorld()
	first, last, hub, drain := w.add(), w.add(), w.add(), w.add()
	middle := w.addMany(20_000)
	w.feed(first, hub)
	w.feed(hub, middle...)
	for _, m := range middle {
		w.feed(m, drain)
	}
	w.feed(drain, last)
	s.seed(t, w)
	pair := graph.PathsOf{From: w.id(first), To: w.id(last), First: 20}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	paths, err := s.store.Paths(ctx, w.audience(graph.ClassFull), []graph.PathsOf{pair})
	require.NoError(t, err)
	require.Len(t, paths[pair], 20)
	assert.Len(t, paths[pair][0], 5)
}

// TestADiamondOfVeryManyPathsIsAnsweredAtOnce: forty layers of two, 2^40 paths from the first to the last.
func TestADiamondOfVeryManyPathsIsAnsweredAtOnce(t *testing.T) {
	s := newStage(t)
	w := newWorld()
	first := w.add()
	before := []int{first}
	for range 40 {
		layer := w.addMany(2)
		for _, n := range before {
			w.feed(n, layer...)
		}
		before = layer
	}
	s.seed(t, w)
	q := lineage.ImpactQuery{Node: w.id(first), Direction: graph.Downstream, Depth: 50, OrderBy: lineage.ByDegree}
	result, ids := s.impact(t, w.audience(graph.ClassFull), q, 200)
	assert.Len(t, ids, 80)
	assert.False(t, result.Beyond)
	for _, c := range result.CountByDegree() {
		assert.Equal(t, 2, c.Count, fmt.Sprint(c.Degree))
	}
	pair := graph.PathsOf{From: w.id(first), To: w.id(before[1]), First: 20}
	paths, err := s.store.Paths(t.Context(), w.audience(graph.ClassFull), []graph.PathsOf{pair})
	require.NoError(t, err)
	require.Len(t, paths[pair], 20)
	assert.Len(t, paths[pair][0], 41)
}

// TestParallelCategoriesAreOnePath: two ways of four hops, each hop of one of them stated by three categories.
func TestParallelCategoriesAreOnePath(t *testing.T) {
	s := newStage(t)
	w := newWorld()
	first, last := w.add(), w.add()
	for _, categories := range [][]graph.EdgeCategory{{graph.EdgeManual}, {graph.EdgeManual, graph.EdgeDBT, graph.EdgeOpenLineage}} {
		way := append(append([]int{first}, w.addMany(3)...), last)
		for at := range way[1:] {
			for _, c := range categories {
				w.arcs = append(w.arcs, arc{from: way[at], to: way[at+1], category: c, workspace: w.workspace})
			}
		}
	}
	s.seed(t, w)
	pair := graph.PathsOf{From: w.id(first), To: w.id(last), First: 20}
	paths, err := s.store.Paths(t.Context(), w.audience(graph.ClassFull), []graph.PathsOf{pair})
	require.NoError(t, err)
	require.Len(t, paths[pair], 2)
}
