package graph

import (
	"context"

	"github.com/strata-gateway/strata/fault"
)

// DeletedEdge says what became of an edge.
type DeletedEdge struct {
	// Edge is its id.
	Edge    string
	Outcome EdgeState
	// ComesBackWhen says what would bring it back; nil: only drawing it again.
	ComesBackWhen *string
}

const edgeByIDQuery = `
MATCH (s:Dataset)-[r:FEEDS {id: $edge}]->(t:Dataset)
WHERE $VISIBLE(s) AND $VISIBLE(t) AND ` + stated + `
CALL (s, t) {
  UNWIND [s, t] AS n
  RETURN collect(` + endColumns + `) AS ends
}
RETURN r.workspace, r.category, ends ORDER BY r.workspace`

// keptEdge is an edge as the store has it. The workspace and the organization may each have it.
type keptEdge struct {
	Edge
	workspace      string
	source, target end
}

// keptEdges reads an edge. Errors: NOT_FOUND.
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
		k := keptEdge{workspace: text(r[0]), source: readEnd(ends[0]), target: readEnd(ends[1])}
		k.Edge = Edge{ID: id, Source: k.source.id, Target: k.target.id, Category: EdgeCategory(text(r[1]))}
		kept[i] = k
	}
	return kept, nil
}

const deleteEdgeQuery = `
MATCH (s:Dataset {id: $source, workspace: $sourceWorkspace})-[r:FEEDS {id: $edge, workspace: $workspace}]->
  (t:Dataset {id: $target, workspace: $targetWorkspace})
DELETE r
WITH count(r) AS deleted
CALL () {
  MATCH (x:Assertion {edge: $edge, workspace: $workspace}) WHERE x.producer IS NOT NULL
  DELETE x
}
RETURN deleted`

const deleteLooseEndQuery = `
MATCH (n:Dataset:External {id: $id, workspace: $workspace}) WHERE NOT EXISTS { (n)--(:Dataset) }
WITH n, n.id AS id
DETACH DELETE n
RETURN id`

// DeleteEdge deletes an edge of any category, with what its producers asserted of it, and an external
// end that no other edge holds. Errors: NOT_FOUND for an edge that is not there or has an end that is
// not the caller's to know, and what the rule says of the datasources that it touches.
func (s *Store) DeleteEdge(ctx context.Context, w Writer, edge string) (DeletedEdge, error) {
	var deleted DeletedEdge
	err := s.write(ctx, w.Actor, func(t *tx) error {
		e, err := t.enter(w)
		if err != nil {
			return err
		}
		kept, err := e.keptEdges(edge)
		if err != nil {
			return err
		}
		// All of them are the same edge, so between the same two ends.
		right, err := e.permitEnds(kept[0].source, kept[0].target)
		if err != nil {
			return err
		}
		for _, k := range kept {
			if err := e.erase(k, right); err != nil {
				return err
			}
		}
		deleted = DeletedEdge{Edge: edge, Outcome: EdgeDeleted, ComesBackWhen: kept[0].Category.ComesBackWhen()}
		return nil
	})
	return deleted, err
}

// erase deletes one edge. Errors: NOT_FOUND if another transaction was faster.
func (e entered) erase(k keptEdge, right Right) error {
	if err := e.holdEnds(k.source, k.target); err != nil {
		return err
	}
	rows, err := e.runUnscoped(deleteEdgeQuery, map[string]any{
		"edge": k.ID, "workspace": k.workspace,
		"source": k.source.id, "sourceWorkspace": k.source.workspace, "target": k.target.id, "targetWorkspace": k.target.workspace,
	})
	if err != nil {
		return err
	}
	if integer(rows[0][0]) == 0 {
		return fault.NotFound("edge")
	}
	for _, x := range []end{k.source, k.target} {
		if x.datasource != "" {
			continue
		}
		if _, err := e.runUnscoped(deleteLooseEndQuery, map[string]any{"id": x.id, "workspace": x.workspace}); err != nil {
			return err
		}
		if err := e.rankExternals(x.workspace, map[string]bool{x.id: true}); err != nil {
			return err
		}
	}
	e.touchEdge(k.workspace, k.source, k.target)
	e.record(Event{Action: "edge.delete", Resource: k.ID, AdminOverride: right.AdminOverride, Before: k.facts()})
	return nil
}
