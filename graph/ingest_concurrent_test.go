package graph_test

import (
	"maps"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
)

// TestConcurrentIngests: projects that name each other's relations are ingested at the same time, each
// twice, into an empty workspace. Nothing is made double and nothing is lost.
func TestConcurrentIngests(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	writer := w.as(w.email(graph.RoleManager), authz.Ingest)
	projects := make([]graph.Ingest, 0, 4)
	for p := range 4 {
		in := stated("p"+strconv.Itoa(p), d.ID, false, "a", "b", "c", "d", "e")
		for i := range in.Assets {
			in.Assets[i].Builds = i == p
		}
		in = withEdges(in, "a>b", "b>c", "e>"+string(rune('a'+p)))
		in.Suites = []graph.IngestSuite{oneCheck("a", "t1", graph.CheckPassed), oneCheck("b", "t2", graph.CheckFailed)}
		projects = append(projects, in)
	}
	var all sync.WaitGroup
	failures := make(chan error, 2*len(projects))
	for _, in := range slices.Concat(projects, projects) {
		all.Go(func() {
			_, err := w.store.ApplyIngest(t.Context(), writer, in.Producer, func(graph.Landing) (graph.Ingest, error) { return in, nil })
			failures <- err
		})
	}
	all.Wait()
	close(failures)
	for err := range failures {
		require.NoError(t, err)
	}
	assert.Equal(t, 5, w.count(`MATCH (a:Asset {workspace: $workspace}) RETURN count(a)`))
	assert.Equal(t, 4, w.count(`MATCH (p:Project {workspace: $workspace}) RETURN count(p)`))
	assert.Equal(t, 8, w.count(`MATCH (s:Suite {workspace: $workspace}) RETURN count(s)`))
	assert.Equal(t, 8, w.count(`MATCH (r:Run {workspace: $workspace}) RETURN count(r)`))
	assert.Equal(t, []string{"a>b", "b>c", "e>a", "e>b", "e>c", "e>d"}, w.edges())
	assert.Equal(t, 12, w.count(`MATCH (x:Assertion {workspace: $workspace}) RETURN count(x)`))
	v := w.verdict(w.named(d.ID, "b").ID)
	assert.Equal(t, []int{4, 4, 0}, []int{v.SuiteCount, v.ChecksTotal, v.ChecksPassed})
	for _, in := range projects {
		summary := w.ingest(in)
		assert.Equal(t, 5, summary.AssetsUnchanged, "%+v", summary)
	}
}

// drawIngest draws what a project may state: tables it builds or reads, with columns and tags, edges
// between them, and tests.
func drawIngest(t *rapid.T, project, datasource string) graph.Ingest {
	names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 1, 4, rapid.ID[string]).Draw(t, "names")
	in := stated(project, datasource, false, names...)
	for i := range in.Assets {
		a := &in.Assets[i]
		a.Builds, a.Observed = rapid.Bool().Draw(t, "builds"), rapid.Bool().Draw(t, "observed")
		a.Tags = slices.Sorted(slices.Values(rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"x", "y", "z"}), 0, 2, rapid.ID[string]).Draw(t, "tags")))
		for _, c := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"id", "ID", "Id", "note"}), 0, 3, rapid.ID[string]).Draw(t, "columns") {
			a.Columns = append(a.Columns, graph.IngestColumn{Name: c})
		}
		if rapid.Bool().Draw(t, "tested") {
			status := rapid.SampledFrom([]graph.CheckStatus{graph.CheckPassed, graph.CheckFailed, graph.CheckErrored}).Draw(t, "status")
			s := oneCheck(a.Name, rapid.SampledFrom([]string{"t1", "t2"}).Draw(t, "test"), status)
			s.Runs[0].RunID = rapid.SampledFrom([]string{"run-1", "run-2", "run-3"}).Draw(t, "run")
			in.Suites = append(in.Suites, s)
		}
	}
	for range rapid.IntRange(0, 4).Draw(t, "edges") {
		in.Edges = append(in.Edges, graph.IngestEdge{Source: rapid.SampledFrom(names).Draw(t, "source"), Target: rapid.SampledFrom(names).Draw(t, "target")})
	}
	return in
}

// TestIngestsAgreeWithWhatWasStatedLast: after any ingests of two projects, the edges are those that the
// projects stated last, the verdicts are those of the runs, columns have dense positions, and an ingest
// of the same changes nothing.
func TestIngestsAgreeWithWhatWasStatedLast(t *testing.T) {
	w := newWorld(t)
	trial := 0
	rapid.Check(t, func(rt *rapid.T) {
		trial++
		d := w.datasource(graph.NewDatasource{Name: "lake" + strconv.Itoa(trial), Kind: "DUCKDB"})
		last := map[string]graph.Ingest{}
		for range rapid.IntRange(1, 3).Draw(rt, "ingests") {
			project := rapid.SampledFrom([]string{"shop", "finance"}).Draw(rt, "project") + strconv.Itoa(trial)
			in := drawIngest(rt, project, d.ID)
			w.ingest(in)
			last[project] = in
			versions := w.versions()
			again := w.ingest(in)
			again.Warnings = nil
			edges := map[graph.IngestEdge]bool{}
			for _, e := range in.Edges {
				edges[e] = true
			}
			assert.Equal(rt, graph.IngestSummary{AssetsUnchanged: len(in.Assets), EdgesUnchanged: len(edges)}, again)
			assert.Equal(rt, versions, w.versions())
		}
		wanted := map[string]bool{}
		for _, in := range last {
			for _, e := range in.Edges {
				wanted[e.Source+">"+e.Target] = true
			}
		}
		assert.Equal(rt, slices.Sorted(maps.Keys(wanted)), w.edgesIn(d.ID))
		bad := w.rows(`MATCH (a:Asset {datasource: $datasource})
			WITH a, COLLECT { MATCH (a)-[:HAS_COLUMN]->(c:Column) RETURN c.ordinal ORDER BY c.ordinal } AS ordinals,
			  COUNT { (a)<-[:CHECKS]-(:Suite) } AS suites
			WHERE ordinals <> range(1, size(ordinals)) OR a.columnCount <> size(ordinals) OR a.suiteCount <> suites RETURN a.name`, map[string]any{"datasource": d.ID})
		assert.Empty(rt, bad)
	})
}

// edgesIn are the edges between assets of a datasource, sorted; nil if there are none.
func (w *world) edgesIn(datasource string) []string {
	var found []string
	for _, r := range w.rows(`MATCH (s:Asset {datasource: $datasource})-[:FEEDS]->(t:Asset) RETURN s.name + '>' + t.name AS edge ORDER BY edge`, map[string]any{"datasource": datasource}) {
		found = append(found, r[0].(string))
	}
	return found
}
