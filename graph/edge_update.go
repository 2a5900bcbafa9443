package graph

import "context"

// EdgeChange is what is changed of an edge.
type EdgeChange struct {
	// Description says what the edge means; nil: nothing.
	Description Change[*string]
	// ColumnPairs are the dependencies of columns that people state, all of them.
	ColumnPairs Change[[]NewColumnPair]
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

// changeEdge changes one edge, and records it if that is a change.
func (e entered) changeEdge(k keptEdge, change EdgeChange, right Right) error {
	if err := e.holdEnds(k.source, k.target); err != nil {
		return err
	}
	before, after := map[string]any{}, map[string]any{}
	if change.Description.Set && !equalText(k.description, change.Description.Value) {
		place := k.place()
		place["description"] = change.Description.Value
		if _, err := e.runUnscoped(describeEdgeQuery, place); err != nil {
			return err
		}
		before["description"], after["description"] = k.description, change.Description.Value
	}
	if change.ColumnPairs.Set {
		changed, err := e.statePairs(k.workspace, byHand, []pairsOf{{k.ID, k.source, k.target, change.ColumnPairs.Value}})
		if err != nil {
			return err
		}
		if changed[k.ID] {
			after["columnPairs"] = len(change.ColumnPairs.Value)
		}
	}
	if len(after) == 0 {
		return nil
	}
	e.touchEdge(k.workspace, k.source, k.target)
	e.record(Event{Action: "edge.update", Resource: k.ID, AdminOverride: right.AdminOverride, Before: before, After: after})
	return nil
}
