package graph_test

import (
	"cmp"
	"math/rand/v2"
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

const reporters = 8

// drawReports draws what runners may say of a few runs of a few suites: steps of runs, some of which
// never finish, backfills and equal finish times among them.
func drawReports(t *rapid.T, suites []string, checks map[string]map[string]string) []graph.Report {
	var reports []graph.Report
	for _, suite := range suites {
		for run := range rapid.IntRange(0, 4).Draw(t, "runs") {
			id := strconv.Itoa(run)
			if rapid.Bool().Draw(t, "queued") {
				reports = append(reports, graph.Report{RunID: id, Suite: suite, State: graph.RunQueued})
			}
			state := rapid.SampledFrom([]graph.RunState{graph.RunRunning, graph.RunSucceeded, graph.RunFailed, graph.RunErrored, graph.RunCancelled}).Draw(t, "state")
			r := graph.Report{RunID: id, Suite: suite, State: state}
			if state != graph.RunRunning {
				r.FinishedAt = at(rapid.IntRange(0, 4).Draw(t, "minute"))
				r.Results = drawResults(t, state, checks[suite])
			}
			reports = append(reports, r)
		}
	}
	return reports
}

func drawResults(t *rapid.T, state graph.RunState, checks map[string]string) []graph.ReportedResult {
	names := []string{"complete", "unique", "valid"}
	var results []graph.ReportedResult
	for i, name := range names {
		r := graph.ReportedResult{CheckID: checks[name], Status: graph.CheckPassed}
		mayFail := state == graph.RunErrored || state == graph.RunCancelled
		if state == graph.RunFailed && i == 0 || (mayFail || state == graph.RunFailed) && rapid.Bool().Draw(t, "fails") {
			r.Status = rapid.SampledFrom([]graph.CheckStatus{graph.CheckFailed, graph.CheckErrored}).Draw(t, "status")
			r.Severity = rapid.SampledFrom([]graph.Severity{"", graph.SeverityInfo, graph.SeverityWarning, graph.SeverityCritical}).Draw(t, "severity")
		}
		if rapid.IntRange(0, 3).Draw(t, "ran") > 0 || i == 0 {
			results = append(results, r)
		}
	}
	return results
}

// TestConcurrentReportsKeepTheVerdict: whoever reports in whatever order, at the same time and more than
// once, the kept verdict is that of all the runs.
func TestConcurrentReportsKeepTheVerdict(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	writer := w.as(w.email(graph.RoleManager), authz.ReportRuns)
	trial := 0
	rapid.Check(t, func(rt *rapid.T) {
		trial++
		asset, first, byName := w.suiteOn(d.ID, "a.b.t"+strconv.Itoa(trial))
		checks := map[string]map[string]string{first: byName}
		suites := []string{first}
		for range rapid.IntRange(0, 1).Draw(rt, "more suites") {
			suite, byName := w.suite(asset)
			suites, checks[suite] = append(suites, suite), byName
		}
		reports := drawReports(rt, suites, checks)
		again := slices.Concat(reports, reports[:rapid.IntRange(0, len(reports)).Draw(rt, "duplicates")])
		order := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "order"), 0))
		order.Shuffle(len(again), func(i, j int) { again[i], again[j] = again[j], again[i] })

		failures := make(chan error, reporters)
		var all sync.WaitGroup
		for i := range reporters {
			all.Go(func() {
				for j := i; j < len(again); j += reporters {
					if _, err := w.store.RecordRuns(t.Context(), writer, again[j:j+1]); err != nil {
						failures <- err
						return
					}
				}
			})
		}
		all.Wait()
		close(failures)
		require.NoError(rt, <-failures)

		assert.Equal(rt, reference(reports, suites, checks), w.verdict(asset))
		assert.Equal(rt, activeRuns(reports), w.active(asset))
	})
}

// checkSeverities and checkDimensions are those of the suites that world.suite makes.
func checkSeverities() map[string]graph.Severity {
	return map[string]graph.Severity{"complete": graph.SeverityCritical, "unique": graph.SeverityWarning, "valid": graph.SeverityInfo}
}

func checkDimensions() map[string]int {
	return map[string]int{"complete": 0, "unique": 4, "valid": 5}
}

