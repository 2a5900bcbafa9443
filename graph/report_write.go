package graph

import (
	"maps"
	"slices"
)

// Statements that look up one node for each row name the index to use: while a store is still empty, the
// planner cannot tell it from one that finds the whole workspace, and a first ingest would take hours.

// batchSize is how many rows one statement of a batched write takes.
const batchSize = 5_000

// runBatched runs a statement over rows in batches of bounded size, and returns what all of them
// returned.
func (t *tx) runBatched(statement string, rows []any, params map[string]any) ([]row, error) {
	return t.runInBatches(batchSize, statement, rows, params)
}

func (t *tx) runInBatches(size int, statement string, rows []any, params map[string]any) ([]row, error) {
	var out []row
	for batch := range slices.Chunk(rows, size) {
		all := maps.Clone(params)
		if all == nil {
			all = map[string]any{}
		}
		all["rows"] = batch
		found, err := t.runUnscoped(statement, all)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

const runSuitesQuery = `
UNWIND $rows AS id
MATCH (s:Suite {id: id})
RETURN s.id, [(s)-[:HAS_CHECK]->(c:Check) | [c.id, c.severity, c.dimension]],
  [(s)-[:HAS_CONFIG]->(k:ValidationConfig) | [k.batch, head([(k)-[:LATEST]->(r:Run) | [r.finishedAt, r.id]])]]`

const knownRunsQuery = `
UNWIND $rows AS id
MATCH (r:Run {id: id})
RETURN r.id, r.state, r.digest, r.startedAt, head([(k:ValidationConfig)-[:HAS_RUN]->(r) | k.batch])`

const putRunsQuery = `
UNWIND $rows AS v
MATCH (k:ValidationConfig {suite: v.suite, batch: v.batch})
MERGE (r:Run {id: v.id})
ON CREATE SET r.workspace = k.workspace, r.suite = v.suite, r.createdAt = $at
SET r.state = v.state, r.digest = v.digest, r.startedAt = v.startedAt, r.finishedAt = v.finishedAt,
  r.severityRank = v.severityRank, r.checksTotal = v.checksTotal, r.checksPassed = v.checksPassed, r.byDimension = v.byDimension
MERGE (k)-[:HAS_RUN]->(r)
FOREACH (_ IN CASE WHEN v.active THEN [1] ELSE [] END | MERGE (k)-[:ACTIVE]->(r))
WITH k, r, v WHERE NOT v.active
MATCH (k)-[x:ACTIVE]->(r)
DELETE x`

const putResultsQuery = `
UNWIND $rows AS v
MATCH (r:Run {id: v.run})
MATCH (c:Check {id: v.check})
CREATE (r)-[:HAS_RESULT]->(:Result {workspace: r.workspace, status: v.status, severity: v.severity, observed: v.observed,
  failingCount: v.failingCount})-[:OF_CHECK]->(c)`

const moveLatestQuery = `
UNWIND $rows AS v
MATCH (k:ValidationConfig {suite: v.suite, batch: v.batch})
MATCH (r:Run {id: v.run})
OPTIONAL MATCH (k)-[old:LATEST]->(:Run)
DELETE old
MERGE (k)-[:LATEST]->(r)`

// recordRuns writes the runs that the reports make or advance, without their verdicts: the caller has
// locked the assets of the suites and keeps their verdicts afterwards. Errors: NOT_FOUND for a suite that
// is gone, BAD_USER_INPUT for a check or batch that is not the suite's.
func (t *tx) recordRuns(reports []Report) ([]RecordedRun, error) {
	suites, err := t.runSuites(reports)
	if err != nil {
		return nil, err
	}
	known, err := t.knownRuns(reports)
	if err != nil {
		return nil, err
	}
	plan, err := planRuns(reports, suites, known)
	if err != nil {
		return nil, err
	}
	var runs, latest []any
	for _, id := range slices.Sorted(maps.Keys(plan.runs)) {
		runs = append(runs, plan.runs[id])
	}
	for key, r := range plan.latest {
		latest = append(latest, map[string]any{"suite": key.suite, "batch": key.batch, "run": r.id})
	}
	if _, err := t.runBatched(putRunsQuery, runs, map[string]any{"at": t.store.nowMillis()}); err != nil {
		return nil, err
	}
	if _, err := t.runBatched(putResultsQuery, plan.results, nil); err != nil {
		return nil, err
	}
	if _, err := t.runBatched(moveLatestQuery, latest, nil); err != nil {
		return nil, err
	}
	return plan.outcomes, nil
}

func (t *tx) runSuites(reports []Report) (map[string]runSuite, error) {
	ids := map[string]bool{}
	for _, r := range reports {
		ids[r.Suite] = true
	}
	rows, err := t.runBatched(runSuitesQuery, sortedAny(ids), nil)
	if err != nil {
		return nil, err
	}
	suites := make(map[string]runSuite, len(rows))
	for _, r := range rows {
		s := runSuite{checks: map[string]runCheck{}, latest: map[string]latestRun{}}
		for _, x := range list(r[1]) {
			c := list(x)
			s.checks[text(c[0])] = runCheck{severity: Severity(text(c[1])), dimension: Dimension(text(c[2]))}
		}
		for _, x := range list(r[2]) {
			k := list(x)
			latest := noRun()
			if at := list(k[1]); len(at) == 2 {
				latest.finishedAt, _ = at[0].(int64)
				latest.id = text(at[1])
			}
			s.latest[text(k[0])] = latest
		}
		suites[text(r[0])] = s
	}
	return suites, nil
}

func (t *tx) knownRuns(reports []Report) (map[string]knownRun, error) {
	ids := map[string]bool{}
	for _, r := range reports {
		ids[RunGlobalID(r.Suite, r.RunID)] = true
	}
	rows, err := t.runBatched(knownRunsQuery, sortedAny(ids), nil)
	if err != nil {
		return nil, err
	}
	known := make(map[string]knownRun, len(rows))
	for _, r := range rows {
		known[text(r[0])] = knownRun{state: RunState(text(r[1])), digest: text(r[2]), startedAt: r[3], batch: text(r[4])}
	}
	return known, nil
}

// sortedAny is a set as sorted rows of a statement.
func sortedAny(set map[string]bool) []any {
	out := make([]any, 0, len(set))
	for _, s := range slices.Sorted(maps.Keys(set)) {
		out = append(out, s)
	}
	return out
}
