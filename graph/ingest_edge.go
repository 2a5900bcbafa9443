package graph

import (
	"maps"
	"slices"

	"github.com/strata-gateway/strata/fault"
)

// edgeEnd is a node that an edge ends at: of an external node the datasource is "".
type edgeEnd struct {
	id, workspace, datasource string
	hidden                    int
}

// plannedEdge is an edge to make or to remove.
type plannedEdge struct {
	id             string
	source, target edgeEnd
}

// hidden is the rank of the edge: who does not see one of its ends does not see it.
func (e plannedEdge) hidden() int { return max(e.source.hidden, e.target.hidden) }

// producer is who speaks for edges of a category: a project, or a scope of something else.
type producer struct {
	name     string
	category EdgeCategory
}

// edgePlan is what becomes of the edges of a producer.
type edgePlan struct {
	// create are new to the producer, restore those that it asserted and someone deleted.
	create, restore []plannedEdge
	remove          []plannedEdge
	unchanged       int
	// kept are the edges that the producer no longer states, but not the caller's to remove.
	kept int
}

const assertedEdgesQuery = `
MATCH (x:Assertion {workspace: $workspace, producer: $producer}) WHERE x.retractedAt IS NULL
OPTIONAL MATCH (a:Dataset)-[r:FEEDS {id: x.edge, workspace: $workspace}]->(b:Dataset)
OPTIONAL MATCH (c:Dataset)-[:FED {id: x.edge, workspace: $workspace}]->(d:Dataset)
WITH x, r, coalesce(a, c) AS s, coalesce(b, d) AS t
RETURN x.edge, r IS NOT NULL, s.id, s.datasource, s.hiddenRank, t.id, t.datasource, t.hiddenRank, s.workspace, t.workspace`

// assertedEdge is an edge that the producer asserted; it exists, as one that is walked, unless someone deleted it
// since. Of one that is retired the ends are known still.
type assertedEdge struct {
	plannedEdge
	exists bool
}

func (t *tx) assertedEdges(workspace, producer string) (map[string]assertedEdge, error) {
	rows, err := t.runUnscoped(assertedEdgesQuery, map[string]any{"workspace": workspace, "producer": producer})
	if err != nil {
		return nil, err
	}
	out := make(map[string]assertedEdge, len(rows))
	for _, r := range rows {
		out[text(r[0])] = assertedEdge{exists: boolean(r[1]), plannedEdge: plannedEdge{
			id:     text(r[0]),
			source: edgeEnd{id: text(r[2]), datasource: text(r[3]), hidden: integer(r[4]), workspace: text(r[8])},
			target: edgeEnd{id: text(r[5]), datasource: text(r[6]), hidden: integer(r[7]), workspace: text(r[9])},
		}}
	}
	return out, nil
}

// planEdges compares the edges that are stated with those that the producer asserted before. mayEdit
// tells whether an edge that is not stated any more is the caller's to remove.
func planEdges(stated []plannedEdge, asserted map[string]assertedEdge, mayEdit func(plannedEdge) (bool, error)) (edgePlan, error) {
	var p edgePlan
	seen := make(map[string]bool, len(stated))
	for _, e := range stated {
		if seen[e.id] {
			continue
		}
		seen[e.id] = true
		before, ok := asserted[e.id]
		switch {
		case !ok:
			p.create = append(p.create, e)
		case before.exists:
			p.unchanged++
		default:
			p.restore = append(p.restore, e)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(asserted)) {
		if seen[id] {
			continue
		}
		may, err := mayEdit(asserted[id].plannedEdge)
		if err != nil {
			return edgePlan{}, err
		}
		if may {
			p.remove = append(p.remove, asserted[id].plannedEdge)
		} else {
			p.kept++
		}
	}
	return p, nil
}

// mayEditDatasource returns a function that tells whether the caller may edit a datasource; "" is none. The
// rule is asked about each once; those in granted it has allowed already.
func (e entered) mayEditDatasource(granted map[string]bool) func(string) (bool, error) {
	known := map[string]bool{}
	maps.Copy(known, granted)
	return func(datasource string) (bool, error) {
		if datasource == "" {
			return true, nil
		}
		if may, ok := known[datasource]; ok {
			return may, nil
		}
		facts, err := e.datasourceFacts(datasource)
		if err == nil {
			_, err = e.permit(Facts{Datasources: facts})
		}
		if err != nil && fault.Of(err) == nil {
			return false, err
		}
		known[datasource] = err == nil
		return known[datasource], nil
	}
}

// mayEdit returns a function that tells whether the caller may edit both ends of an edge.
func (e entered) mayEdit(granted map[string]bool) func(plannedEdge) (bool, error) {
	on := e.mayEditDatasource(granted)
	return func(edge plannedEdge) (bool, error) {
		may, err := on(edge.source.datasource)
		if err != nil || !may {
			return false, err
		}
		return on(edge.target.datasource)
	}
}