// reference computes the verdict from the reports alone, as the documentation defines it.
func reference(reports []graph.Report, suites []string, checks map[string]map[string]string) graph.Verdict {
	facts := graph.VerdictFacts{SuiteCount: len(suites), HasRunningRun: len(activeRuns(reports)) > 0}
	for range suites {
		for _, d := range []graph.Dimension{"COMPLETENESS", "UNIQUENESS", "VALIDITY"} {
			facts.Checks = append(facts.Checks, graph.CheckTarget{Dimension: d})
		}
	}
	for _, suite := range suites {
		var finished []graph.Report
		for _, r := range reports {
			if r.Suite == suite && r.FinishedAt != nil && r.State != graph.RunCancelled {
				finished = append(finished, r)
			}
		}
		if len(finished) == 0 {
			continue
		}
		latest := slices.MaxFunc(finished, func(a, b graph.Report) int {
			return cmp.Or(a.FinishedAt.Compare(*b.FinishedAt), cmp.Compare(graph.RunGlobalID(suite, a.RunID), graph.RunGlobalID(suite, b.RunID)))
		})
		facts.Latest = append(facts.Latest, latestOf(latest, checks[suite]))
	}
	return graph.ComputeVerdict(facts)
}

func latestOf(r graph.Report, checks map[string]string) graph.LatestRun {
	out := graph.LatestRun{State: r.State, FinishedAt: *r.FinishedAt, Severity: graph.SeverityNone, ByDimension: make([]int, 12)}
	for name, id := range checks {
		own, ran, passed := checkSeverities()[name], r.State == graph.RunErrored, false
		for _, x := range r.Results {
			if x.CheckID == id && r.State != graph.RunErrored {
				ran, passed = true, x.Status == graph.CheckPassed
				own = cmp.Or(x.Severity, own)
			}
		}
		if !ran {
			continue
		}
		out.Total++
		out.ByDimension[2*checkDimensions()[name]+1]++
		if passed {
			out.Passed++
			out.ByDimension[2*checkDimensions()[name]]++
		} else if own.Rank() > out.Severity.Rank() {
			out.Severity = own
		}
	}
	return out
}

// activeRuns are the global ids of the runs that have not finished, sorted.
func activeRuns(reports []graph.Report) []string {
	finished := map[string]bool{}
	for _, r := range reports {
		finished[graph.RunGlobalID(r.Suite, r.RunID)] = finished[graph.RunGlobalID(r.Suite, r.RunID)] || r.FinishedAt != nil
	}
	active := []string{}
	for id, done := range finished {
		if !done {
			active = append(active, id)
		}
	}
	slices.Sort(active)
	return active
}

// active are the ids of the runs that the store marks as active on an asset, sorted.
func (w *world) active(asset string) []string {
	active := []string{}
	for _, r := range w.rows(`MATCH (:Asset {id: $asset})<-[:CHECKS]-(:Suite)-[:HAS_CONFIG]->(:ValidationConfig)-[:ACTIVE]->(r:Run) RETURN r.id ORDER BY r.id`, map[string]any{"asset": asset}) {
		active = append(active, r[0].(string))
	}
	return active
}

// TestReportsInAnyOrder: any order of the reports, in one call or many, leaves equal verdicts and counts
// each run once.
func TestReportsInAnyOrder(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	trial := 0
	rapid.Check(t, func(rt *rapid.T) {
		trial++
		asset, suite, byName := w.suiteOn(d.ID, "a.b.t"+strconv.Itoa(trial))
		checks := map[string]map[string]string{suite: byName}
		reports := drawReports(rt, []string{suite}, checks)
		order := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "order"), 1))
		shuffled := slices.Concat(reports, reports)
		order.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		for len(shuffled) > 0 {
			n := rapid.IntRange(1, len(shuffled)).Draw(rt, "together")
			w.report(shuffled[:n]...)
			shuffled = shuffled[n:]
		}
		assert.Equal(rt, reference(reports, []string{suite}, checks), w.verdict(asset))
		ids := map[string]bool{}
		for _, r := range reports {
			ids[r.RunID] = true
		}
		runs := w.rows(`MATCH (r:Run {suite: $suite}) RETURN count(r), count(DISTINCT r.id)`, map[string]any{"suite": suite})
		assert.Equal(rt, []any{int64(len(ids)), int64(len(ids))}, runs[0])
	})
}
