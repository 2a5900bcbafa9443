package graph

import "slices"

const existingEdgesQuery = `
UNWIND $rows AS v
MATCH (:Dataset)-[r:FEEDS {id: v.id, workspace: $workspace}]->(:Dataset)
RETURN v.id`

const createEdgesQuery = `
UNWIND $rows AS v
MATCH (s:Dataset {id: v.source, workspace: $workspace})
USING INDEX SEEK s:Dataset(id, workspace)
MATCH (t:Dataset {id: v.target, workspace: $workspace})
USING INDEX SEEK t:Dataset(id, workspace)
CREATE (s)-[:FEEDS {id: v.id, workspace: $workspace, category: $category, createdAt: $at, createdBy: $by}]->(t)`

const assertEdgesQuery = `
UNWIND $rows AS v
MERGE (x:Assertion {edge: v.id, producer: $producer, workspace: $workspace})
SET x.eventKind = 'INGEST', x.at = $at`

const retractEdgesQuery = `
UNWIND $rows AS v
MATCH (x:Assertion {edge: v.id, producer: $producer, workspace: $workspace})
DELETE x
WITH v WHERE NOT EXISTS {
  MATCH (o:Assertion {edge: v.id, workspace: $workspace})
  USING INDEX SEEK o:Assertion(edge, producer, workspace)
  WHERE o.producer IS NOT NULL AND o.producer <> $producer
}
MATCH (:Dataset {id: v.source, workspace: $workspace})-[r:FEEDS {id: v.id, workspace: $workspace}]->(:Dataset {id: v.target, workspace: $workspace})
DELETE r`

// writeEdges asserts and retracts the planned edges. An edge that another producer asserts already is
// there; one goes with its last assertion.
func (e entered) writeEdges(in Ingest, p edgePlan) error {
	params := map[string]any{
		"workspace": e.Workspace, "producer": in.Producer, "category": string(in.Category), "at": e.store.nowMillis(), "by": e.User,
	}
	asserted := edgeRows(slices.Concat(p.create, p.restore))
	found, err := e.runBatched(existingEdgesQuery, asserted, params)
	if err != nil {
		return err
	}
	exists := make(map[string]bool, len(found))
	for _, r := range found {
		exists[text(r[0])] = true
	}
	missing := slices.DeleteFunc(slices.Concat(p.create, p.restore), func(edge plannedEdge) bool { return exists[edge.id] })
	if _, err := e.runBatched(createEdgesQuery, edgeRows(missing), params); err != nil {
		return err
	}
	if _, err := e.runBatched(assertEdgesQuery, asserted, params); err != nil {
		return err
	}
	if _, err := e.runBatched(retractEdgesQuery, edgeRows(p.remove), params); err != nil {
		return err
	}
	for _, edge := range slices.Concat(p.create, p.restore, p.remove) {
		e.touch(FamilyLineage, e.Workspace, edge.id, edge.hidden())
	}
	return nil
}

func edgeRows(edges []plannedEdge) []any {
	rows := make([]any, len(edges))
	for i, e := range edges {
		rows[i] = map[string]any{"id": e.id, "source": e.source.id, "target": e.target.id}
	}
	return rows
}
