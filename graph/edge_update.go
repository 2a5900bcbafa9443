package graph

import "context"

// EdgeChange is what is changed of an edge.
type EdgeChange struct {
	// Description says what the edge means; nil: nothing.
	Description Change[*string]
}

const describeEdgeQuery = `
MATCH (s:Dataset {id: $source, workspace: $sourceWorkspace})-[r:FEEDS|FED {id: $edge, workspace: $workspace}]->
  (t:Dataset {id: $target, workspace: $targetWorkspace})
SET r.description = $description
RETURN count(r)`

// UpdateEdge changes what is said of an edge, whatever made it, retired ones too. What its producers assert is
// theirs. A change of nothing writes nothing. Errors: NOT_FOUND for an edge that is not there or has an end that
// is not the caller's to know, and what the rule says of the datasources that it touches.
func (s *Store) UpdateEdge(ctx context.Context, w Writer, edge string, change EdgeChange) (DrawnEdge, error) {
	var drawn DrawnEdge
	err := s.write(ctx, w.Actor, func(t *tx) error {
		e, err := t.enter(w)
		if err != nil {
			return err
		}
		kept, err := e.keptEdges(edge)
		if err != nil {
			return err
		}
		right, err := e.permitEnds(kept[0].source, kept[0].target)
		if err != nil {
			return err
		}
		for _, k := range kept {
			if err := e.changeEdge(k, change, right); err != nil {
				return err
			}
		}
		drawn, err = e.drawn(kept[0])
		return err
	})
	return drawn, err
}

// changeEdge writes the description of one edge, if it changes.
func (e entered) changeEdge(k keptEdge, change EdgeChange, right Right) error {
	if !change.Description.Set || equalText(k.description, change.Description.Value) {
		return nil
	}
	place := k.place()
	place["description"] = change.Description.Value
	if _, err := e.runUnscoped(describeEdgeQuery, place); err != nil {
		return err
	}
	e.touchEdge(k.workspace, k.source, k.target)
	e.record(Event{
		Action: "edge.update", Resource: k.ID, AdminOverride: right.AdminOverride,
		Before: map[string]any{"description": k.description}, After: map[string]any{"description": change.Description.Value},
	})
	return nil
}
