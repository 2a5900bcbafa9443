package graph

import (
	"slices"
	"time"
)

// lockQuery takes the write locks of the assets, in the order of their ids.
const lockQuery = `
UNWIND $ids AS id
MATCH (a:Dataset:Asset {id: id, workspace: $workspace})
USING INDEX SEEK a:Dataset(id, workspace)
SET a.id = a.id`

// lockAssets is the first statement of every transaction that records a run or changes a suite: without
// it two transactions compute from each other's past and the later one keeps a wrong verdict
// (TestConcurrentReportsKeepTheVerdict).
func (t *tx) lockAssets(workspace string, ids []string) error {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	_, err := t.runUnscoped(lockQuery, map[string]any{"ids": ids, "workspace": workspace})
	return err
}

const verdictFactsQuery = `
UNWIND $ids AS id
MATCH (a:Dataset:Asset {id: id, workspace: $workspace})
USING INDEX SEEK a:Dataset(id, workspace)
RETURN a.id, a.hiddenRank, COUNT { (a)<-[:CHECKS]-(:Suite) }, a.columnCount,
  EXISTS { (a)<-[:CHECKS]-(:Suite)-[:HAS_CONFIG]->(:ValidationConfig)-[:ACTIVE]->(:Run) },
  EXISTS { (a)<-[:ABOUT]-(:Incident {state: 'OPEN'}) },
  [(a)<-[:CHECKS]-(:Suite)-[:HAS_CONFIG]->(:ValidationConfig)-[:LATEST]->(r:Run) |
    [r.state, r.finishedAt, r.severityRank, r.checksTotal, r.checksPassed, r.byDimension]],
  [(a)<-[:CHECKS]-(:Suite)-[:HAS_CHECK]->(c:Check) | [c.dimension, coalesce(c.column, '')]]`

const verdictKeepQuery = `
UNWIND $rows AS v
MATCH (a:Dataset:Asset {id: v.id, workspace: $workspace})
USING INDEX SEEK a:Dataset(id, workspace)
WITH a, v, [coalesce(a.severityRank, -2), a.checksTotal, a.checksPassed, a.hasFailedRun, a.hasRunningRun, a.hasOpenIncident,
  coalesce(a.lastRunAt, -1), a.suiteCount] <> [coalesce(v.severityRank, -2), v.checksTotal, v.checksPassed, v.hasFailedRun,
  v.hasRunningRun, v.hasOpenIncident, coalesce(v.lastRunAt, -1), v.suiteCount] OR a.scorecard <> v.scorecard AS changed,
  (a.suiteCount > 0) <> (v.suiteCount > 0) AS monitoring
WHERE changed
SET a.severityRank = v.severityRank, a.checksTotal = v.checksTotal, a.checksPassed = v.checksPassed,
  a.hasFailedRun = v.hasFailedRun, a.hasRunningRun = v.hasRunningRun, a.hasOpenIncident = v.hasOpenIncident,
  a.lastRunAt = v.lastRunAt, a.suiteCount = v.suiteCount, a.scorecard = v.scorecard
RETURN a.id, a.hiddenRank, monitoring`

// keepVerdicts computes the verdicts of the assets, which the transaction has locked, and keeps those
// that changed on their assets.
func (t *tx) keepVerdicts(workspace string, ids []string) error {
	facts, err := t.runUnscoped(verdictFactsQuery, map[string]any{"ids": ids, "workspace": workspace})
	if err != nil {
		return err
	}
	kept := make([]any, 0, len(facts))
	for _, r := range facts {
		v := ComputeVerdict(readVerdictFacts(r))
		kept = append(kept, map[string]any{
			"id": r[0], "severityRank": severityRankOrNil(v.WorstSeverity), "checksTotal": v.ChecksTotal, "checksPassed": v.ChecksPassed,
			"hasFailedRun": v.HasFailedRun, "hasRunningRun": v.HasRunningRun, "hasOpenIncident": v.HasOpenIncident,
			"lastRunAt": millis(v.LastRunAt), "suiteCount": v.SuiteCount, "scorecard": flatScorecard(v.Scorecard),
		})
	}
	changed, err := t.runUnscoped(verdictKeepQuery, map[string]any{"rows": kept, "workspace": workspace})
	if err != nil {
		return err
	}
	for _, r := range changed {
		t.touch(FamilyVerdict, workspace, text(r[0]), integer(r[1]))
		if boolean(r[2]) { // whether it is monitored is identity
			t.touch(FamilyCatalog, workspace, text(r[0]), integer(r[1]))
		}
	}
	return nil
}

func readVerdictFacts(r row) VerdictFacts {
	f := VerdictFacts{SuiteCount: integer(r[2]), ColumnCount: integer(r[3]), HasRunningRun: boolean(r[4]), HasOpenIncident: boolean(r[5])}
	for _, x := range list(r[6]) {
		v := list(x)
		f.Latest = append(f.Latest, LatestRun{
			State: RunState(text(v[0])), FinishedAt: time.UnixMilli(int64(integer(v[1]))).UTC(), Severity: SeverityOf(integer(v[2])),
			Total: integer(v[3]), Passed: integer(v[4]), ByDimension: integers(v[5]),
		})
	}
	for _, x := range list(r[7]) {
		v := list(x)
		f.Checks = append(f.Checks, CheckTarget{Dimension: Dimension(text(v[0])), Column: text(v[1])})
	}
	return f
}

func severityRankOrNil(s *Severity) any {
	if s == nil {
		return nil
	}
	return s.Rank()
}
