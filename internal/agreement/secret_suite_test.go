package agreement

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
)

// buildSuites makes the suites. Of one that the caller may not view, everything but its asset, the
// severities and dimensions of its checks and its latest outcome is the variant's own.
func (b *builder) buildSuites() {
	for i, s := range b.suites {
		if s.level != authz.SuiteNone {
			b.buildSuite(i, s, "")
			continue
		}
		b.secretly(func() { b.buildSuite(i, s, fmt.Sprintf(" of %d", b.variant)) })
	}
}

// buildSuite makes a suite whose texts end in mark: "" for one that the caller may view.
func (b *builder) buildSuite(i int, s suitePlan, mark string) {
	ctx, t := b.T().Context(), b.T()
	in := graph.NewSuite{Asset: b.assets[s.asset].ID, Name: fmt.Sprintf("suite %d%s", i, mark)}
	if mark != "" {
		in.Description = &in.Name
	}
	for j := range s.severities {
		in.Checks = append(in.Checks, graph.NewCheck{
			Name: fmt.Sprintf("check %d%s", j, mark), Expectation: "expect" + mark, Severity: s.severities[j], Dimension: s.dimensions[j], Config: map[string]any{"limit": mark},
		})
	}
	id, err := b.Store.CreateSuite(ctx, b.Writer(b.owner, authz.CreateSuite), in)
	require.NoError(t, err)
	known := &b.public
	if mark != "" {
		known = &b.secret
	}
	*known = append(*known, id)
	for _, c := range in.Checks {
		*known = append(*known, b.CheckOf(b.owner, id, c.Name))
	}
	for n, failing := range s.runs {
		*known = append(*known, b.report(id, fmt.Sprintf("run %d%s", n, mark), in, failing, frozen().Add(time.Duration(n-9)*time.Hour), mark))
	}
	if mark != "" {
		b.hide(id, i, s, in, mark)
		return
	}
	b.grant(id, s)
}

// report records a finished run and returns its id.
func (b *builder) report(suite, run string, in graph.NewSuite, failing []bool, at time.Time, mark string) string {
	checks, err := b.Store.Checks(b.T().Context(), b.Caller(b.owner).Scope(), []string{suite})
	require.NoError(b.T(), err)
	byName := map[string]string{}
	for _, c := range checks[suite] {
		byName[c.Name] = c.ID
	}
	report := graph.Report{RunID: run, Suite: suite, State: graph.RunSucceeded, StartedAt: &at, FinishedAt: &at}
	for j, c := range in.Checks {
		result := graph.ReportedResult{CheckID: byName[c.Name], Status: graph.CheckPassed, Observed: map[string]any{"seen": mark}}
		if failing[j] {
			result.Status, report.State = graph.CheckFailed, graph.RunFailed
		}
		report.Results = append(report.Results, result)
	}
	return b.Report(b.owner, report)
}

// hide makes the rest of what the caller may not know: another owner, shares with others, older runs.
func (b *builder) hide(id string, i int, s suitePlan, in graph.NewSuite, mark string) {
	if b.variant == 1 {
		b.Give(id, b.other)
	} else {
		b.secret = append(b.secret, b.Share(b.owner, id, b.other, graph.ShareEdit))
	}
	for n := range s.secret[b.variant] {
		failing := make([]bool, len(in.Checks))
		failing[n%len(failing)] = true
		b.secret = append(b.secret, b.report(id, fmt.Sprintf("older run %d of %d%s", n, i, mark), in, failing, frozen().Add(-time.Duration(100+n)*time.Hour), mark))
	}
}

// grant gives the caller their level on a suite.
func (b *builder) grant(id string, s suitePlan) {
	permission := graph.ShareView
	switch {
	case s.level == authz.SuiteOwner:
		b.Give(id, b.caller)
		return
	case s.level == authz.SuiteEdit && b.callerKind != "viewer" && b.callerKind != "restricted":
		permission = graph.ShareEdit
	}
	if b.grouped {
		b.public = append(b.public, b.ShareWithGroup(b.owner, id, b.Group(b.owner, "outer", b.Group(b.owner, "inner", b.caller.ID)), permission))
		return
	}
	b.public = append(b.public, b.Share(b.owner, id, b.caller, permission))
}
