package graph

import (
	"cmp"
	"slices"
)

const existingEdgesQuery = `
UNWIND $rows AS v
MATCH (:Dataset)-[r:FEEDS {id: v.id, workspace: $workspace}]->(:Dataset)
RETURN v.id`

const createEdgesQuery = `
UNWIND $rows AS v
MATCH (s:Dataset {id: v.source, workspace: v.sourceWorkspace})
USING INDEX SEEK s:Dataset(id, workspace)
MATCH (t:Dataset {id: v.target, workspace: v.targetWorkspace})
USING INDEX SEEK t:Dataset(id, workspace)
CREATE (s)-[:FEEDS {id: v.id, workspace: $workspace, category: $category, createdAt: $at, createdBy: $by}]->(t)`

const assertEdgesQuery = `
UNWIND $rows AS v
MERGE (x:Assertion {edge: v.id, producer: $producer, workspace: $workspace})
SET x.eventKind = 'INGEST', x.at = $at, x.retractedAt = null`

const retractEdgesQuery = `
UNWIND $rows AS v
MATCH (x:Assertion {edge: v.id, producer: $producer, workspace: $workspace})
DELETE x
WITH v WHERE NOT EXISTS {
  MATCH (o:Assertion {edge: v.id, workspace: $workspace})
  USING INDEX SEEK o:Assertion(edge, producer, workspace)
  WHERE o.producer IS NOT NULL AND o.producer <> $producer
}
MATCH (:Dataset {id: v.source, workspace: v.sourceWorkspace})-[r:FEEDS {id: v.id, workspace: $workspace}]->(:Dataset {id: v.target, workspace: v.targetWorkspace})
DELETE r`

// retireEdgesQuery keeps who asserted the edges, and those edges that nobody else asserts, out of every walk.
const retireEdgesQuery = `
UNWIND $rows AS v
MATCH (x:Assertion {edge: v.id, producer: $producer, workspace: $workspace})
SET x.retractedAt = $at
WITH v WHERE NOT EXISTS {
  MATCH (o:Assertion {edge: v.id, workspace: $workspace})
  USING INDEX SEEK o:Assertion(edge, producer, workspace)
  WHERE o.producer IS NOT NULL AND o.producer <> $producer AND o.retractedAt IS NULL
}
MATCH (s:Dataset {id: v.source, workspace: v.sourceWorkspace})-[r:FEEDS {id: v.id, workspace: $workspace}]->(t:Dataset {id: v.target, workspace: v.targetWorkspace})
CREATE (s)-[retired:FED]->(t)
SET retired = properties(r), retired.retiredAt = $at
DELETE r`

const reviveEdgesQuery = `
UNWIND $rows AS v
MATCH (s:Dataset)-[r:FED {id: v.id, workspace: $workspace}]->(t:Dataset)
CREATE (s)-[revived:FEEDS]->(t)
SET revived = properties(r), revived.retiredAt = null
DELETE r
RETURN v.id`

// writeEdges asserts and retracts the planned edges. An edge that another producer asserts already is
// there; one goes with its last assertion, or retires if its category does.
func (e entered) writeEdges(by producer, p edgePlan) error {
	params := map[string]any{
		"workspace": e.Workspace, "producer": by.name, "category": string(by.category), "at": e.store.nowMillis(), "by": e.User,
	}
	asserted := edgeRows(e.Workspace, slices.Concat(p.create, p.restore))
	if err := e.makeEdges(by, slices.Concat(p.create, p.restore), params); err != nil {
		return err
	}
	if _, err := e.runBatched(assertEdgesQuery, asserted, params); err != nil {
		return err
	}
	retract := retractEdgesQuery
	if by.category.Retires() {
		retract = retireEdgesQuery
	}
	removed := edgeRows(e.Workspace, p.remove)
	if _, err := e.runBatched(retract, removed, params); err != nil {
		return err
	}
	if err := e.sweepPairs(e.Workspace, by.name, removed); err != nil {
		return err
	}
	for _, edge := range slices.Concat(p.create, p.restore, p.remove) {
		e.touch(FamilyLineage, e.Workspace, edge.id, edge.hidden())
	}
	return nil
}

// makeEdges makes those of the edges that are not there: retired ones come back.
func (e entered) makeEdges(by producer, edges []plannedEdge, params map[string]any) error {
	find := []string{existingEdgesQuery}
	if by.category.Retires() {
		find = append(find, reviveEdgesQuery)
	}
	for _, statement := range find {
		found, err := e.runBatched(statement, edgeRows(e.Workspace, edges), params)
		if err != nil {
			return err
		}
		exists := make(map[string]bool, len(found))
		for _, r := range found {
			exists[text(r[0])] = true
		}
		edges = slices.DeleteFunc(slices.Clone(edges), func(edge plannedEdge) bool { return exists[edge.id] })
	}
	_, err := e.runBatched(createEdgesQuery, edgeRows(e.Workspace, edges), params)
	return err
}

// edgeRows are edges as rows of a statement; ends that say no workspace are of this one.
func edgeRows(workspace string, edges []plannedEdge) []any {
	rows := make([]any, len(edges))
	for i, e := range edges {
		rows[i] = map[string]any{
			"id": e.id, "source": e.source.id, "target": e.target.id,
			"sourceWorkspace": cmp.Or(e.source.workspace, workspace), "targetWorkspace": cmp.Or(e.target.workspace, workspace),
		}
	}
	return rows
}
