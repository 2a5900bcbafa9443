package lineage_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
)

// columnsOfAsset is how many columns each asset of these tests has.
const columnsOfAsset = 3

// drawnDependency is a dependency of columns along an arc; all stands for every column of its target.
type drawnDependency struct {
	arc            int
	source, target int
	all, masking   bool
	kind           graph.DependencyKind
}

func (w *world) column(vertex, n int) string { return fmt.Sprintf("%s.c%d", w.id(vertex), n) }

// drawDependencies draws dependencies along the arcs between assets.
func drawDependencies(t *rapid.T, w *world) []drawnDependency {
	var between []int
	for i, a := range w.arcs {
		if !w.vertices[a.from].external && !w.vertices[a.to].external {
			between = append(between, i)
		}
	}
	if len(between) == 0 {
		return nil
	}
	column := rapid.IntRange(0, columnsOfAsset-1)
	out := make([]drawnDependency, rapid.IntRange(0, 25).Draw(t, "dependencies"))
	for i := range out {
		out[i] = drawnDependency{
			arc: rapid.SampledFrom(between).Draw(t, "along"), source: column.Draw(t, "source column"), target: column.Draw(t, "target column"),
			all: rapid.IntRange(0, 3).Draw(t, "of all when 0") == 0, masking: rapid.Bool().Draw(t, "masking"),
			kind: rapid.SampledFrom([]graph.DependencyKind{graph.Direct, graph.Indirect}).Draw(t, "kind"),
		}
	}
	return out
}

const (
	seedColumns = `UNWIND $rows AS c MATCH (a:Dataset:Asset {id: c.asset, workspace: c.workspace})
CREATE (a)-[:HAS_COLUMN]->(:Column {id: c.id, name: c.id, ordinal: c.ordinal})`
	seedDependencies = `UNWIND $rows AS d MATCH (s:Column {id: d.source}) MATCH (t:Column {id: d.target})
CREATE (s)-[:DERIVES {edge: d.edge, workspace: d.workspace, producer: '', kind: d.kind, masking: d.masking}]->(t)`
	seedDependenciesOfAll = `UNWIND $rows AS d MATCH (s:Column {id: d.source}) MATCH (t:Dataset:Asset {id: d.asset, workspace: d.assetWorkspace})
CREATE (s)-[:DERIVES_ALL {edge: d.edge, workspace: d.workspace, producer: '', kind: d.kind, masking: d.masking}]->(t)`
)

func (s *stage) seedColumns(t require.TestingT, w *world, dependencies []drawnDependency) {
	var columns, single, every []any
	for i, v := range w.vertices {
		for n := range columnsOfAsset {
			if !v.external {
				columns = append(columns, map[string]any{"asset": v.id, "workspace": v.workspace, "id": w.column(i, n), "ordinal": n + 1})
			}
		}
	}
	for _, d := range dependencies {
		a := w.arcs[d.arc]
		row := map[string]any{
			"source": w.column(a.from, d.source), "target": w.column(a.to, d.target), "asset": w.id(a.to), "assetWorkspace": w.vertices[a.to].workspace,
			"edge": graph.EdgeID(w.id(a.from), w.id(a.to), a.category), "workspace": a.workspace, "kind": string(d.kind), "masking": d.masking,
		}
		if d.all {
			every = append(every, row)
		} else {
			single = append(single, row)
		}
	}
	s.write(t, seedColumns, columns)
	s.write(t, seedDependencies, single)
	s.write(t, seedDependenciesOfAll, every)
}

// links are the dependencies that an audience sees and that are walked, each once.
func (r *reference) links(w *world, a graph.Audience, dependencies []drawnDependency) []graph.ColumnLink {
	seen, out := map[graph.ColumnLink]bool{}, []graph.ColumnLink{}
	for _, d := range dependencies {
		x := w.arcs[d.arc]
		_, from := r.nodes[w.id(x.from)]
		_, to := r.nodes[w.id(x.to)]
		if !from || !to || x.retired || (x.workspace != a.Workspace && x.workspace != w.organization) {
			continue
		}
		targets := []int{d.target}
		if d.all {
			targets = []int{0, 1, 2}
		}
		for _, n := range targets {
			l := graph.ColumnLink{Source: w.column(x.from, d.source), Target: w.column(x.to, n), Kind: d.kind, Masking: d.masking}
			if !seen[l] {
				seen[l] = true
				out = append(out, l)
			}
		}
	}
	return out
}

