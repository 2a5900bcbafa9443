package graph

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/strata-gateway/strata/fault"
)

// Report is what a runner says of one run of a suite.
type Report struct {
	// RunID is the runner's own id of the run, 1 to 200 characters; it is scoped to the suite.
	RunID string
	Suite string
	// Batch names the validation config; "" is the whole asset.
	Batch string
	State RunState
	// FinishedAt must be set in a state that is final, and only then.
	StartedAt, FinishedAt *time.Time
	// Results are those of a final state.
	Results []ReportedResult
}

// ReportedResult is the outcome of one check in a run.
type ReportedResult struct {
	CheckID string
	Status  CheckStatus
	// Severity is what the check failed at; "": the check's own. A check that passed has none.
	Severity Severity
	// Observed is a JSON value, nil for none.
	Observed     any
	FailingCount *int
}

// RunOutcome says what a report did.
type RunOutcome int

// The outcomes.
const (
	// RunUnchanged: the same was told before, or this is late news of a run that went on since.
	RunUnchanged RunOutcome = iota
	// RunCreated: the run was not known.
	RunCreated
	// RunAdvanced: the run was known, and is now further on or finished.
	RunAdvanced
	// RunContradicted: the run finished before with other content, which stands.
	RunContradicted
)

// RecordedRun is what became of one report.
type RecordedRun struct {
	// ID is the run's global id.
	ID      string
	Outcome RunOutcome
}

// RunGlobalID is the global id of a runner's run of a suite.
func RunGlobalID(suite, runID string) string { return DerivedID(KindRun, suite, runID) }

// RecordRuns records what runners report and keeps the verdicts of the assets: all of it or nothing.
// It is the one way by which runs come into being. It returns an entry for each report, in their order.
// A report that says what is known already changes nothing. Errors: NOT_FOUND for a suite of which the
// caller may not know, BAD_USER_INPUT for a report that contradicts itself or names a check that is not
// the suite's, and what the rule says.
func (s *Store) RecordRuns(ctx context.Context, w Writer, reports []Report) ([]RecordedRun, error) {
	for _, r := range reports {
		if err := r.validate(); err != nil {
			return nil, err
		}
	}
	var recorded []RecordedRun
	err := s.write(ctx, w.Actor, func(t *tx) error {
		e, err := t.enter(w)
		if err != nil {
			return err
		}
		found, err := e.reportedSuites(reports)
		if err != nil {
			return err
		}
		right, err := e.permit(Facts{Suites: found.facts})
		if err != nil {
			return err
		}
		for _, workspace := range found.workspaces() {
			if err := t.lockAssets(workspace, found.assets[workspace]); err != nil {
				return err
			}
		}
		if recorded, err = t.recordRuns(reports); err != nil {
			return err
		}
		for i, r := range recorded {
			if r.Outcome == RunCreated || r.Outcome == RunAdvanced {
				t.record(Event{
					Action: "run.report", Resource: r.ID, Suite: reports[i].Suite, AdminOverride: right.AdminOverride,
					After: map[string]any{"suite": reports[i].Suite, "state": string(reports[i].State)},
				})
			}
		}
		for _, workspace := range found.workspaces() {
			if err := t.keepVerdicts(workspace, found.assets[workspace]); err != nil {
				return err
			}
		}
		return nil
	})
	return recorded, err
}

const reportedSuitesQuery = `
UNWIND $ids AS id
MATCH (s:Suite {id: id})-[:CHECKS]->(a:Dataset:Asset) WHERE $VISIBLE(a) AND $LADDER(s)
RETURN s.id, s.owner, $HELD(s), a.workspace, a.id`

// reportedSuites are the suites that reports are about: what they say of the caller's rights, and their
// assets by workspace.
type reportedSuites struct {
	facts  []SuiteFacts
	assets map[string][]string
}

// workspaces are those of the assets, in the order in which every transaction locks.
func (r reportedSuites) workspaces() []string { return slices.Sorted(maps.Keys(r.assets)) }

// reportedSuites reads them. Errors: NOT_FOUND if one is not there.
func (e entered) reportedSuites(reports []Report) (reportedSuites, error) {
	ids := map[string]bool{}
	for _, r := range reports {
		ids[r.Suite] = true
	}
	rows, err := e.runScoped(reportedSuitesQuery, map[string]any{"ids": slices.Sorted(maps.Keys(ids))})
	if err != nil {
		return reportedSuites{}, err
	}
	if len(rows) != len(ids) {
		return reportedSuites{}, fault.NotFound("suite")
	}
	found := reportedSuites{assets: map[string][]string{}}
	for _, r := range rows {
		found.facts = append(found.facts, SuiteFacts{ID: text(r[0]), Owner: text(r[1]), Share: highestShare(r[2])})
		found.assets[text(r[3])] = append(found.assets[text(r[3])], text(r[4]))
	}
	return found, nil
}
