package graph

import (
	"math"

	"github.com/strata-gateway/strata/fault"
)

// runSuite is what the recording of runs must know of a suite, read under the lock of its asset.
type runSuite struct {
	checks map[string]runCheck
	// latest is the latest run of each validation config, by batch.
	latest map[string]latestRun
}

// latestRun is where a run stands among those that count: the greatest finish time, then id.
type latestRun struct {
	finishedAt int64
	id         string
}

// noRun stands before every run.
func noRun() latestRun { return latestRun{finishedAt: math.MinInt64} }

func (l latestRun) before(other latestRun) bool {
	return l.finishedAt < other.finishedAt || l.finishedAt == other.finishedAt && l.id < other.id
}

// knownRun is a run as the store has it.
type knownRun struct {
	state         RunState
	batch, digest string
	startedAt     any
}

// configKey names a validation config.
type configKey struct{ suite, batch string }

// runPlan is what reports change, as rows of the statements that write it.
type runPlan struct {
	outcomes []RecordedRun
	runs     map[string]map[string]any // by id: the last that a report makes of it
	results  []any
	latest   map[configKey]latestRun // only where it moves
}

// planRuns works out what the reports change, each after the ones before it. It is a function of what
// was read alone. known is brought up to date.
func planRuns(reports []Report, suites map[string]runSuite, known map[string]knownRun) (runPlan, error) {
	p := runPlan{runs: map[string]map[string]any{}, latest: map[configKey]latestRun{}}
	for _, r := range reports {
		suite, ok := suites[r.Suite]
		if !ok {
			return runPlan{}, fault.NotFound("suite")
		}
		if _, ok := suite.latest[r.Batch]; !ok {
			return runPlan{}, fault.BadInput("input.batch", "The suite is not run on a batch of this name.")
		}
		if err := p.add(r, suite, known); err != nil {
			return runPlan{}, err
		}
	}
	return p, nil
}

func (p *runPlan) add(r Report, suite runSuite, known map[string]knownRun) error {
	id := RunGlobalID(r.Suite, r.RunID)
	digest, err := r.digest()
	if err != nil {
		return err
	}
	for _, x := range r.Results {
		if _, ok := suite.checks[x.CheckID]; !ok {
			return fault.BadInput("input.results.check", "The suite has no check of this id. Look at suite.checks.")
		}
	}
	before, exists := known[id]
	outcome := outcomeOf(before, exists, r, digest)
	p.outcomes = append(p.outcomes, RecordedRun{ID: id, Outcome: outcome})
	if outcome == RunUnchanged || outcome == RunContradicted {
		return nil
	}
	now := knownRun{state: r.State, batch: r.Batch, digest: digest, startedAt: millis(r.StartedAt)}
	if now.startedAt == nil {
		now.startedAt = before.startedAt
	}
	known[id] = now
	sums := r.sums(suite.checks)
	p.runs[id] = map[string]any{
		"id": id, "suite": r.Suite, "batch": r.Batch, "state": string(r.State), "digest": digest, "active": !r.State.isFinal(),
		"startedAt": now.startedAt, "finishedAt": millis(r.FinishedAt), "severityRank": sums.severityRank,
		"checksTotal": sums.total, "checksPassed": sums.passed, "byDimension": sums.byDimension,
	}
	p.moveLatest(r, suite, id)
	return p.addResults(r, suite, id)
}

// outcomeOf compares a report with the run as it is known.
func outcomeOf(before knownRun, exists bool, r Report, digest string) RunOutcome {
	switch {
	case !exists:
		return RunCreated
	case before.batch != r.Batch:
		return RunContradicted
	case r.State.stage() > before.state.stage():
		return RunAdvanced
	case before.state.isFinal() && r.State.isFinal() && before.digest != digest:
		return RunContradicted
	}
	return RunUnchanged
}

func (p *runPlan) moveLatest(r Report, suite runSuite, id string) {
	if !r.State.countsAsLatest() {
		return
	}
	key, candidate := configKey{r.Suite, r.Batch}, latestRun{r.FinishedAt.UnixMilli(), id}
	if suite.latest[r.Batch].before(candidate) {
		suite.latest[r.Batch] = candidate
		p.latest[key] = candidate
	}
}

func (p *runPlan) addResults(r Report, suite runSuite, run string) error {
	for _, x := range r.Results {
		observed, err := encoded(x.Observed)
		if err != nil {
			return fault.BadInput("input.results.observed", "What was observed is no JSON value.")
		}
		p.results = append(p.results, map[string]any{
			"run": run, "check": x.CheckID, "status": string(x.Status), "severity": string(x.severityOf(suite.checks[x.CheckID])),
			"observed": observed, "failingCount": x.FailingCount,
		})
	}
	return nil
}
