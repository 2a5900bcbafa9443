package graph

import (
	"context"

	"github.com/strata-gateway/strata/fault"
)

// EdgeEnd names one end of an edge: an asset, or something outside the catalog; exactly one of the two.
type EdgeEnd struct {
	Asset string
	// External is created if it is new, and stays as it is if it is not.
	External *NewExternal
}

// NewEdge is an edge to be drawn by hand. At least one end is an asset.
type NewEdge struct {
	Source, Target EdgeEnd
	// Description says what the edge means, nil for nothing.
	Description *string
	// ColumnPairs are its dependencies of columns.
	ColumnPairs []NewColumnPair
}

// DrawnEdge is an edge with what a mutation says of it.
type DrawnEdge struct {
	Edge
	// SourceDatasource and TargetDatasource are "" for an external end.
	SourceDatasource, TargetDatasource string
	// ClosesCycle says whether a path leads back from its target to its source.
	ClosesCycle bool
	// Retired is set if nobody asserts it any more.
	Retired bool
}

const edgeDrawnQuery = `
MATCH (s:Dataset {id: $source})-[r:FEEDS {id: $edge}]->(t:Dataset {id: $target})
WHERE $VISIBLE(s) AND $VISIBLE(t) AND ` + stated + `
RETURN count(r) > 0`

const drawEdgeQuery = `
MATCH (s:Dataset {id: $source, workspace: $sourceWorkspace})
MATCH (t:Dataset {id: $target, workspace: $targetWorkspace})
CREATE (s)-[:FEEDS {id: $edge, workspace: $workspace, category: $category, description: $description, createdAt: $at, createdBy: $by}]->(t)
RETURN $edge`

// AddEdge draws an edge by hand, in the workspace of the caller. One that exists is returned as it is:
// nothing changes then. Errors: BAD_USER_INPUT, NOT_FOUND for an asset that is not there or not the
// caller's to know, and what the rule says of the datasources that it touches.
//
// SECURITY: a hidden end answers as a nonexistent one, and the rule is asked before the first write
// (TestDrawingAnswersAlikeForHiddenAndMissing, TestRefusedDrawingWritesNothing).
func (s *Store) AddEdge(ctx context.Context, w Writer, in NewEdge) (DrawnEdge, error) {
	if err := in.check(); err != nil {
		return DrawnEdge{}, err
	}
	var drawn DrawnEdge
	err := s.write(ctx, w.Actor, func(t *tx) error {
		e, err := t.enter(w)
		if err != nil {
			return err
		}
		// The one that is fed is looked at first: it is what the edge is drawn at.
		target, err := e.end(in.Target)
		if err != nil {
			return err
		}
		source, err := e.end(in.Source)
		if err != nil {
			return err
		}
		right, err := e.permitEnds(source, target)
		if err != nil {
			return err
		}
		drawn = DrawnEdge{
			Edge:             Edge{ID: EdgeID(source.id, target.id, EdgeManual), Source: source.id, Target: target.id, Category: EdgeManual},
			SourceDatasource: source.datasource, TargetDatasource: target.datasource,
		}
		if err := e.draw(drawn.Edge, in, source, target, right); err != nil {
			return err
		}
		drawn.ClosesCycle, err = e.leadsBack(drawn.Edge)
		return err
	})
	return drawn, err
}

// draw writes the edge unless it is there.
func (e entered) draw(edge Edge, in NewEdge, source, target end, right Right) error {
	if err := e.holdEnds(source, target); err != nil {
		return err
	}
	there, err := e.run(e.Audience, edgeDrawnQuery, map[string]any{"edge": edge.ID, "source": edge.Source, "target": edge.Target})
	if err != nil || boolean(there[0][0]) {
		return err
	}
	made, err := e.runUnscoped(drawEdgeQuery, map[string]any{
		"edge": edge.ID, "workspace": e.Workspace, "category": string(edge.Category), "description": in.Description, "at": e.store.nowMillis(), "by": e.User,
		"source": source.id, "sourceWorkspace": source.workspace, "target": target.id, "targetWorkspace": target.workspace,
	})
	if err != nil {
		return err
	}
	if len(made) == 0 {
		return fault.NotFound("asset") // it went away between the look and the lock
	}
	for _, x := range []end{source, target} {
		if x.fresh == nil {
			continue
		}
		if err := e.rankExternals(x.workspace, map[string]bool{x.id: true}); err != nil {
			return err
		}
	}
	if _, err := e.statePairs(e.Workspace, byHand, []pairsOf{{edge.ID, source, target, in.ColumnPairs}}); err != nil {
		return err
	}
	e.touchEdge(e.Workspace, source, target)
	e.record(Event{Action: "edge.add", Resource: edge.ID, AdminOverride: right.AdminOverride, After: edge.facts()})
	return nil
}

// facts are what an audit event says of an edge.
func (e Edge) facts() map[string]any {
	return map[string]any{"source": e.Source, "target": e.Target, "category": string(e.Category)}
}

// touchEdge raises what is told of the edge's two ends, to those who see both.
func (t *tx) touchEdge(workspace string, source, target end) {
	hidden := max(source.hiddenRank, target.hiddenRank)
	t.touch(FamilyLineage, workspace, source.id, hidden)
	t.touch(FamilyLineage, workspace, target.id, hidden)
}

const leadsBackQuery = `
MATCH (s:Dataset {id: $source}) WHERE $VISIBLE(s)
MATCH (t:Dataset {id: $target}) WHERE $VISIBLE(t)
OPTIONAL MATCH p = shortestPath((t)-[:FEEDS*1..50]->(s))
WHERE all(n IN nodes(p) WHERE $VISIBLE(n)) AND all(r IN relationships(p) WHERE ` + stated + `)
RETURN p IS NOT NULL`

// leadsBack reports whether an edge between two different nodes lies on a cycle.
func (e entered) leadsBack(edge Edge) (bool, error) {
	rows, err := e.run(e.Audience, leadsBackQuery, map[string]any{"source": edge.Source, "target": edge.Target})
	if err != nil {
		return false, err
	}
	for _, r := range rows {
		if boolean(r[0]) {
			return true, nil
		}
	}
	return false, nil
}

// check refuses what needs no look at the store.
func (in NewEdge) check() error {
	if in.Source.Asset != "" && in.Source.Asset == in.Target.Asset {
		return fault.BadInput("input", "An asset cannot be drawn as its own upstream. Name another asset.")
	}
	return in.checkEnds()
}

// checkEnds refuses ends that name no node, and an edge outside the catalog.
func (in NewEdge) checkEnds() error {
	for _, x := range []EdgeEnd{in.Source, in.Target} {
		if (x.Asset == "") == (x.External == nil) {
			return fault.BadInput("input", "Give exactly one of an asset and an external node for each end.")
		}
		if x.External == nil {
			continue
		}
		if err := x.External.check(); err != nil {
			return err
		}
	}
	if in.Source.External != nil && in.Target.External != nil {
		return fault.BadInput("input", "At least one end must be an asset of the catalog.")
	}
	return nil
}
