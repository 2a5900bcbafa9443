package lineage_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
)

// placed draws which of three datasources each asset belongs to.
func placed(t *rapid.T, w *world) []string {
	out := make([]string, len(w.vertices))
	for i, v := range w.vertices {
		if !v.external {
			out[i] = w.workspace + rapid.SampledFrom([]string{"-ds0", "-ds1", "-ds2"}).Draw(t, "datasource")
		}
	}
	return out
}

// canvasReference is a reference with the datasources of its nodes.
type canvasReference struct {
	*reference
	of map[string]string
}

// pairs are the distinct pairs of different visible nodes with an edge from one to the other.
func (r canvasReference) pairs() map[[2]string]bool {
	out := map[[2]string]bool{}
	for from, next := range r.next[graph.Downstream] {
		for to := range next {
			out[[2]string{from, to}] = true
		}
	}
	return out
}

// most are at most n ids, those with the greatest count first, then by id; sorted by id, and whether it is all.
func most(count map[string]int, n int) ([]string, bool) {
	ids := make([]string, 0, len(count))
	for id := range count {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), strings.Compare(a, b)) })
	all := len(ids) <= n
	ids = ids[:min(n, len(ids))]
	slices.Sort(ids)
	return ids, all
}

func (r canvasReference) canvas(datasources []string, n int) ([]string, bool) {
	count := map[string]int{}
	for id := range r.nodes {
		if slices.Contains(datasources, r.of[id]) {
			count[id] = r.degree(id)
		}
	}
	return most(count, n)
}

func (r canvasReference) between(a, b string, n int) ([]string, bool) {
	count := map[string]int{}
	for pair := range r.pairs() {
		from, to := r.of[pair[0]], r.of[pair[1]]
		if from == a && to == b || from == b && to == a {
			// A pair is one connection of either end, whichever way its edges go.
			if r.pairs()[[2]string{pair[1], pair[0]}] && pair[0] > pair[1] {
				continue
			}
			count[pair[0]]++
			count[pair[1]]++
		}
	}
	return most(count, n)
}

func (r canvasReference) links(of string) []graph.DatasourceLink {
	found := map[string]*graph.DatasourceLink{}
	at := func(id string) *graph.DatasourceLink {
		l := graph.DatasourceLink{Datasource: r.of[id]}
		if l.Datasource == "" {
			system := "test"
			l.System = &system
		}
		if found[l.Datasource] == nil {
			found[l.Datasource] = &l
		}
		return found[l.Datasource]
	}
	for pair := range r.pairs() {
		if r.of[pair[1]] == of {
			at(pair[0]).UpstreamCount++
		}
		if r.of[pair[0]] == of {
			at(pair[1]).DownstreamCount++
		}
	}
	out := []graph.DatasourceLink{}
	for _, l := range found {
		out = append(out, *l)
	}
	return out
}

func TestCanvasesAreThoseOfTheReference(t *testing.T) {
	s := newStage(t)
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, s.organization)
		of := placed(t, w)
		for i := range w.vertices {
			w.vertices[i].datasource = of[i]
		}
		s.seed(t, w)
		for range probes {
			audience := w.audience(rapid.SampledFrom([]graph.Class{graph.ClassFull, graph.ClassOrgHidden, graph.ClassRestricted}).Draw(t, "class"))
			r := canvasReference{newReference(w, audience, lineage.Query{}), map[string]string{}}
			for i, v := range w.vertices {
				r.of[v.id] = of[i]
			}
			datasource := rapid.SampledFrom([]string{w.workspace + "-ds0", w.workspace + "-ds1", w.workspace + "-ds2"})
			a, b, nodes := datasource.Draw(t, "a"), datasource.Draw(t, "b"), rapid.IntRange(1, 8).Draw(t, "nodes")

			g, err := lineage.Canvas(t.Context(), s.store, audience, []string{a, b}, nodes, "v1")
			require.NoError(t, err)
			ids, all := r.canvas([]string{a, b}, nodes)
			requireCanvas(t, r, g, ids, all, func(graph.Edge) bool { return true })

			g, err = lineage.Between(t.Context(), s.store, audience, a, b, nodes, "v1")
			require.NoError(t, err)
			ids, all = r.between(a, b, nodes)
			requireCanvas(t, r, g, ids, all, func(e graph.Edge) bool {
				return r.of[e.Source] == a && r.of[e.Target] == b || r.of[e.Source] == b && r.of[e.Target] == a
			})

			links, err := s.store.DatasourceMap(t.Context(), audience, a, 9)
			require.NoError(t, err)
			require.ElementsMatch(t, r.links(a), links)
		}
	})
}

// requireCanvas fails unless a canvas has these nodes and the edges among them that are asked for.
func requireCanvas(t *rapid.T, r canvasReference, g *lineage.Graph, ids []string, all bool, asked func(graph.Edge) bool) {
	got, want := []string{}, []string{}
	for _, n := range g.Nodes {
		got = append(got, n.ID)
		require.Nil(t, n.UpstreamDegree)
		require.Nil(t, n.DownstreamDegree)
		require.False(t, n.IsFocus || n.IsImpacted)
	}
	require.Equal(t, append([]string{}, ids...), got)
	require.Equal(t, all, g.Completeness.IsComplete)
	next := map[string][]string{}
	for _, e := range r.edges {
		if slices.Contains(ids, e.Source) && slices.Contains(ids, e.Target) && asked(e) {
			want = append(want, e.ID)
			next[e.Source] = append(next[e.Source], e.Target)
		}
	}
	slices.Sort(want)
	got = got[:0]
	for _, e := range g.Edges {
		got = append(got, e.ID)
		require.Equal(t, reaches(next, e.Target, e.Source), e.ClosesCycle)
	}
	require.Equal(t, want, got)
}

// reaches says whether a path leads from one node to another, of no edges to itself.
func reaches(next map[string][]string, from, to string) bool {
	seen, queue := map[string]bool{from: true}, []string{from}
	for ; len(queue) > 0; queue = queue[1:] {
		if queue[0] == to {
			return true
		}
		for _, n := range next[queue[0]] {
			if !seen[n] {
				seen[n] = true
				queue = append(queue, n)
			}
		}
	}
	return false
}
