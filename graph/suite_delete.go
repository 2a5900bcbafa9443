package graph

import "context"

// deleteSuitesQuery deletes suites with their shares, checks, configs, runs and results: of the checks also
// those that left their suite and that only a result held.
const deleteSuitesQuery = `
UNWIND $ids AS id
MATCH (s:Suite {id: id})
CALL (s) { OPTIONAL MATCH (s)-[:HAS_CHECK]->(k:Check) RETURN collect(k) AS current }
CALL (s) {
  OPTIONAL MATCH (s)-[:HAS_CONFIG]->(:ValidationConfig)-[:HAS_RUN]->(:Run)-[:HAS_RESULT]->(:Result)-[:OF_CHECK]->(k:Check)
  RETURN collect(DISTINCT k) AS past
}
CALL (s) {
  OPTIONAL MATCH (s)-[:HAS_CONFIG]->(c:ValidationConfig)
  OPTIONAL MATCH (c)-[:HAS_RUN]->(r:Run)
  OPTIONAL MATCH (r)-[:HAS_RESULT]->(x:Result)
  WITH collect(DISTINCT c) AS configs, collect(DISTINCT r) AS runs, collect(x) AS results
  FOREACH (n IN results + runs + configs | DETACH DELETE n)
  RETURN size(runs) AS runs
}
FOREACH (n IN current + past | DETACH DELETE n)
DETACH DELETE s
RETURN id, runs`

// DeleteSuite deletes a suite and all that it holds. One that a project keeps comes back, empty of runs,
// with the project's next ingest. Errors: NOT_FOUND for one on which the caller holds nothing, and what
// the rule says.
func (s *Store) DeleteSuite(ctx context.Context, w Writer, id string) error {
	return s.changeSuite(ctx, w, theSuite(id), false, func(e entered, before suiteBefore, right Right) error {
		deleted, err := e.runUnscoped(deleteSuitesQuery, map[string]any{"ids": []string{id}})
		if err != nil {
			return tooLarge(err)
		}
		e.touch(FamilyDirectory, e.Workspace, id, visibleToAll)
		e.record(Event{
			Action: "suite.delete", Resource: id, AdminOverride: right.AdminOverride,
			Before: map[string]any{
				"name": before.name, "asset": before.asset.ID, "owner": before.Owner, "checks": len(before.checks), "runs": integer(deleted[0][1]),
			},
		})
		return e.keepVerdicts(before.asset.Workspace, []string{before.asset.ID})
	})
}
