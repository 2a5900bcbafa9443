package graph

import "github.com/strata-gateway/strata/fault"

const edgeByIDQuery = `
CALL () {
  MATCH (s:Dataset)-[r:FEEDS {id: $edge}]->(t:Dataset) WHERE $VISIBLE(s) AND $VISIBLE(t) AND ` + stated + `
  RETURN s, r, t, false AS retired
  UNION ALL
  MATCH (s:Dataset)-[r:FED {id: $edge}]->(t:Dataset) WHERE $VISIBLE(s) AND $VISIBLE(t) AND ` + stated + `
  RETURN s, r, t, true AS retired
}
CALL (s, t) {
  UNWIND [s, t] AS n
  RETURN collect(` + endColumns + `) AS ends
}
RETURN r.workspace, r.category, ends, retired, r.description ORDER BY r.workspace`

// keptEdge is an edge as the store has it. The workspace and the organization may each have it.
type keptEdge struct {
	Edge
	workspace      string
	source, target end
	retired        bool
	description    *string
}

// keptEdges reads an edge, retired or not. Errors: NOT_FOUND.
func (e entered) keptEdges(id string) ([]keptEdge, error) {
	rows, err := e.run(e.Audience, edgeByIDQuery, map[string]any{"edge": id})
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fault.NotFound("edge")
	}
	kept := make([]keptEdge, len(rows))
	for i, r := range rows {
		ends := list(r[2])
		k := keptEdge{workspace: text(r[0]), source: readEnd(ends[0]), target: readEnd(ends[1]), retired: boolean(r[3]), description: textOrNil(r[4])}
		k.Edge = Edge{ID: id, Source: k.source.id, Target: k.target.id, Category: EdgeCategory(text(r[1]))}
		kept[i] = k
	}
	return kept, nil
}

// place are the parameters that find the edge among the edges of its ends.
func (k keptEdge) place() map[string]any {
	return map[string]any{
		"edge": k.ID, "workspace": k.workspace,
		"source": k.source.id, "sourceWorkspace": k.source.workspace, "target": k.target.id, "targetWorkspace": k.target.workspace,
	}
}

// drawn is the edge as a mutation answers with it.
func (e entered) drawn(k keptEdge) (DrawnEdge, error) {
	d := DrawnEdge{Edge: k.Edge, SourceDatasource: k.source.datasource, TargetDatasource: k.target.datasource, Retired: k.retired}
	if k.retired || k.Source == k.Target {
		return d, nil
	}
	var err error
	d.ClosesCycle, err = e.leadsBack(k.Edge)
	return d, err
}
