package graph_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// suiteOn makes an asset with one suite of three checks, owned by the member, and returns the ids of the
// asset, the suite and its checks by name.
func (w *world) suiteOn(datasource, name string) (asset, suite string, checks map[string]string) {
	a, err := w.store.CreateAsset(w.t.Context(), w.as(w.email(graph.RoleManager), authz.EditDatasources), graph.NewAsset{Datasource: datasource, Name: name, Type: graph.TypeTable})
	require.NoError(w.t, err)
	suite, checks = w.suite(a.ID)
	return a.ID, suite, checks
}

// suite adds a suite with three checks to an asset.
func (w *world) suite(asset string) (suite string, checks map[string]string) {
	suite, err := w.store.CreateSuite(w.t.Context(), w.as(w.email(graph.RoleManager), authz.CreateSuite), graph.NewSuite{
		Asset: asset, Name: "s", Checks: []graph.NewCheck{
			{Name: "complete", Expectation: "not_null", Severity: graph.SeverityCritical, Dimension: "COMPLETENESS"},
			{Name: "unique", Expectation: "unique", Severity: graph.SeverityWarning, Dimension: "UNIQUENESS"},
			{Name: "valid", Expectation: "accepted_values", Severity: graph.SeverityInfo, Dimension: "VALIDITY"},
		},
	})
	require.NoError(w.t, err)
	found, err := w.store.Checks(w.t.Context(), w.caller(w.email(graph.RoleManager)).Scope(), []string{suite})
	require.NoError(w.t, err)
	checks = map[string]string{}
	for _, c := range found[suite] {
		checks[c.Name] = c.ID
	}
	return suite, checks
}

func (w *world) report(reports ...graph.Report) []graph.RecordedRun {
	recorded, err := w.store.RecordRuns(w.t.Context(), w.as(w.email(graph.RoleManager), authz.ReportRuns), reports)
	require.NoError(w.t, err)
	return recorded
}

func at(minutes int) *time.Time {
	t := time.Date(2026, 3, 1, 0, minutes, 0, 0, time.UTC)
	return &t
}

func TestRunIsReportedInSteps(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	asset, suite, checks := w.suiteOn(d.ID, "a.b.c")
	step := func(r graph.Report) graph.RunOutcome {
		r.RunID, r.Suite = "nightly-1", suite
		recorded := w.report(r)
		require.Len(t, recorded, 1)
		assert.Equal(t, graph.RunGlobalID(suite, "nightly-1"), recorded[0].ID)
		return recorded[0].Outcome
	}
	failing := 3
	final := graph.Report{State: graph.RunFailed, FinishedAt: at(5), Results: []graph.ReportedResult{
		{CheckID: checks["complete"], Status: graph.CheckPassed},
		{CheckID: checks["unique"], Status: graph.CheckFailed, FailingCount: &failing, Observed: map[string]any{"duplicates": 3.0}},
	}}

	assert.Equal(t, graph.RunCreated, step(graph.Report{State: graph.RunQueued}))
	assert.True(t, w.verdict(asset).HasRunningRun)
	assert.Equal(t, graph.RunAdvanced, step(graph.Report{State: graph.RunRunning, StartedAt: at(1)}))
	assert.Nil(t, w.verdict(asset).WorstSeverity)
	assert.Equal(t, graph.RunAdvanced, step(final))
	v := w.verdict(asset)
	assert.False(t, v.HasRunningRun)
	assert.True(t, v.HasFailedRun)
	assert.Equal(t, graph.SeverityWarning, *v.WorstSeverity)
	assert.Equal(t, []int{2, 1}, []int{v.ChecksTotal, v.ChecksPassed})

	versions, events := w.versions(), len(w.events())
	assert.Equal(t, graph.RunUnchanged, step(final), "told again")
	assert.Equal(t, graph.RunUnchanged, step(graph.Report{State: graph.RunRunning, StartedAt: at(2)}), "late news")
	assert.Equal(t, graph.RunContradicted, step(graph.Report{State: graph.RunSucceeded, FinishedAt: at(9)}), "not reopened")
	assert.Equal(t, versions, w.versions(), "what is known raises no epoch")
	assert.Len(t, w.events(), events, "and no event")

	scope := w.caller(w.email(graph.RoleManager)).Scope()
	id := graph.RunGlobalID(suite, "nightly-1")
	runs, err := w.store.Runs(t.Context(), scope, []string{id})
	require.NoError(t, err)
	assert.Equal(t, graph.RunFailed, runs[id].State)
	assert.Equal(t, at(1), runs[id].StartedAt, "kept from the report that knew it")
	results, err := w.store.Results(t.Context(), scope, []string{id})
	require.NoError(t, err)
	require.Len(t, results[id], 2)
	assert.Equal(t, graph.SeverityNone, results[id][0].Severity)
	assert.Equal(t, graph.CheckResult{Check: results[id][1].Check, Status: graph.CheckFailed, Severity: graph.SeverityWarning,
		Observed: map[string]any{"duplicates": 3.0}, FailingCount: &failing}, *results[id][1])
}

