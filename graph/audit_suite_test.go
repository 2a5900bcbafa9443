package graph_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
)

// history is the whole history of a suite as its owner reads it, walked in pages of a size.
func (w *world) history(owner, suite string, size int) []*graph.AuditEvent {
	w.t.Helper()
	var all []*graph.AuditEvent
	for key := (graph.HistoryOf{Suite: suite, First: size, Total: true}); ; {
		pages, err := w.store.Histories(w.t.Context(), w.caller(owner).Scope(), []graph.HistoryOf{key})
		require.NoError(w.t, err)
		require.Contains(w.t, pages, key)
		page := pages[key]
		all = append(all, page.Items...)
		if !page.HasNext {
			require.Len(w.t, all, page.Total, "the total is that of the whole history, on every page")
			return all
		}
		require.Len(w.t, page.Items, size, "pages are full")
		last := graph.AuditPosition(page.Items[size-1])
		key.After, key.AfterAt, key.AfterID = true, last.Number, last.ID
	}
}

func actionsOf(events []*graph.AuditEvent) []string {
	actions := make([]string, 0, len(events))
	for _, e := range events {
		actions = append(actions, e.Action)
	}
	return actions
}

func TestWhatIsAboutASuiteIsInItsHistory(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	asset, suite, checks := w.suiteOn(d.ID, "orders")
	other, _ := w.suite(asset)
	manager := w.email(graph.RoleManager)
	run := w.report(
		graph.Report{RunID: "1", Suite: suite, State: graph.RunErrored, FinishedAt: at(1)}, graph.Report{RunID: "1", Suite: other, State: graph.RunErrored, FinishedAt: at(1)},
	)[0].ID
	_, err := w.store.ShareSuite(t.Context(), w.as(manager, authz.ShareSuite), graph.NewShare{Suite: suite, User: w.caller(w.email(graph.RoleMember)).User.ID, Permission: graph.ShareView})
	require.NoError(t, err)
	w.report(graph.Report{RunID: "2", Suite: suite, State: graph.RunFailed, FinishedAt: at(2), Results: []graph.ReportedResult{
		{CheckID: checks["complete"], Status: graph.CheckFailed}, {CheckID: checks["unique"], Status: graph.CheckPassed}, {CheckID: checks["valid"], Status: graph.CheckPassed},
	}})
	whole := w.history(manager, suite, 50)
	assert.ElementsMatch(t, []string{"run.report", "share.grant", "run.report", "suite.create"}, actionsOf(whole))
	assert.True(t, slices.IsSortedFunc(whole, func(a, b *graph.AuditEvent) int {
		if c := b.At.Compare(a.At); c != 0 {
			return c
		}
		return -compare(a.ID, b.ID)
	}))
	for size := 1; size <= 4; size++ {
		assert.Equal(t, whole, w.history(manager, suite, size), "pages of %d", size)
		assert.Equal(t, whole, w.trail(graph.AuditFilter{Resource: suite}, size), "the trail says the same, in pages of %d", size)
	}
	assert.Equal(t, []string{"run.report", "run.report"}, actionsOf(w.trail(graph.AuditFilter{Resource: suite, Action: "run."}, 1)))
	assert.Equal(t, []string{"run.report"}, actionsOf(w.trail(graph.AuditFilter{Resource: run}, 1)), "a run has events of its own")
	assert.Len(t, w.history(manager, other, 1), 2, "another suite's are its own")
}

func TestAnIngestIsInTheHistoryOfTheSuitesThatItChanges(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	in := stated("shop", d.ID, true, "a", "b")
	in.Suites = []graph.IngestSuite{oneCheck("a", "t1", graph.CheckPassed), oneCheck("b", "t2", graph.CheckPassed)}
	w.ingest(in)
	manager := w.email(graph.RoleManager)
	suites := map[string]string{}
	for _, name := range []string{"a", "b"} {
		rows := w.rows(`MATCH (s:Suite {workspace: $workspace, asset: $asset}) RETURN s.id`, map[string]any{"asset": w.named(d.ID, name).ID})
		suites[name] = rows[0][0].(string)
		made := w.history(manager, suites[name], 10)
		require.Equal(t, []string{"suite.create"}, actionsOf(made))
		assert.Equal(t, map[string]any{
			"project": "shop", "asset": w.named(d.ID, name).ID, "name": in.SuiteName, "checksPut": 1.0, "checksRemoved": 0.0, "runs": 1.0,
		}, made[0].After)
	}
	in.Suites[0].Checks[0].Severity = graph.SeverityInfo
	w.ingest(in)
	changed := w.history(manager, suites["a"], 10)
	require.ElementsMatch(t, []string{"suite.ingest", "suite.create"}, actionsOf(changed))
	assert.Len(t, w.history(manager, suites["b"], 10), 1, "what an ingest leaves as it was has no event of it")
}
