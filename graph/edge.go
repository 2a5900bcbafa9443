package graph

import (
	"context"

	"github.com/strata-gateway/strata/fault"
)

// AddUpstream is an edge to be drawn by hand: what feeds an asset.
type AddUpstream struct {
	// Asset is the one that is fed.
	Asset string
	// UpstreamAsset is the asset that feeds it, "" if something external does.
	UpstreamAsset string
	// UpstreamExternal feeds it, nil if an asset does. It is created if it is new, and stays as it is if
	// it is not.
	UpstreamExternal *NewExternal
}

// DrawnEdge is an edge with what a mutation says of it.
type DrawnEdge struct {
	Edge
	// SourceDatasource and TargetDatasource are "" for an external end.
	SourceDatasource, TargetDatasource string
	// ClosesCycle says whether a path leads back from its target to its source.
	ClosesCycle bool
}

const edgeDrawnQuery = `
MATCH (s:Dataset {id: $source})-[r:FEEDS {id: $edge}]->(t:Dataset {id: $target})
WHERE $VISIBLE(s) AND $VISIBLE(t) AND ` + stated + `
RETURN count(r) > 0`

const drawEdgeQuery = `
MATCH (s:Dataset {id: $source, workspace: $sourceWorkspace})
MATCH (t:Dataset {id: $target, workspace: $targetWorkspace})
CREATE (s)-[:FEEDS {id: $edge, workspace: $workspace, category: $category, createdAt: $at, createdBy: $by}]->(t)
RETURN $edge`

// AddUpstream draws an edge by hand, in the workspace of the caller. One that exists is returned as it
// is: nothing changes then. Errors: BAD_USER_INPUT, NOT_FOUND for an asset that is not there or not the
// caller's to know, and what the rule says of the datasources that it touches.
//
// SECURITY: a hidden end answers as a nonexistent one, and the rule is asked before the first write
// (TestDrawingAnswersAlikeForHiddenAndMissing, TestRefusedDrawingWritesNothing).
func (s *Store) AddUpstream(ctx context.Context, w Writer, in AddUpstream) (DrawnEdge, error) {
	if err := in.check(); err != nil {
		return DrawnEdge{}, err
	}
	var drawn DrawnEdge
	err := s.write(ctx, w.Actor, func(t *tx) error {
		e, err := t.enter(w)
		if err != nil {
			return err
		}
		source, target, err := e.upstreamEnds(in)
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
		if err := e.draw(drawn.Edge, source, target, right); err != nil {
			return err
		}
		drawn.ClosesCycle, err = e.leadsBack(drawn.Edge)
		return err
	})
	return drawn, err
}

// draw writes the edge unless it is there.
func (e entered) draw(edge Edge, source, target end, right Right) error {
	if err := e.holdEnds(source, target); err != nil {
		return err
	}
	there, err := e.run(e.Audience, edgeDrawnQuery, map[string]any{"edge": edge.ID, "source": edge.Source, "target": edge.Target})
	if err != nil || boolean(there[0][0]) {
		return err
	}
	made, err := e.runUnscoped(drawEdgeQuery, map[string]any{
		"edge": edge.ID, "workspace": e.Workspace, "category": string(edge.Category), "at": e.store.nowMillis(), "by": e.User,
		"source": source.id, "sourceWorkspace": source.workspace, "target": target.id, "targetWorkspace": target.workspace,
	})
	if err != nil {
		return err
	}
	if len(made) == 0 {
		return fault.NotFound("asset") // it went away between the look and the lock
	}
	if source.fresh != nil {
		if err := e.rankExternals(source.workspace, map[string]bool{source.id: true}); err != nil {
			return err
		}
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
func (in AddUpstream) check() error {
	switch {
	case (in.UpstreamAsset == "") == (in.UpstreamExternal == nil):
		return fault.BadInput("input", "Give exactly one of upstreamAsset and upstreamExternal.")
	case in.UpstreamAsset == in.Asset:
		return fault.BadInput("input.upstreamAsset", "An asset cannot be drawn as its own upstream. Name another asset.")
	case in.UpstreamExternal != nil:
		return in.UpstreamExternal.check()
	}
	return nil
}
