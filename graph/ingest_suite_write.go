package graph

const createSuitesQuery = `
MATCH (:Workspace {id: $workspace})-[:HAS_PROJECT]->(p:Project {producer: $producer})
UNWIND $rows AS v
MATCH (a:Dataset:Asset {id: v.asset, workspace: $workspace})
USING INDEX SEEK a:Dataset(id, workspace)
CREATE (s:Suite {id: v.id, workspace: $workspace, asset: a.id, name: $name, owner: $owner, createdAt: $at, producer: $producer})-[:CHECKS]->(a)
CREATE (s)-[:HAS_CONFIG]->(:ValidationConfig {workspace: $workspace, suite: s.id, batch: ''})
CREATE (p)-[:KEEPS]->(s)`

const putChecksQuery = `
UNWIND $rows AS v
MATCH (s:Suite {id: v.suite})
MERGE (c:Check {id: v.id})
ON CREATE SET c.workspace = $workspace, c.suite = s.id, c.key = v.key
SET c.name = v.name, c.expectation = v.expectation, c.column = v.column, c.severity = v.severity, c.dimension = v.dimension,
  c.config = v.config
MERGE (s)-[:HAS_CHECK]->(c)`

// dropChecksQuery takes checks from their suites. One that a run has a result of stays behind, apart
// from its suite, so that the run can still say what it checked.
const dropChecksQuery = `
UNWIND $rows AS id
MATCH (:Suite)-[h:HAS_CHECK]->(c:Check {id: id})
DELETE h
WITH c WHERE NOT EXISTS { (c)<-[:OF_CHECK]-(:Result) }
DELETE c`

// writeSuites writes the planned suites with their checks and runs, and returns how many runs are new.
// The caller has locked their assets and keeps their verdicts afterwards.
func (e entered) writeSuites(in Ingest, plans []suitePlan) (runsCreated int, err error) {
	var suites, put, drop []any
	var reports []Report
	for _, p := range plans {
		if p.isNew {
			suites = append(suites, map[string]any{"id": p.facts.ID, "asset": p.asset})
		}
		for _, c := range p.put {
			put = append(put, map[string]any{
				"suite": p.facts.ID, "id": c.id, "key": c.key, "name": c.name, "expectation": c.expectation, "column": c.column,
				"severity": c.severity, "dimension": c.dimension, "config": textOrAbsent(c.config),
			})
		}
		for _, id := range p.remove {
			drop = append(drop, id)
		}
		reports = append(reports, p.reports...)
	}
	params := map[string]any{
		"workspace": e.Workspace, "producer": in.Producer, "name": in.SuiteName, "owner": e.User, "at": e.store.nowMillis(),
	}
	if _, err := e.runBatched(createSuitesQuery, suites, params); err != nil {
		return 0, err
	}
	if _, err := e.runBatched(putChecksQuery, put, params); err != nil {
		return 0, err
	}
	if _, err := e.runBatched(dropChecksQuery, drop, params); err != nil {
		return 0, err
	}
	recorded, err := e.recordRuns(reports)
	for _, r := range recorded {
		if r.Outcome == RunCreated {
			runsCreated++
		}
	}
	return runsCreated, err
}

// textOrAbsent is a text as a property: "" is none.
func textOrAbsent(s string) any {
	if s == "" {
		return nil
	}
	return s
}