// reached are the hops to what links lead to from a column in a direction.
func reached(links []graph.ColumnLink, from string, d graph.Direction) map[string]int {
	hops, queue := map[string]int{from: 0}, []string{from}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, l := range links {
			source, target := l.Source, l.Target
			if d == graph.Upstream {
				source, target = target, source
			}
			if _, known := hops[target]; source == queue[0] && !known {
				hops[target] = hops[queue[0]] + 1
				queue = append(queue, target)
			}
		}
	}
	return hops
}

func TestColumnLineageIsTheReferenceWalk(t *testing.T) {
	s := newStage(t)
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, s.organization)
		dependencies := drawDependencies(t, w)
		s.seed(t, w)
		s.seedColumns(t, w, dependencies)
		for range probes {
			focus := rapid.IntRange(0, len(w.vertices)-1).Draw(t, "focus")
			q := lineage.Query{
				Node:      w.column(focus, rapid.IntRange(0, columnsOfAsset-1).Draw(t, "column")),
				Direction: rapid.SampledFrom([]graph.Direction{graph.Upstream, graph.Downstream, graph.Both}).Draw(t, "direction"),
				Depth:     rapid.IntRange(0, graph.MaxDepth).Draw(t, "depth"),
			}
			audience := w.audience(drawClass(t))
			r := newReference(w, audience, lineage.Query{})
			g, err := lineage.Columns(t.Context(), s.store, audience, q, 500, "v1")
			require.NoError(t, err)
			if v, known := r.nodes[w.id(focus)]; !known || v.external {
				require.Nil(t, g)
				continue
			}
			requireColumns(t, q, r.links(w, audience, dependencies), g)
		}
	})
}

// requireColumns fails unless the answer is that of the links.
func requireColumns(t *rapid.T, q lineage.Query, links []graph.ColumnLink, g *lineage.ColumnGraph) {
	want, beyond := map[string][2]int{}, false
	for _, d := range directions(q.Direction) {
		for id, hops := range reached(links, q.Node, d) {
			if hops > q.Depth {
				beyond = true
				continue
			}
			at, known := want[id]
			if !known {
				at = [2]int{none, none}
			}
			at[map[graph.Direction]int{graph.Upstream: 0, graph.Downstream: 1}[d]] = hops
			want[id] = at
		}
	}
	want[q.Node] = [2]int{0, 0}
	got := map[string][2]int{}
	for _, n := range g.Nodes {
		at := [2]int{none, none}
		for i, degree := range []*int{n.UpstreamDegree, n.DownstreamDegree} {
			if degree != nil {
				at[i] = *degree
			}
		}
		got[n.ID] = at
		require.Equal(t, n.ID == q.Node, n.IsFocus)
		require.Equal(t, n.AssetID, n.ID[:len(n.ID)-len(".c0")])
	}
	require.Equal(t, want, got)
	require.Equal(t, beyond, slices.Contains(g.Completeness.StoppedBy, lineage.BudgetDepth))
	var among, drawn []string
	for _, l := range links {
		_, source := want[l.Source]
		_, target := want[l.Target]
		if source && target {
			among = append(among, fmt.Sprint(l))
		}
	}
	for _, l := range g.Edges {
		drawn = append(drawn, fmt.Sprint(*l))
	}
	require.ElementsMatch(t, among, drawn)
	require.True(t, slices.IsSortedFunc(g.Edges, func(a, b *graph.ColumnLink) int {
		return cmp.Or(strings.Compare(a.Source, b.Source), strings.Compare(a.Target, b.Target))
	}))
}

func TestColumnLineageKeepsToItsBudget(t *testing.T) {
	s := newStage(t)
	w := newWorld()
	nodes := w.addMany(6)
	var dependencies []drawnDependency
	for i := range 5 {
		w.feed(nodes[i], nodes[i+1])
		dependencies = append(dependencies, drawnDependency{arc: i, source: 0, all: true, kind: graph.Indirect})
	}
	s.seed(t, w)
	s.seedColumns(t, w, dependencies)
	g, err := lineage.Columns(t.Context(), s.store, w.audience(graph.ClassFull), lineage.Query{Node: w.column(nodes[0], 0), Direction: graph.Downstream, Depth: 5}, 8, "v1")
	require.NoError(t, err)
	assert.Len(t, g.Nodes, 8)
	assert.Equal(t, []lineage.Budget{lineage.BudgetNodes}, g.Completeness.StoppedBy)
	assert.Equal(t, "v1", g.Completeness.GraphVersion)
	none, err := lineage.Columns(t.Context(), s.store, w.audience(graph.ClassFull), lineage.Query{Node: "column_of_nothing", Direction: graph.Both, Depth: 5}, 8, "v1")
	require.NoError(t, err)
	assert.Nil(t, none)
}
