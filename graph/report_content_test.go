package graph

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/fault"
)

func TestReportsThatContradictThemselves(t *testing.T) {
	at := time.UnixMilli(1)
	passed := ReportedResult{CheckID: "a", Status: CheckPassed}
	failed := ReportedResult{CheckID: "b", Status: CheckFailed}
	tests := []struct {
		name   string
		report Report
		field  string
	}{
		{"no id", Report{State: RunQueued}, "input.runId"},
		{"no state", Report{RunID: "r"}, "input.state"},
		{"unknown state", Report{RunID: "r", State: "DONE"}, "input.state"},
		{"finished, but when", Report{RunID: "r", State: RunSucceeded}, "input.finishedAt"},
		{"running, but finished", Report{RunID: "r", State: RunRunning, FinishedAt: &at}, "input.state"},
		{"running with results", Report{RunID: "r", State: RunRunning, Results: []ReportedResult{passed}}, "input.state"},
		{"a check twice", Report{RunID: "r", State: RunSucceeded, FinishedAt: &at, Results: []ReportedResult{passed, passed}}, "input.results.check"},
		{"succeeded with a failure", Report{RunID: "r", State: RunSucceeded, FinishedAt: &at, Results: []ReportedResult{passed, failed}}, "input.state"},
		{"failed without one", Report{RunID: "r", State: RunFailed, FinishedAt: &at, Results: []ReportedResult{passed}}, "input.state"},
		{"passed at a severity", Report{RunID: "r", State: RunSucceeded, FinishedAt: &at, Results: []ReportedResult{{CheckID: "a", Status: CheckPassed, Severity: SeverityInfo}}}, "input.results.severity"},
		{"failed at none", Report{RunID: "r", State: RunFailed, FinishedAt: &at, Results: []ReportedResult{{CheckID: "a", Status: CheckFailed, Severity: SeverityNone}}}, "input.results.severity"},
		{"unknown severity", Report{RunID: "r", State: RunFailed, FinishedAt: &at, Results: []ReportedResult{{CheckID: "a", Status: CheckFailed, Severity: "BAD"}}}, "input.results.severity"},
		{"unknown status", Report{RunID: "r", State: RunErrored, FinishedAt: &at, Results: []ReportedResult{{CheckID: "a", Status: "SKIPPED"}}}, "input.results.status"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := fault.Of(tt.report.validate())
			require.NotNil(t, f)
			assert.Equal(t, fault.CodeBadUserInput, f.Code)
			assert.Equal(t, tt.field, f.Field)
		})
	}
	good := Report{RunID: "r", State: RunFailed, FinishedAt: &at, Results: []ReportedResult{passed, failed}}
	require.NoError(t, good.validate())
}

func TestRunSums(t *testing.T) {
	checks := map[string]runCheck{
		"complete": {SeverityCritical, "COMPLETENESS"},
		"valid":    {SeverityWarning, "VALIDITY"},
		"unique":   {SeverityInfo, "UNIQUENESS"},
	}
	result := func(id string, s CheckStatus, v Severity) ReportedResult {
		return ReportedResult{CheckID: id, Status: s, Severity: v}
	}
	tests := []struct {
		name    string
		state   RunState
		results []ReportedResult
		want    runSums
	}{
		{"all passed", RunSucceeded, []ReportedResult{result("complete", CheckPassed, ""), result("valid", CheckPassed, SeverityNone)},
			runSums{0, 2, 2, []int{1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1}}},
		{"the check's own severity", RunFailed, []ReportedResult{result("valid", CheckFailed, ""), result("complete", CheckPassed, "")},
			runSums{2, 2, 1, []int{1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}},
		{"the reported severity", RunFailed, []ReportedResult{result("complete", CheckFailed, SeverityInfo)},
			runSums{1, 1, 0, []int{0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}},
		{"a check that could not be evaluated", RunFailed, []ReportedResult{result("unique", CheckErrored, ""), result("complete", CheckPassed, "")},
			runSums{1, 2, 1, []int{1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0}}},
		{"errored counts every check, whatever it reported", RunErrored, []ReportedResult{result("valid", CheckPassed, "")},
			runSums{3, 3, 0, []int{0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1}}},
		{"nothing reported yet", RunRunning, nil, runSums{0, 0, 0, make([]int, 12)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, Report{State: tt.state, Results: tt.results}.sums(checks))
		})
	}
}

func TestDigestDoesNotDependOnTheOrderOfResults(t *testing.T) {
	at := time.UnixMilli(5)
	n := 3
	a := ReportedResult{CheckID: "a", Status: CheckPassed}
	b := ReportedResult{CheckID: "b", Status: CheckFailed, FailingCount: &n, Observed: map[string]any{"x": 1}}
	digest := func(results ...ReportedResult) string {
		d, err := Report{State: RunFailed, FinishedAt: &at, Results: results}.digest()
		require.NoError(t, err)
		return d
	}
	assert.Equal(t, digest(a, b), digest(b, a))
	other := b
	other.Observed = map[string]any{"x": 2}
	assert.NotEqual(t, digest(a, b), digest(a, other))
	_, err := Report{State: RunFailed, FinishedAt: &at, Results: []ReportedResult{{CheckID: "a", Observed: make(chan int)}}}.digest()
	assert.Equal(t, fault.CodeBadUserInput, fault.CodeOf(err))
}

func TestOutcomeOfAReport(t *testing.T) {
	known := func(s RunState) knownRun { return knownRun{state: s, digest: "d"} }
	tests := []struct {
		name   string
		before knownRun
		exists bool
		report Report
		digest string
		want   RunOutcome
	}{
		{"new", knownRun{}, false, Report{State: RunQueued}, "d", RunCreated},
		{"goes on", known(RunQueued), true, Report{State: RunRunning}, "e", RunAdvanced},
		{"finishes", known(RunRunning), true, Report{State: RunFailed}, "e", RunAdvanced},
		{"the same again", known(RunFailed), true, Report{State: RunFailed}, "d", RunUnchanged},
		{"late news", known(RunFailed), true, Report{State: RunRunning}, "e", RunUnchanged},
		{"late news of a queue", known(RunRunning), true, Report{State: RunQueued}, "e", RunUnchanged},
		{"a finished run is not reopened", known(RunFailed), true, Report{State: RunSucceeded}, "e", RunContradicted},
		{"another batch", known(RunRunning), true, Report{State: RunFailed, Batch: "b"}, "e", RunContradicted},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, outcomeOf(tt.before, tt.exists, tt.report, tt.digest))
		})
	}
}
