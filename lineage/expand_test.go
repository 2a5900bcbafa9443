package lineage_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
)

// near is what an expansion says of one neighbour.
type near struct {
	id     string
	degree int
	edges  []string
}

// neighbours are those of a node in one direction, as an expansion lists them.
func (r *reference) neighbours(q graph.ExpandQuery) []near {
	out := []near{}
	for _, id := range r.ranked(r.next[q.Direction][q.Node]) {
		if r.hides[id] {
			continue
		}
		n := near{id: id, degree: r.degree(id)}
		for _, e := range r.edges {
			if q.Direction == graph.Downstream && e.Source == q.Node && e.Target == id || q.Direction == graph.Upstream && e.Target == q.Node && e.Source == id {
				n.edges = append(n.edges, e.ID)
			}
		}
		slices.Sort(n.edges)
		out = append(out, n)
	}
	return out
}

func TestExpansionIsTheReferenceWhateverThePages(t *testing.T) {
	s := newStage(t)
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, s.organization)
		s.seed(t, w)
		for range probes {
			q := graph.ExpandQuery{
				Node:      w.id(rapid.IntRange(0, len(w.vertices)-1).Draw(t, "node")),
				Direction: rapid.SampledFrom([]graph.Direction{graph.Upstream, graph.Downstream}).Draw(t, "direction"),
				Filter:    drawFilter(t),
			}
			audience := w.audience(rapid.SampledFrom([]graph.Class{graph.ClassFull, graph.ClassOrgHidden, graph.ClassRestricted}).Draw(t, "class"))
			r := newReference(w, audience, lineage.Query{Node: q.Node, Filter: q.Filter})
			pages := s.expand(t, audience, q, rapid.IntRange(1, 4).Draw(t, "first"))
			if _, known := r.nodes[q.Node]; !known {
				require.Nil(t, pages)
				continue
			}
			var got []near
			for _, page := range pages {
				require.Equal(t, len(r.neighbours(q)), page.Total)
				got = append(got, nearOf(t, page, q)...)
			}
			require.ElementsMatch(t, r.neighbours(q), got)
			require.True(t, slices.IsSortedFunc(got, func(a, b near) int {
				if a.degree != b.degree {
					return b.degree - a.degree
				}
				return strings.Compare(a.id, b.id)
			}))
		}
	})
}

// expand reads all pages.
func (s *stage) expand(t *rapid.T, audience graph.Audience, q graph.ExpandQuery, first int) []*graph.Page[*lineage.Neighbour] {
	var out []*graph.Page[*lineage.Neighbour]
	for at := (graph.Position{First: first, Total: true}); ; {
		page, err := lineage.Expand(t.Context(), s.store, audience, q, at)
		require.NoError(t, err)
		if page == nil {
			return nil
		}
		out = append(out, page)
		if !page.HasNext {
			return out
		}
		require.Len(t, page.Items, first)
		last := page.Items[first-1]
		at.After, at.Number, at.ID = true, int64(last.Degree), last.Node.ID
	}
}

// nearOf reads a page, and checks the marks of its nodes and edges.
func nearOf(t *rapid.T, page *graph.Page[*lineage.Neighbour], q graph.ExpandQuery) []near {
	var out []near
	for _, n := range page.Items {
		x := near{id: n.Node.ID, degree: n.Degree}
		down := q.Direction == graph.Downstream
		require.Equal(t, down, n.Node.DownstreamDegree != nil)
		require.Equal(t, !down, n.Node.UpstreamDegree != nil)
		require.Equal(t, down, n.Node.IsImpacted)
		require.False(t, n.Node.IsFocus)
		for _, e := range n.Edges {
			x.edges = append(x.edges, e.ID)
			require.Equal(t, down, e.OnImpactPath)
		}
		out = append(out, x)
	}
	return out
}
