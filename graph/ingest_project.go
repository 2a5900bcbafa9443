package graph

import (
	"maps"
	"slices"
)

const projectQuery = `
MATCH (d:Datasource {workspace: $workspace}) WHERE $VISIBLE(d)
WITH d ORDER BY d.name
WITH collect(` + datasourceColumns + `) AS datasources
OPTIONAL MATCH (:Workspace {id: $workspace})-[:HAS_PROJECT]->(p:Project {producer: $producer})
RETURN datasources, p.datasource`

// Landing is where an ingest may put what it names.
type Landing struct {
	// Datasources are those of the workspace, by name.
	Datasources []*Datasource
	// Kept is the datasource that was named for the project before, nil for none.
	Kept *Datasource
}

func (e entered) landing(producer string) (Landing, error) {
	rows, err := e.run(e.Audience, projectQuery, map[string]any{"workspace": e.Workspace, "producer": producer})
	if err != nil {
		return Landing{}, err
	}
	var l Landing
	for _, v := range list(rows[0][0]) {
		d := readDatasource(v)
		l.Datasources = append(l.Datasources, d)
		if d.ID == text(rows[0][1]) {
			l.Kept = d
		}
	}
	return l, nil
}

// lockProjectQuery makes the project, once: what is merged onto a bound node is merged under its lock.
const lockProjectQuery = `
MATCH (w:Workspace {id: $workspace})
MERGE (w)-[:HAS_PROJECT]->(p:Project {producer: $producer})
ON CREATE SET p.workspace = $workspace, p.name = $name, p.createdAt = $at
SET p.datasource = CASE WHEN $datasource = '' THEN p.datasource ELSE $datasource END
RETURN [(p)-[:DESCRIBES]->(n:Dataset) | n.id]`

// lockProject lets the ingests of one project take turns, keeps the datasource that was named for it,
// and returns the ids of the nodes that it describes so far.
func (e entered) lockProject(in Ingest) (map[string]bool, error) {
	rows, err := e.runUnscoped(lockProjectQuery, map[string]any{
		"workspace": e.Workspace, "producer": in.Producer, "name": in.Project, "datasource": in.Datasource, "at": e.store.nowMillis(),
	})
	if err != nil {
		return nil, err
	}
	described := map[string]bool{}
	for _, id := range texts(rows[0][0]) {
		described[id] = true
	}
	return described, nil
}

const describeQuery = `
MATCH (:Workspace {id: $workspace})-[:HAS_PROJECT]->(p:Project {producer: $producer})
UNWIND $rows AS v
MATCH (n:Dataset {id: v.id, workspace: $workspace})
USING INDEX SEEK n:Dataset(id, workspace)
OPTIONAL MATCH (:Project)-[old:DESCRIBES]->(n)
DELETE old
CREATE (p)-[:DESCRIBES {builds: v.builds}]->(n)`

const undescribeQuery = `
MATCH (:Workspace {id: $workspace})-[:HAS_PROJECT]->(p:Project {producer: $producer})
UNWIND $rows AS id
MATCH (n:Dataset {id: id, workspace: $workspace})
USING INDEX SEEK n:Dataset(id, workspace)
MATCH (p)-[x:DESCRIBES]->(n)
DELETE x`

// describe notes what the project describes from now on, by id and whether it builds it, and lets go of
// what it does not name any more, so that another project may describe that.
func (e entered) describe(producer string, builds map[string]bool, gone map[string]bool) error {
	params := map[string]any{"workspace": e.Workspace, "producer": producer}
	var rows []any
	for _, id := range slices.Sorted(maps.Keys(builds)) {
		rows = append(rows, map[string]any{"id": id, "builds": builds[id]})
	}
	if _, err := e.runBatched(describeQuery, rows, params); err != nil {
		return err
	}
	_, err := e.runBatched(undescribeQuery, sortedAny(gone), params)
	return err
}