func TestBackfillDoesNotCount(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	asset, suite, checks := w.suiteOn(d.ID, "a.b.c")
	passed := []graph.ReportedResult{{CheckID: checks["complete"], Status: graph.CheckPassed}}
	w.report(graph.Report{RunID: "new", Suite: suite, State: graph.RunSucceeded, FinishedAt: at(9), Results: passed})
	before, versions := w.verdict(asset), w.versions()
	w.report(
		graph.Report{RunID: "old", Suite: suite, State: graph.RunErrored, FinishedAt: at(2)},
		graph.Report{RunID: "cancelled", Suite: suite, State: graph.RunCancelled, FinishedAt: at(20)},
	)
	assert.Equal(t, before, w.verdict(asset))
	assert.Equal(t, versions, w.versions(), "runs that do not count raise no epoch")
	assert.Equal(t, 3, w.count(`MATCH (r:Run {workspace: $workspace}) RETURN count(r)`))
}

func TestReportsAreAllOrNothing(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	_, suite, _ := w.suiteOn(d.ID, "a.b.c")
	_, _, others := w.suiteOn(d.ID, "a.b.d")
	good := graph.Report{RunID: "1", Suite: suite, State: graph.RunSucceeded, FinishedAt: at(1)}
	foreign := graph.Report{RunID: "2", Suite: suite, State: graph.RunSucceeded, FinishedAt: at(1), Results: []graph.ReportedResult{{CheckID: others["valid"], Status: graph.CheckPassed}}}
	unknown := graph.Report{RunID: "3", Suite: graph.DerivedID(graph.KindSuite, "none"), State: graph.RunQueued}
	batch := graph.Report{RunID: "4", Suite: suite, Batch: "2026", State: graph.RunQueued}
	manager := w.email(graph.RoleManager)
	tests := []struct {
		name    string
		who     string
		reports []graph.Report
		want    fault.Code
	}{
		{"a check of another suite", manager, []graph.Report{good, foreign}, fault.CodeBadUserInput},
		{"no such suite", manager, []graph.Report{good, unknown}, fault.CodeNotFound},
		{"no such batch", manager, []graph.Report{good, batch}, fault.CodeBadUserInput},
		{"a member without a share may not know of it", w.email(graph.RoleMember), []graph.Report{good}, fault.CodeNotFound},
		{"a viewer neither", w.email(graph.RoleViewer), []graph.Report{good}, fault.CodeNotFound},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := w.store.RecordRuns(t.Context(), w.as(tt.who, authz.ReportRuns), tt.reports)
			assert.Equal(t, tt.want, fault.CodeOf(err), "%v", err)
			assert.Zero(t, w.count(`MATCH (r:Run {workspace: $workspace}) RETURN count(r)`))
		})
	}
}
