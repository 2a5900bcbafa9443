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

const deleteEdgeQuery = `
MATCH (s:Dataset {id: $source, workspace: $sourceWorkspace})-[r:FEEDS {id: $edge, workspace: $workspace}]->
  (t:Dataset {id: $target, workspace: $targetWorkspace})
DELETE r
WITH count(r) AS deleted
CALL () {
  MATCH (x:Assertion {edge: $edge, workspace: $workspace})
  USING INDEX SEEK x:Assertion(edge, producer, workspace)
  WHERE x.producer IS NOT NULL
  DELETE x
}
RETURN deleted`

const deleteLooseEndQuery = `
MATCH (n:Dataset:External {id: $id, workspace: $workspace}) WHERE NOT EXISTS { (n)--(:Dataset) }
WITH n, n.id AS id
DETACH DELETE n
RETURN id`

const retireEdgeQuery = `
MATCH (s:Dataset {id: $source, workspace: $sourceWorkspace})-[r:FEEDS {id: $edge, workspace: $workspace}]->
  (t:Dataset {id: $target, workspace: $targetWorkspace})
CREATE (s)-[retired:FED]->(t)
SET retired = properties(r), retired.retiredAt = $at
DELETE r
RETURN count(r)`

// DeleteEdge deletes an edge of any category, with what its producers asserted of it, and an external
// end that no other edge holds; one of a category that retires is kept, retired. Errors: NOT_FOUND for an edge that is not there or has an end that is
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
		deleted = DeletedEdge{Edge: edge, Outcome: EdgeDeleted, ComesBackWhen: kept[0].Category.ComesBackWhen()}
		remove := e.erase
		if kept[0].Category.Retires() {
			deleted.Outcome, remove = EdgeRetired, e.retire
		}
		for _, k := range kept {
			if err := remove(k, right); err != nil {
				return err
			}
		}
		return nil
	})
	return deleted, err
}

// erase deletes one edge. Errors: NOT_FOUND if another transaction was faster.
func (e entered) erase(k keptEdge, right Right) error {
	if err := e.holdEnds(k.source, k.target); err != nil {
		return err
	}
	rows, err := e.runUnscoped(deleteEdgeQuery, k.place())
	if err != nil {
		return err
	}
	if integer(rows[0][0]) == 0 {
		return fault.NotFound("edge")
	}
	if err := e.sweepPairs(k.workspace, byHand, []any{map[string]any{"id": k.ID}}); err != nil {
		return err
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

// retire keeps an edge that is not asserted any more, out of every walk. One that is retired already stays as it
// is. Errors: NOT_FOUND if another transaction was faster.
func (e entered) retire(k keptEdge, right Right) error {
	if k.retired {
		return nil
	}
	if err := e.holdEnds(k.source, k.target); err != nil {
		return err
	}
	place := k.place()
	place["at"] = e.store.nowMillis()
	rows, err := e.runUnscoped(retireEdgeQuery, place)
	if err != nil {
		return err
	}
	if integer(rows[0][0]) == 0 {
		return fault.NotFound("edge")
	}
	e.touchEdge(k.workspace, k.source, k.target)
	e.record(Event{Action: "edge.retire", Resource: k.ID, AdminOverride: right.AdminOverride, Before: k.facts()})
	return nil
}
