package graph

import (
	"maps"
	"slices"
)

const projectQuery = `
MATCH (d:Datasource {workspace: $workspace}) WHERE $VISIBLE(d)
WITH d ORDER BY d.name
WITH collect(` + datasourceColumns + `) AS datasources
OPTIONAL MATCH (:Workspace {id: $workspace})-[:HAS_PROJECT]->(p:Project)
WHERE p.producer = $producer OR p.producer STARTS WITH $producer + '@'
WITH datasources, p, coalesce(p.home, head(COLLECT {
  MATCH (p)-[:DESCRIBES {builds: true}]->(a:Asset)
  WITH a.datasource AS home, count(*) AS relations
  RETURN home ORDER BY relations DESC, home
}), p.datasource) AS home
ORDER BY p.producer
RETURN datasources, collect([p.producer, p.datasource, home])`

// homeSeparator stands between what all projects of a name share of their producer, and the home.
const homeSeparator = "@"

// ProducerOf is who speaks for the project of that home, where name is what all projects of its name share.
func ProducerOf(name, home string) string { return name + homeSeparator + home }

// Landing is where an ingest may put what it names.
type Landing struct {
	// Datasources are those of the workspace, by name.
	Datasources []*Datasource
	// Projects are those of the same name that were ingested before.
	Projects []Project
}

// Project is a project that was ingested before. Tools name projects as they like, so that a workspace may
// have several of one name: they are told apart by their homes.
type Project struct {
	Producer string
	// Home is the id of the datasource that it built most of its relations in when it first came, "" for none.
	Home string
	// Kept is the datasource that was last named for it: nil for none, or one that the caller may not edit.
	Kept *Datasource
}

// landing reads where the projects of a name may put what they name.
//
// SECURITY: what someone else kept for a project of the same name does not send the caller's elsewhere
// (TestAnotherProjectOfTheNameTakesNothing).
func (e entered) landing(name string) (Landing, error) {
	rows, err := e.run(e.Audience, projectQuery, map[string]any{"workspace": e.Workspace, "producer": name})
	if err != nil {
		return Landing{}, err
	}
	var l Landing
	byID := map[string]*Datasource{}
	for _, v := range list(rows[0][0]) {
		d := readDatasource(v)
		l.Datasources = append(l.Datasources, d)
		byID[d.ID] = d
	}
	mayEdit := e.mayEditDatasource(nil)
	for _, v := range list(rows[0][1]) {
		p := list(v)
		if p[0] == nil {
			continue
		}
		project := Project{Producer: text(p[0]), Home: text(p[2])}
		if kept := byID[text(p[1])]; kept != nil {
			may, err := mayEdit(kept.ID)
			if err != nil {
				return Landing{}, err
			}
			if may {
				project.Kept = kept
			}
		}
		l.Projects = append(l.Projects, project)
	}
	return l, nil
}

// lockProjectQuery makes the project, once: what is merged onto a bound node is merged under its lock.
const lockProjectQuery = `
MATCH (w:Workspace {id: $workspace})
MERGE (w)-[:HAS_PROJECT]->(p:Project {producer: $producer})
ON CREATE SET p.workspace = $workspace, p.name = $name, p.createdAt = $at
SET p.datasource = CASE WHEN $datasource = '' THEN p.datasource ELSE $datasource END,
  p.home = coalesce(p.home, CASE WHEN $home = '' THEN null ELSE $home END)
RETURN [(p)-[x:DESCRIBES]->(n:Dataset) | [n.id, coalesce(x.builds, false)]]`

// lockProject lets the ingests of one project take turns, keeps the datasource that was named for it,
// and returns the ids of the nodes that it describes so far, with whether it builds them.
func (e entered) lockProject(in Ingest) (map[string]bool, error) {
	rows, err := e.runUnscoped(lockProjectQuery, map[string]any{
		"workspace": e.Workspace, "producer": in.Producer, "name": in.Project, "datasource": in.Datasource, "home": in.Home, "at": e.store.nowMillis(),
	})
	if err != nil {
		return nil, err
	}
	described := map[string]bool{}
	for _, v := range list(rows[0][0]) {
		described[text(list(v)[0])] = boolean(list(v)[1])
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
