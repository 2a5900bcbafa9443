package lineage_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
)

// drawWorld draws a small graph with cycles, self edges, pairs of several categories, external nodes,
// nodes and edges of the organization and of another workspace, and nodes hidden from each class.
func drawWorld(t *rapid.T, organization string) *world {
	w := newWorld()
	w.organization = organization
	workspaces := []string{w.workspace, w.workspace, w.workspace, w.workspace, organization, "x" + w.workspace}
	for range rapid.IntRange(1, 14).Draw(t, "nodes") {
		i := w.add()
		v := &w.vertices[i]
		v.external = rapid.IntRange(0, 4).Draw(t, "external") == 0
		if v.external {
			continue
		}
		v.workspace = rapid.SampledFrom(workspaces).Draw(t, "workspace")
		v.tags = rapid.SliceOfN(rapid.SampledFrom(tags()), 0, 2).Draw(t, "tags")
		v.kind = rapid.SampledFrom([]graph.AssetType{"TABLE", "VIEW"}).Draw(t, "type")
		v.severity = rapid.SampledFrom([]graph.Severity{"", "NONE", "WARNING", "CRITICAL"}).Draw(t, "severity")
		v.owner = rapid.SampledFrom([]string{"", "owner@demo.test"}).Draw(t, "owner")
		if rapid.IntRange(0, 4).Draw(t, "restricted") == 0 {
			v.hiddenRank = 1
			if v.workspace == organization {
				v.hiddenRank = 2
			}
		}
	}
	end := rapid.IntRange(0, len(w.vertices)-1)
	drawn := map[arc]bool{}
	for range rapid.IntRange(0, 40).Draw(t, "edges") {
		a := arc{
			from: end.Draw(t, "from"), to: end.Draw(t, "to"),
			category:  rapid.SampledFrom([]graph.EdgeCategory{graph.EdgeManual, graph.EdgeManual, graph.EdgeDBT, graph.EdgeOpenLineage}).Draw(t, "category"),
			workspace: rapid.SampledFrom(workspaces).Draw(t, "edge's workspace"),
		}
		if !drawn[a] {
			drawn[a] = true
			a.retired = rapid.IntRange(0, 5).Draw(t, "retired") == 0
			w.arcs = append(w.arcs, a)
		}
	}
	return w
}

func tags() []string { return []string{"pii", "gold", "raw"} }

// drawFilter draws a filter, most often one that asks for little: what hides everything shows nothing.
func drawFilter(t *rapid.T) graph.WalkFilter {
	var f graph.WalkFilter
	for range rapid.IntRange(0, 2).Draw(t, "conditions") {
		switch rapid.IntRange(0, 7).Draw(t, "condition") {
		case 0, 1:
			f.Categories = rapid.SliceOfNDistinct(rapid.SampledFrom([]graph.EdgeCategory{graph.EdgeManual, graph.EdgeDBT, graph.EdgeOpenLineage}), 1, 2, rapid.ID).Draw(t, "categories")
		case 2:
			f.Tags = rapid.SliceOfN(rapid.SampledFrom(tags()), 1, 2).Draw(t, "filter's tags")
		case 3:
			f.Types = []graph.AssetType{"TABLE"}
		case 4:
			f.WorstSeverityAtLeast = rapid.SampledFrom([]graph.Severity{"NONE", "WARNING", "CRITICAL"}).Draw(t, "least severity")
		case 5:
			f.OwnerEmail = "owner@demo.test"
		case 6:
			f.Systems = []string{"test"}
		case 7:
			f.Text = rapid.SampledFrom([]string{"public", "00", "-001"}).Draw(t, "text")
		}
	}
	return f
}

func drawBudgets(t *rapid.T) lineage.Budgets {
	if rapid.Bool().Draw(t, "ample") {
		return lineage.DefaultBudgets().Untimed()
	}
	return lineage.Budgets{Nodes: rapid.IntRange(1, 10).Draw(t, "node budget"), FanOut: rapid.IntRange(1, 5).Draw(t, "fan-out")}
}

// probes is how many walks are tried in each world: seeding costs more than walking.
const probes = 6

func TestWalkIsTheReferenceWalk(t *testing.T) {
	s := newStage(t)
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, s.organization)
		s.seed(t, w)
		for range probes {
			q := lineage.Query{
				Node:      w.id(rapid.IntRange(0, len(w.vertices)-1).Draw(t, "focus")),
				Direction: rapid.SampledFrom([]graph.Direction{graph.Upstream, graph.Downstream, graph.Both}).Draw(t, "direction"),
				Depth:     rapid.IntRange(0, graph.MaxDepth).Draw(t, "depth"),
				Filter:    drawFilter(t),
				StopAt:    rapid.Bool().Draw(t, "stop at"),
				Retired:   rapid.Bool().Draw(t, "retired"),
			}
			b := drawBudgets(t)
			audience := w.audience(rapid.SampledFrom([]graph.Class{graph.ClassFull, graph.ClassOrgHidden, graph.ClassRestricted}).Draw(t, "class"))
			got, err := lineage.Walk(t.Context(), s.store, audience, q, b, "v1")
			require.NoError(t, err)
			require.Equal(t, newReference(w, audience, q).walk(q, b, "v1"), got)
		}
	})
}

// walk walks with the budgets of the canvas as someone who sees everything.
func (s *stage) walk(t *testing.T, w *world, q lineage.Query) *lineage.Graph {
	t.Helper()
	g, err := lineage.Walk(t.Context(), s.store, w.audience(graph.ClassFull), q, lineage.DefaultBudgets().Untimed(), "v1")
	require.NoError(t, err)
	assert.Equal(t, newReference(w, w.audience(graph.ClassFull), q).walk(q, lineage.DefaultBudgets().Untimed(), "v1"), g)
	return g
}
