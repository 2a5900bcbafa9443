package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/strata-gateway/strata/fault"
)

const (
	maxRunID = 200 // characters
	// maxResults bounds one run: no suite has more checks by far.
	maxResults = 100_000
)

// stage orders the states: a run moves forward only. 0 is no state.
func (s RunState) stage() int {
	switch s {
	case RunQueued:
		return 1
	case RunRunning:
		return 2
	case RunSucceeded, RunFailed, RunErrored, RunCancelled:
		return 3
	}
	return 0
}

// isFinal reports whether a run stays in the state.
func (s RunState) isFinal() bool { return s.stage() == 3 }

// countsAsLatest reports whether a run in the state is a candidate for the latest one of its config.
func (s RunState) countsAsLatest() bool { return s.isFinal() && s != RunCancelled }

// validate checks what a report says against itself. Errors: BAD_USER_INPUT.
func (r Report) validate() error {
	switch {
	case r.RunID == "" || utf8.RuneCountInString(r.RunID) > maxRunID:
		return fault.BadInput("input.runId", "A run's id has 1 to 200 characters.")
	case r.State.stage() == 0:
		return fault.BadInput("input.state", "There is no such state of a run.")
	case r.State.isFinal() && r.FinishedAt == nil:
		return fault.BadInput("input.finishedAt", "A run in this state has finished. Say when.")
	case !r.State.isFinal() && (r.FinishedAt != nil || len(r.Results) > 0):
		return fault.BadInput("input.state", "A run in this state has not finished: it has no finishedAt and no results yet.")
	case len(r.Results) > maxResults:
		return fault.BadInput("input.results", "A run has at most 100,000 results.")
	}
	return r.validateResults()
}

func (r Report) validateResults() error {
	seen, passed := make(map[string]bool, len(r.Results)), 0
	for _, x := range r.Results {
		if seen[x.CheckID] {
			return fault.BadInput("input.results.check", "A run has one result for each check. Report each check once.")
		}
		seen[x.CheckID] = true
		switch x.Status {
		case CheckPassed:
			passed++
			if x.Severity != "" && x.Severity != SeverityNone {
				return fault.BadInput("input.results.severity", "A check that passed has no severity.")
			}
		case CheckFailed, CheckErrored:
			if x.Severity != "" && x.Severity.Rank() < SeverityInfo.Rank() {
				return fault.BadInput("input.results.severity", "A check that did not pass fails at INFO, WARNING or CRITICAL. Leave the severity out for the check's own.")
			}
		default:
			return fault.BadInput("input.results.status", "There is no such status of a check.")
		}
	}
	if r.State == RunSucceeded && passed < len(r.Results) {
		return fault.BadInput("input.state", "A check did not pass, so the run is FAILED or ERRORED.")
	}
	if r.State == RunFailed && passed == len(r.Results) {
		return fault.BadInput("input.state", "No check failed, so the run is SUCCEEDED or ERRORED.")
	}
	return nil
}

// digest names the content of a report: equal reports have equal digests, in whatever order their
// results come. Errors: BAD_USER_INPUT for what is no JSON value.
func (r Report) digest() (string, error) {
	results := slices.Clone(r.Results)
	slices.SortFunc(results, func(a, b ReportedResult) int { return strings.Compare(a.CheckID, b.CheckID) })
	b, err := json.Marshal([]any{r.State, millis(r.StartedAt), millis(r.FinishedAt), results})
	if err != nil {
		return "", fault.BadInput("input.results.observed", "What was observed is no JSON value.")
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

// runCheck is what a run must know of a check of its suite.
type runCheck struct {
	severity  Severity
	dimension Dimension
}

// runSums is what a run keeps of its results, for the verdict.
type runSums struct {
	// severityRank is the worst among the checks that did not pass; 0, as of NONE, if all passed.
	severityRank  int
	total, passed int
	byDimension   []int // passed and total for each of Dimensions
}

func (s *runSums) add(c runCheck, passed bool, severity Severity) {
	at := 2 * slices.Index(Dimensions(), c.dimension)
	s.total++
	if at >= 0 {
		s.byDimension[at+1]++
	}
	if !passed {
		s.severityRank = max(s.severityRank, severity.Rank())
		return
	}
	s.passed++
	if at >= 0 {
		s.byDimension[at]++
	}
}

// sums adds up a report over the checks of its suite, all of which its results name. A run that could
// not be carried out counts every check of the suite as not passed, each at its own severity.
func (r Report) sums(checks map[string]runCheck) runSums {
	s := runSums{byDimension: make([]int, 2*len(Dimensions()))}
	if r.State == RunErrored {
		for _, c := range checks {
			s.add(c, false, c.severity)
		}
		return s
	}
	for _, x := range r.Results {
		s.add(checks[x.CheckID], x.Status == CheckPassed, x.severityOf(checks[x.CheckID]))
	}
	return s
}

// severityOf is the severity of a result of a check: NONE if it passed, else what was reported or the
// check's own.
func (x ReportedResult) severityOf(c runCheck) Severity {
	switch {
	case x.Status == CheckPassed:
		return SeverityNone
	case x.Severity != "":
		return x.Severity
	}
	return c.severity
}
