package testkit

import (
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
)

// Suite makes a suite that a member owns and returns its id. Each check is WARNING for the whole asset,
// its name its expectation too.
func (w *World) Suite(owner Member, asset, name string, checks ...string) string {
	w.t.Helper()
	in := graph.NewSuite{Asset: asset, Name: name}
	for i, c := range checks {
		dimensions := graph.Dimensions()
		in.Checks = append(in.Checks, graph.NewCheck{
			Name: c, Expectation: c, Severity: graph.SeverityWarning, Dimension: dimensions[i%len(dimensions)],
		})
	}
	id, err := w.Store.CreateSuite(w.t.Context(), w.Writer(owner, authz.CreateSuite), in)
	require.NoError(w.t, err)
	return id
}

// CheckOf is the id of a suite's check of a name.
func (w *World) CheckOf(as Member, suite, name string) string {
	w.t.Helper()
	checks, err := w.Store.Checks(w.t.Context(), w.Caller(as).Scope(), []string{suite})
	require.NoError(w.t, err)
	for _, c := range checks[suite] {
		if c.Name == name {
			return c.ID
		}
	}
	require.FailNow(w.t, "the suite has no check "+name)
	return ""
}

// firstRun is when the first run of a world finished. Each later one finished a minute after it.
func firstRun() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

// Run reports a finished run of a suite in which the named checks failed and the others passed, later
// than every run before, and returns its id.
func (w *World) Run(by Member, suite string, failing ...string) string {
	w.t.Helper()
	checks, err := w.Store.Checks(w.t.Context(), w.Caller(by).Scope(), []string{suite})
	require.NoError(w.t, err)
	w.runs++
	finished := firstRun().Add(time.Duration(w.runs) * time.Minute)
	started := finished.Add(-time.Second)
	report := graph.Report{RunID: fmt.Sprintf("run-%d", w.runs), Suite: suite, State: graph.RunSucceeded, StartedAt: &started, FinishedAt: &finished}
	known := make([]string, 0, len(checks[suite]))
	for _, c := range checks[suite] {
		known = append(known, c.Name)
		result := graph.ReportedResult{CheckID: c.ID, Status: graph.CheckPassed}
		if slices.Contains(failing, c.Name) {
			result.Status, report.State = graph.CheckFailed, graph.RunFailed
		}
		report.Results = append(report.Results, result)
	}
	require.Subset(w.t, known, failing, "the suite has no such checks")
	return w.Report(by, report)
}

// Report records what a runner says of a run and returns the run's id.
func (w *World) Report(by Member, r graph.Report) string {
	w.t.Helper()
	recorded, err := w.Store.RecordRuns(w.t.Context(), w.Writer(by, authz.ReportRuns), []graph.Report{r})
	require.NoError(w.t, err)
	return recorded[0].ID
}

// Share grants a member a permission on a suite and returns the share's id.
func (w *World) Share(by Member, suite string, to Member, p graph.SharePermission) string {
	w.t.Helper()
	share, err := w.Store.ShareSuite(w.t.Context(), w.Writer(by, authz.ShareSuite), graph.NewShare{Suite: suite, User: to.ID, Permission: p})
	require.NoError(w.t, err)
	return share.ID
}

// ShareWithGroup grants a group a permission on a suite and returns the share's id.
func (w *World) ShareWithGroup(by Member, suite, group string, p graph.SharePermission) string {
	w.t.Helper()
	share, err := w.Store.ShareSuite(w.t.Context(), w.Writer(by, authz.ShareSuite), graph.NewShare{Suite: suite, Group: group, Permission: p})
	require.NoError(w.t, err)
	return share.ID
}

// Group is the world's group of a name, with the members put into it.
func (w *World) Group(by Member, name string, members ...string) string {
	w.t.Helper()
	change := graph.GroupChange{ID: w.groups[name], Add: members}
	if change.ID == "" {
		change.Name = &name
	}
	group, err := w.Store.SetGroup(w.t.Context(), w.Writer(by, authz.ManageDirectory), change)
	require.NoError(w.t, err)
	w.groups[name] = group.ID
	return group.ID
}

// RestrictingTeam makes a team that keeps its members from restricted assets where they are viewers.
func (w *World) RestrictingTeam(by Member, name string, members ...Member) {
	w.t.Helper()
	change := graph.TeamChange{Name: &name}
	for _, m := range members {
		change.Add = append(change.Add, graph.TeamMember{User: m.ID, Restricted: true})
	}
	_, err := w.Store.SetTeam(w.t.Context(), w.Writer(by, authz.ManageDirectory), change)
	require.NoError(w.t, err)
}

// Revoke takes a share back.
func (w *World) Revoke(by Member, share string) {
	w.t.Helper()
	require.NoError(w.t, w.Store.RevokeShare(w.t.Context(), w.Writer(by, authz.RevokeShare), share))
}
