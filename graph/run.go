package graph

import (
	"context"
	"time"
)

// Run is one execution of a suite. It carries the suite, by whose facts it is gated.
type Run struct {
	ID           string
	Suite        *Suite
	State        RunState
	StartedAt    *time.Time
	FinishedAt   *time.Time
	ChecksTotal  int
	ChecksPassed int
	// createdAt orders runs that have not finished.
	createdAt int64
}

// IsNode marks a Run as an object with a global id.
func (*Run) IsNode() {}

// OfSuite are the facts of the run's suite.
func (r *Run) OfSuite() SuiteFacts { return r.Suite.SuiteFacts }

// runColumns is a run r as one list; a run that has not finished stands by when it was made.
const runColumns = `[r.id, r.state, r.startedAt, r.finishedAt, r.checksTotal, r.checksPassed, r.createdAt]`

func readRun(v any, suite *Suite) *Run {
	c := list(v)
	return &Run{
		ID: text(c[0]), Suite: suite, State: RunState(text(c[1])), StartedAt: instant(c[2]), FinishedAt: instant(c[3]),
		ChecksTotal: integer(c[4]), ChecksPassed: integer(c[5]), createdAt: int64(integer(c[6])),
	}
}

const runsByIDQuery = `
UNWIND $ids AS id
MATCH (r:Run {id: id})<-[:HAS_RUN]-(:ValidationConfig)<-[:HAS_CONFIG]-(s:Suite)` + suiteMatch + `
RETURN ` + runColumns + `, ` + suiteColumns

// Runs returns those of the ids whose asset is in the scope's audience, by id, whether or not the caller
// may view their suites: the gate decides on the facts they carry.
func (s *Store) Runs(ctx context.Context, scope Scope, ids []string) (map[string]*Run, error) {
	rows, err := s.readScoped(ctx, scope, runsByIDQuery, map[string]any{"ids": ids})
	if err != nil {
		return nil, err
	}
	out := make(map[string]*Run, len(rows))
	for _, r := range rows {
		run := readRun(r[0], readSuite(r[1]))
		out[run.ID] = run
	}
	return out, nil
}

// RunsOf asks for a page of one suite's runs, newest first.
type RunsOf struct {
	Suite string
	First int
	// After is set behind the run of that time and id.
	After   bool
	AfterAt int64
	AfterID string
}

// RunPosition is where a run stands among its suite's, for a cursor.
func RunPosition(r *Run) Position {
	at := r.createdAt
	if r.FinishedAt != nil {
		at = r.FinishedAt.UnixMilli()
	}
	return Position{After: true, Number: at, ID: r.ID}
}

const runsOfQuery = `
UNWIND $keys AS k
MATCH (s:Suite {id: k.suite}) WHERE $LADDER(s)` + suiteMatch + `
RETURN k.index, ` + suiteColumns + `,
  COUNT { (s)-[:HAS_CONFIG]->(:ValidationConfig)-[:HAS_RUN]->(:Run) },
  COLLECT {
    MATCH (s)-[:HAS_CONFIG]->(:ValidationConfig)-[:HAS_RUN]->(r:Run)
    WITH r, coalesce(r.finishedAt, r.createdAt) AS at
    WHERE NOT k.paging OR at < k.afterAt OR (at = k.afterAt AND r.id < k.afterID)
    RETURN ` + runColumns + ` ORDER BY at DESC, r.id DESC LIMIT $most
  }[0..k.limit]`

// RunsOfSuites returns a page of runs for each key whose suite the caller may view.
func (s *Store) RunsOfSuites(ctx context.Context, scope Scope, keys []RunsOf) (map[RunsOf]Page[*Run], error) {
	asked, most := make([]any, len(keys)), 0
	for i, k := range keys {
		asked[i] = map[string]any{
			"index": i, "suite": k.Suite, "paging": k.After, "afterAt": k.AfterAt, "afterID": k.AfterID, "limit": k.First + 1,
		}
		most = max(most, k.First+1)
	}
	rows, err := s.readScoped(ctx, scope, runsOfQuery, map[string]any{"keys": asked, "most": most})
	if err != nil {
		return nil, err
	}
	out := make(map[RunsOf]Page[*Run], len(rows))
	for _, r := range rows {
		key, suite := keys[integer(r[0])], readSuite(r[1])
		page := Page[*Run]{Total: integer(r[2]), Scope: scope}
		for _, v := range list(r[3]) {
			page.Items = append(page.Items, readRun(v, suite))
		}
		out[key] = page.trim(Position{First: key.First, After: key.After})
	}
	return out, nil
}

// CheckResult is the outcome of one check in a run.
type CheckResult struct {
	Check        *Check
	Status       CheckStatus
	Severity     Severity
	Observed     any
	FailingCount *int
}

const resultsQuery = `
UNWIND $ids AS id
MATCH (r:Run {id: id})<-[:HAS_RUN]-(:ValidationConfig)<-[:HAS_CONFIG]-(s:Suite)-[:CHECKS]->(a:Dataset:Asset)
WHERE $VISIBLE(a) AND $LADDER(s)
RETURN r.id, COLLECT {
  MATCH (r)-[:HAS_RESULT]->(x:Result)-[:OF_CHECK]->(c:Check)
  RETURN [x.status, x.severity, x.observed, x.failingCount, ` + checkColumns + `] ORDER BY c.name, c.id
}`

// Results returns the results of the runs whose suites the caller may view, by run id.
func (s *Store) Results(ctx context.Context, scope Scope, runs []string) (map[string][]*CheckResult, error) {
	rows, err := s.readScoped(ctx, scope, resultsQuery, map[string]any{"ids": runs})
	if err != nil {
		return nil, err
	}
	out := make(map[string][]*CheckResult, len(rows))
	for _, r := range rows {
		results := []*CheckResult{}
		for _, v := range list(r[1]) {
			c := list(v)
			results = append(results, &CheckResult{
				Status: CheckStatus(text(c[0])), Severity: Severity(text(c[1])), Observed: decoded(c[2]),
				FailingCount: integerOrNil(c[3]), Check: readCheck(c[4]),
			})
		}
		out[text(r[0])] = results
	}
	return out, nil
}
