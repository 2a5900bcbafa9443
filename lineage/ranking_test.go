package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
)

// leadsTo is what an asset leads to, as a ranking tells it.
func (r *reference) leadsTo(id string) graph.Ranked {
	all := map[string]bool{}
	for id := range r.nodes {
		all[id] = true
	}
	out := graph.Ranked{ID: id}
	for other, hops := range r.hops(all, id, graph.Downstream) {
		if hops == 0 || hops >= none {
			continue
		}
		out.Reach++
		if v := r.nodes[other]; !v.external && v.severity.Rank() > out.Worst.Rank() {
			out.Worst = v.severity
		}
	}
	return out
}

func TestRankingIsThatOfTheReference(t *testing.T) {
	s := newStage(t)
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, s.organization)
		of := placed(t, w)
		for i := range w.vertices {
			w.vertices[i].datasource = of[i]
		}
		s.seed(t, w)
		for range probes {
			audience := w.audience(drawClass(t))
			r := newReference(w, audience, lineage.Query{})
			datasource := rapid.SampledFrom([]string{w.workspace + "-ds0", w.workspace + "-ds1"}).Draw(t, "datasource")
			want := map[string]graph.Ranked{}
			for i, v := range w.vertices {
				if _, seen := r.nodes[v.id]; seen && of[i] == datasource {
					want[v.id] = r.leadsTo(v.id)
				}
			}
			q := lineage.RankingQuery{Datasource: datasource, OrderBy: rapid.SampledFrom([]lineage.RankingField{lineage.ByReach, lineage.ByWorst}).Draw(t, "order")}
			got := s.ranking(t, audience, q, rapid.IntRange(1, 3).Draw(t, "first"))
			require.Len(t, got, len(want))
			for at, x := range got {
				require.Equal(t, want[x.ID], x)
				if at > 0 {
					require.False(t, precedes(q, x, got[at-1]), "in order")
				}
			}
		}
	})
}

// precedes says whether an asset comes before another one in a ranking.
func precedes(q lineage.RankingQuery, a, b graph.Ranked) bool {
	byReach, byWorst := a.Reach-b.Reach, a.Worst.Rank()-b.Worst.Rank()
	if q.OrderBy == lineage.ByWorst {
		byReach, byWorst = byWorst, byReach
	}
	if byReach != 0 {
		return byReach > 0
	}
	if byWorst != 0 {
		return byWorst > 0
	}
	return a.ID < b.ID
}

// ranking reads all pages.
func (s *stage) ranking(t *rapid.T, audience graph.Audience, q lineage.RankingQuery, first int) []graph.Ranked {
	i := unkept(s.store)
	out := []graph.Ranked{}
	for at := (lineage.ImpactPosition{First: first}); ; {
		page, err := i.Ranking(t.Context(), lineage.Asked{Audience: audience}, q, at)
		require.NoError(t, err)
		assert.True(t, page.Completeness.IsComplete)
		for _, e := range page.Edges {
			x := graph.Ranked{ID: e.Node.ID, Reach: e.Reach}
			if e.WorstSeverity != nil {
				x.Worst = *e.WorstSeverity
			}
			out = append(out, x)
		}
		if at.Offset += len(page.Edges); at.Offset == page.Total {
			return out
		}
		at.Pinned = page.Pinned
	}
}
