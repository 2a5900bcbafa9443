package estate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/strata-gateway/strata/graph"
)

// Run is a run of a suite. It has as many results as its suite has checks, in their order, and none if
// it did not finish or could not be carried out.
type Run struct {
	ID                    string
	State                 graph.RunState
	StartedAt, FinishedAt time.Time // FinishedAt is zero if it has not finished
	Passed                []bool
	// Severity, Total, PassedTotal and ByDimension are the sums that a run keeps for the verdict.
	Severity           graph.Severity
	Total, PassedTotal int
	ByDimension        []int
}

const (
	// finishedRuns is how many finished runs a suite has.
	finishedRuns = 3
	hour         = time.Hour
	// Percentages of suites that were never run, and of those whose next run is under way.
	neverRun, underWay = 3, 5
	// Percentages of finished runs that could not be carried out, and of those with a failing check.
	errored, failed = 3, 15
)

// newRuns are the runs of a suite, oldest first.
func newRuns(s Suite, random *rand.Rand) []Run {
	var runs []Run
	add := func(state graph.RunState, started time.Time) {
		id := graph.RunGlobalID(s.ID, fmt.Sprint("run-", len(runs)+1))
		r := Run{ID: id, State: state, StartedAt: started, Severity: graph.SeverityNone, ByDimension: make([]int, 2*len(graph.Dimensions()))}
		if state != graph.RunRunning {
			r.FinishedAt = started.Add(time.Duration(random.IntN(600)+1) * time.Second)
			r.finish(s.Checks, random)
		}
		runs = append(runs, r)
	}
	if random.IntN(100) >= neverRun {
		for n := range finishedRuns {
			state := graph.RunSucceeded
			switch chance := random.IntN(100); {
			case chance < errored:
				state = graph.RunErrored
			case chance < errored+failed:
				state = graph.RunFailed
			}
			add(state, base().Add(-hour*time.Duration(finishedRuns-n)))
		}
	}
	if random.IntN(100) < underWay {
		add(graph.RunRunning, base())
	}
	return runs
}

// finish makes the outcome of each check and adds it up. A run that could not be carried out counts all
// checks as not passed, and has no results.
func (r *Run) finish(checks []Check, random *rand.Rand) {
	sure := random.IntN(len(checks)) // at least one check of a failed run fails
	for i, c := range checks {
		passed := r.State == graph.RunSucceeded || r.State == graph.RunFailed && i != sure && random.IntN(4) > 0
		if r.State != graph.RunErrored {
			r.Passed = append(r.Passed, passed)
		}
		of := 2 * slices.Index(graph.Dimensions(), c.Dimension)
		r.Total++
		r.ByDimension[of+1]++
		if passed {
			r.PassedTotal++
			r.ByDimension[of]++
		} else if c.Severity.Rank() > r.Severity.Rank() {
			r.Severity = c.Severity
		}
	}
}

// digest names the content of the run.
func (r Run) digest() string {
	sum := sha256.Sum256(fmt.Append(nil, r.State, r.StartedAt, r.FinishedAt, r.Passed))
	return hex.EncodeToString(sum[:])
}

// latest is the latest finished run, nil if there is none: the one that counts for the verdict.
func (s Suite) latest() *Run {
	var latest *Run
	for i, r := range s.Runs {
		if r.FinishedAt.IsZero() {
			continue
		}
		if latest == nil || r.FinishedAt.After(latest.FinishedAt) || r.FinishedAt.Equal(latest.FinishedAt) && r.ID > latest.ID {
			latest = &s.Runs[i]
		}
	}
	return latest
}

// verdicts are the verdicts of the assets that suites check, by index: computed by the one definition.
func verdicts(suites []Suite) map[int]graph.Verdict {
	facts := map[int]graph.VerdictFacts{}
	for _, s := range suites {
		f := facts[s.Asset]
		f.SuiteCount++
		f.ColumnCount = columnsOf(s.Asset)
		for _, c := range s.Checks {
			f.Checks = append(f.Checks, graph.CheckTarget{Dimension: c.Dimension, Column: c.Column})
		}
		for _, r := range s.Runs {
			f.HasRunningRun = f.HasRunningRun || r.FinishedAt.IsZero()
		}
		if r := s.latest(); r != nil {
			f.Latest = append(f.Latest, graph.LatestRun{
				State: r.State, FinishedAt: r.FinishedAt, Severity: r.Severity, Total: r.Total, Passed: r.PassedTotal, ByDimension: r.ByDimension,
			})
		}
		facts[s.Asset] = f
	}
	out := make(map[int]graph.Verdict, len(facts))
	for asset, f := range facts {
		out[asset] = graph.ComputeVerdict(f)
	}
	return out
}

// flatScorecard is a scorecard as the store keeps it: covered, columns, passed and total for each
// dimension, zeros for one without a check.
func flatScorecard(scores []graph.DimensionScore) []int {
	const fields = 4
	flat := make([]int, fields*len(graph.Dimensions()))
	for _, s := range scores {
		at := fields * slices.Index(graph.Dimensions(), s.Dimension)
		copy(flat[at:at+fields], []int{s.Covered, s.Columns, s.Passed, s.Total})
	}
	return flat
}
