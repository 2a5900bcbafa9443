package graph_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
)

// suitesOn are the suites on an asset that a member sees, with their checks by name.
func (w *world) suitesOn(email, asset string) map[string][]string {
	w.t.Helper()
	scope := w.caller(email).Scope()
	pages, err := w.store.SuitesOnAssets(w.t.Context(), scope, []graph.SuitesOf{{Asset: asset, First: 50}})
	require.NoError(w.t, err)
	out := map[string][]string{}
	for _, page := range pages {
		for _, s := range page.Items {
			checks, err := w.store.Checks(w.t.Context(), scope, []string{s.ID})
			require.NoError(w.t, err)
			out[s.Name] = []string{}
			for _, c := range checks[s.ID] {
				out[s.Name] = append(out[s.Name], c.Name)
			}
		}
	}
	return out
}

func TestIngestKeepsOneSuiteForEachAssetAndProject(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	shop, finance := stated("shop", d.ID, true, "a"), stated("finance", d.ID, false, "a")
	shop.Suites = []graph.IngestSuite{oneCheck("a", "t1", graph.CheckPassed)}
	finance.Suites = []graph.IngestSuite{oneCheck("a", "t2", graph.CheckFailed)}
	w.ingest(shop)
	w.ingest(finance)
	id := w.named(d.ID, "a").ID
	manager := w.email(graph.RoleManager)
	assert.Equal(t, map[string][]string{"dbt: shop": {"t1"}, "dbt: finance": {"t2"}}, w.suitesOn(manager, id))
	assert.Empty(t, w.suitesOn(w.email(graph.RoleMember), id), "they are the ingesting caller's")
	v := w.verdict(id)
	assert.Equal(t, graph.SeverityCritical, *v.WorstSeverity)
	assert.Equal(t, []int{2, 1, 2}, []int{v.ChecksTotal, v.ChecksPassed, v.SuiteCount})
	assert.True(t, w.named(d.ID, "a").IsMonitored)
}

func TestATestThatIsGoneTakesItsCheckAway(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	in := stated("shop", d.ID, true, "a")
	both := oneCheck("a", "t1", graph.CheckPassed)
	both.Checks = append(both.Checks, graph.IngestCheck{Key: "t2", NewCheck: graph.NewCheck{Name: "t2", Expectation: "not_null", Severity: graph.SeverityWarning, Dimension: "COMPLETENESS"}})
	in.Suites = []graph.IngestSuite{both}
	w.ingest(in)
	id, manager := w.named(d.ID, "a").ID, w.email(graph.RoleManager)
	suite := w.rows(`MATCH (s:Suite {workspace: $workspace}) RETURN s.id`, nil)[0][0].(string)

	in.Suites = nil
	w.ingest(in)
	assert.Equal(t, map[string][]string{"dbt: shop": {}}, w.suitesOn(manager, id))
	assert.Empty(t, w.verdict(id).Scorecard)
	assert.Equal(t, 1, w.count(`MATCH (c:Check {workspace: $workspace}) RETURN count(c)`), "the one that never ran is gone")
	results, err := w.store.Results(t.Context(), w.caller(manager).Scope(), []string{graph.RunGlobalID(suite, "run-1")})
	require.NoError(t, err)
	require.Len(t, results[graph.RunGlobalID(suite, "run-1")], 1)
	assert.Equal(t, "t1", results[graph.RunGlobalID(suite, "run-1")][0].Check.Name, "the run still says what it checked")

	both.Checks[0].Severity = graph.SeverityInfo
	in.Suites = []graph.IngestSuite{both}
	assert.Zero(t, w.ingest(in).RunsCreated, "the run is known")
	assert.Equal(t, map[string][]string{"dbt: shop": {"t1", "t2"}}, w.suitesOn(manager, id))
	assert.Equal(t, 2, w.count(`MATCH (c:Check {workspace: $workspace}) RETURN count(c)`))

	w.ingest(stated("shop", d.ID, true, "b")) // the relation is gone from the project, and its tests with it
	assert.Equal(t, map[string][]string{"dbt: shop": {}}, w.suitesOn(manager, id))
}

func TestAnErroredRunCountsEveryCheck(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	in := stated("shop", d.ID, true, "a")
	suite := oneCheck("a", "t1", graph.CheckErrored)
	suite.Checks = append(suite.Checks, graph.IngestCheck{Key: "t2", NewCheck: graph.NewCheck{Name: "t2", Expectation: "not_null", Severity: graph.SeverityWarning, Dimension: "COMPLETENESS"}})
	in.Suites = []graph.IngestSuite{suite}
	w.ingest(in)
	v := w.verdict(w.named(d.ID, "a").ID)
	assert.True(t, v.HasFailedRun)
	assert.Equal(t, []int{2, 0}, []int{v.ChecksTotal, v.ChecksPassed})
	assert.Equal(t, graph.SeverityCritical, *v.WorstSeverity)
}

func TestACheckKeepsTheColumnAsItWasSeen(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "SNOWFLAKE"})
	in := stated("shop", d.ID, true, "a")
	seen, documented := "ORDER_ID", "order_id"
	in.Suites = []graph.IngestSuite{oneCheck("a", "t1", graph.CheckPassed)}
	check := &in.Suites[0].Checks[0]
	in.Assets[0].Observed, in.Assets[0].Columns, check.Column = true, []graph.IngestColumn{{Name: seen}, {Name: "x"}}, &seen
	w.ingest(in)
	id := w.named(d.ID, "a").ID
	assert.InDelta(t, 0.5, w.verdict(id).Scorecard[0].Coverage(), 0)
	versions := w.versions()
	in.Assets[0].Observed, in.Assets[0].Columns, check.Column = false, []graph.IngestColumn{{Name: documented}}, &documented
	assert.Equal(t, 1, w.ingest(in).AssetsUnchanged, "documentation alone does not know better")
	assert.Equal(t, versions, w.versions())

	in.Assets[0].Observed, in.Assets[0].Columns, check.Column = true, []graph.IngestColumn{{Name: seen}}, &seen
	w.ingest(in)
	assert.InDelta(t, 1, w.verdict(id).Scorecard[0].Coverage(), 0, "a column less changes the verdict's coverage")
}
