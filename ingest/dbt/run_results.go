package dbt

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/strata-gateway/strata/graph"
)

// runResults is what is kept of run_results.json.
type runResults struct {
	metadata
	generatedAt time.Time
	// tests are the results of tests by unique id.
	tests map[string]testResult
}

type testResult struct {
	UniqueID string `json:"unique_id"`
	Status   string
	Failures scalar
	Message  string
	Timing   []struct {
		StartedAt   string `json:"started_at"`
		CompletedAt string `json:"completed_at"`
	}
}

// readRunResults reads run_results.json; without a file it is nil.
func readRunResults(a artifact) (*runResults, error) {
	if a.r == nil {
		return nil, nil
	}
	r := &runResults{tests: map[string]testResult{}}
	err := a.walk(sections{
		"metadata": func(dec *json.Decoder) error {
			if err := dec.Decode(&r.metadata); err != nil {
				return err
			}
			return r.check(a.field)
		},
		"results": func(dec *json.Decoder) error {
			return elements(dec, func() error {
				var x testResult
				err := dec.Decode(&x)
				if kind, _, _ := strings.Cut(x.UniqueID, "."); kind == kindTest {
					r.tests[x.UniqueID] = x
				}
				return err
			})
		},
	})
	if err == nil {
		err = r.check(a.field)
	}
	r.generatedAt = instant(r.GeneratedAt)
	return r, err
}

// outcome is a test's status as that of a check, and false if there is no result: it was skipped, or not
// needed again.
func (x testResult) outcome() (graph.CheckStatus, bool) {
	switch strings.ToLower(x.Status) {
	case "pass", "success":
		return graph.CheckPassed, true
	case "warn", "fail":
		return graph.CheckFailed, true
	case "error", "runtime error":
		return graph.CheckErrored, true
	}
	return "", false
}

// result is what the test's check came to.
func (x testResult) result(status graph.CheckStatus) graph.ReportedResult {
	r := graph.ReportedResult{CheckID: x.UniqueID, Status: status}
	if n, err := strconv.Atoi(string(x.Failures)); err == nil {
		r.FailingCount = &n
	}
	if status == graph.CheckFailed {
		r.Severity = graph.SeverityCritical
		if strings.EqualFold(x.Status, "warn") {
			r.Severity = graph.SeverityWarning
		}
	}
	if message := cut(x.Message, maxMessage); message != "" {
		r.Observed = map[string]any{"message": message}
	}
	return r
}

// addRuns makes a run of each suite that had a result in the invocation.
func (b *builder) addRuns(results *runResults) {
	if results == nil {
		return
	}
	run := cmp.Or(results.InvocationID, results.GeneratedAt)
	if run == "" || len(run) > maxName {
		b.warn("the run results name neither their invocation nor their time: they were left out")
		return
	}
	unknown := 0
	runs := map[int]*graph.IngestRun{} // by suite
	for _, id := range sortedKeys(results.tests) {
		x := results.tests[id]
		place, ok := b.testAt[id]
		if !ok {
			unknown++
			continue
		}
		status, ok := x.outcome()
		if !ok {
			continue
		}
		r := runs[place.suite]
		if r == nil {
			r = &graph.IngestRun{RunID: run, State: graph.RunSucceeded}
			runs[place.suite] = r
		}
		r.Results = append(r.Results, x.result(status))
		r.State = worse(r.State, status)
		x.widen(r)
	}
	if unknown > 0 {
		b.warn("%d results are of tests that the manifest does not hold: they were left out", unknown)
	}
	for at := range b.suites {
		if r := runs[at]; r != nil {
			b.addRun(at, r, results.generatedAt)
		}
	}
}

// addRun adds a run whose results are together; the file's own time stands in for one without times.
func (b *builder) addRun(suite int, r *graph.IngestRun, generatedAt time.Time) {
	if r.FinishedAt == nil {
		if generatedAt.IsZero() {
			b.warn("the results of the tests of %s have no time: they were left out", b.suites[suite].Asset)
			return
		}
		r.FinishedAt = &generatedAt
	}
	b.suites[suite].Runs = append(b.suites[suite].Runs, *r)
}

// worse is the state of a run after one more result: a test that could not be evaluated makes it ERRORED.
func worse(s graph.RunState, status graph.CheckStatus) graph.RunState {
	switch {
	case s == graph.RunErrored || status == graph.CheckErrored:
		return graph.RunErrored
	case status == graph.CheckFailed:
		return graph.RunFailed
	}
	return s
}

// widen makes the run reach over the times of the result.
func (x testResult) widen(r *graph.IngestRun) {
	for _, t := range x.Timing {
		if at := instant(t.StartedAt); !at.IsZero() && (r.StartedAt == nil || at.Before(*r.StartedAt)) {
			r.StartedAt = &at
		}
		if at := instant(t.CompletedAt); !at.IsZero() && (r.FinishedAt == nil || at.After(*r.FinishedAt)) {
			r.FinishedAt = &at
		}
	}
}

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
