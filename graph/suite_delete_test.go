package graph_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// remains is how many nodes of each kind the workspace has.
func (w *world) remains() map[string]int {
	out := map[string]int{}
	for _, r := range w.rows(`MATCH (n:Suite|Check|ValidationConfig|Run|Result {workspace: $workspace}) RETURN labels(n)[0], count(n)`, nil) {
		out[r[0].(string)] = int(r[1].(int64))
	}
	return out
}

// failed is a finished run in which every check failed.
func failed(suite, run string, minute int, checks map[string]string) graph.Report {
	r := graph.Report{Suite: suite, RunID: run, State: graph.RunFailed, StartedAt: at(minute), FinishedAt: at(minute)}
	for _, id := range checks {
		r.Results = append(r.Results, graph.ReportedResult{CheckID: id, Status: graph.CheckFailed})
	}
	return r
}

func TestDeletingASuiteLeavesNothingOfIt(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	manager := w.email(graph.RoleManager)
	asset, suite, checks := w.suiteOn(d.ID, "a")
	w.report(failed(suite, "r1", 1, checks), failed(suite, "r2", 2, checks))
	// A check that left the suite is held by the results alone.
	require.NoError(t, w.store.DeleteCheck(t.Context(), w.as(manager, authz.EditSuite), checks["unique"]))
	require.Equal(t, map[string]int{"Suite": 1, "Check": 3, "ValidationConfig": 1, "Run": 2, "Result": 6}, w.remains())
	require.Equal(t, graph.SeverityCritical, *w.verdict(asset).WorstSeverity)

	require.NoError(t, w.store.DeleteSuite(t.Context(), w.as(manager, authz.DeleteSuite), suite))
	assert.Empty(t, w.remains())
	v := w.verdict(asset)
	assert.Nil(t, v.WorstSeverity)
	assert.Zero(t, v.SuiteCount)
	assert.Equal(t, fault.CodeNotFound, fault.CodeOf(w.store.DeleteSuite(t.Context(), w.as(manager, authz.DeleteSuite), suite)))
}

func TestASuiteThatAProjectKeepsComesBack(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	manager := w.email(graph.RoleManager)
	shop := stated("shop", d.ID, true, "a")
	shop.Suites = []graph.IngestSuite{oneCheck("a", "t1", graph.CheckFailed)}
	w.ingest(shop)
	asset := w.named(d.ID, "a").ID
	page, err := w.store.SuiteList(t.Context(), w.caller(manager).Scope(), graph.SuiteFilter{}, graph.Position{First: 5})
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	require.NoError(t, w.store.DeleteSuite(t.Context(), w.as(manager, authz.DeleteSuite), page.Items[0].ID))
	assert.Empty(t, w.suitesOn(manager, asset))
	w.ingest(shop)
	assert.Equal(t, map[string][]string{"dbt: shop": {"t1"}}, w.suitesOn(manager, asset))
	assert.Equal(t, graph.SeverityCritical, *w.verdict(asset).WorstSeverity, "with the run that the artifacts hold")
	require.NoError(t, w.store.DeleteAsset(t.Context(), w.as(manager, authz.DeleteAsset), asset))
	w.ingest(shop)
	assert.Equal(t, map[string][]string{"dbt: shop": {"t1"}}, w.suitesOn(manager, w.named(d.ID, "a").ID), "with its asset, too")
}

func TestAChangedCheckCountsFromTheNextRun(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	asset, suite, checks := w.suiteOn(d.ID, "a")
	edit := w.as(w.email(graph.RoleManager), authz.EditChecks)
	w.report(failed(suite, "r1", 1, map[string]string{"valid": checks["valid"]}))
	require.Equal(t, graph.SeverityInfo, *w.verdict(asset).WorstSeverity)
	_, err := w.store.UpdateCheck(t.Context(), edit, checks["valid"], graph.CheckChange{Severity: graph.Change[graph.Severity]{Set: true, Value: graph.SeverityCritical}})
	require.NoError(t, err)
	assert.Equal(t, graph.SeverityInfo, *w.verdict(asset).WorstSeverity, "the latest run failed at INFO")
	w.report(failed(suite, "r2", 2, map[string]string{"valid": checks["valid"]}))
	assert.Equal(t, graph.SeverityCritical, *w.verdict(asset).WorstSeverity)

	before := w.events()
	_, err = w.store.UpdateCheck(t.Context(), edit, checks["valid"], graph.CheckChange{Severity: graph.Change[graph.Severity]{Set: true, Value: graph.SeverityCritical}})
	require.NoError(t, err)
	assert.Equal(t, before, w.events(), "a change of nothing is none")
	require.NoError(t, w.store.DeleteCheck(t.Context(), w.as(w.email(graph.RoleManager), authz.EditSuite), checks["valid"]))
	assert.Equal(t, graph.SeverityCritical, *w.verdict(asset).WorstSeverity, "the latest run still says so")
	assert.Equal(t, fault.CodeNotFound, fault.CodeOf(w.store.DeleteCheck(t.Context(), w.as(w.email(graph.RoleManager), authz.EditSuite), checks["valid"])))
}

func TestAnIngestLeavesChecksOfPeopleAlone(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	manager := w.email(graph.RoleManager)
	shop := stated("shop", d.ID, true, "a")
	shop.Suites = []graph.IngestSuite{oneCheck("a", "t1", graph.CheckPassed)}
	w.ingest(shop)
	page, err := w.store.SuiteList(t.Context(), w.caller(manager).Scope(), graph.SuiteFilter{}, graph.Position{First: 5})
	require.NoError(t, err)
	_, err = w.store.CreateCheck(t.Context(), w.as(manager, authz.EditChecks), page.Items[0].ID, graph.NewCheck{
		Name: "by hand", Expectation: "e", Severity: graph.SeverityInfo, Dimension: "VALIDITY",
	})
	require.NoError(t, err)
	w.ingest(shop)
	shop.Suites = nil
	w.ingest(shop)
	assert.Equal(t, map[string][]string{"dbt: shop": {"by hand"}}, w.suitesOn(manager, w.named(d.ID, "a").ID))
}
