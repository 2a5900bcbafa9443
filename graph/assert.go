package graph

import (
	"context"
	"maps"
	"slices"
)

// Assert is what a producer says of the edges that it knows.
type Assert struct {
	// Category is how they came to be known: not by hand, and not by dbt.
	Category EdgeCategory
	// Producer says so, about Scope: the part of what it knows that these edges are of, not "".
	Producer, Scope string
	Edges           []AssertedEdge
	// Complete says that these are all edges of the scope.
	Complete bool
}

// AssertedEdge is an edge that a producer asserts.
type AssertedEdge struct {
	Source, Target EdgeEnd
	EventKind      string
	Details        AssertionDetails
	// ColumnPairs are the dependencies of columns that the producer states, nil to leave those that it stated.
	ColumnPairs []NewColumnPair
}

// AssertSummary says what became of the edges.
type AssertSummary struct {
	// Created are new or came back, Unchanged were there.
	Created, Unchanged int
	// Retracted lost this producer's assertion; those that nobody else asserts are gone, or retired.
	Retracted int
	// Kept are not the caller's to retract, since they touch a datasource that the caller may not edit.
	Kept int
	// Edges are those that were asserted, in the order of the request.
	Edges []DrawnEdge
}

// AssertEdges writes what a producer asserts, all of it or nothing. An edge that is asserted already stays as it
// is but for the details; a retired one comes back. A complete scope loses what the producer no longer lists in
// it, and nothing of anyone else's. Errors: BAD_USER_INPUT, NOT_FOUND for an asset that is not there or not the
// caller's to know, and what the rule says of the datasources that the edges touch.
//
// SECURITY: the rule is asked of every end before the first write; what is retracted is the caller's to edit at
// both ends, and an edge with an end that is hidden from them is neither retracted nor counted
// (TestAssertionsNeedEditorAtBothEnds, TestACompleteScopeKeepsWhatIsNotTheCallersToEdit,
// TestARetiredEdgeIsTakenBackByWhoMayEditIt).
func (s *Store) AssertEdges(ctx context.Context, w Writer, in Assert) (AssertSummary, error) {
	if err := in.check(); err != nil {
		return AssertSummary{}, err
	}
	var summary AssertSummary
	err := s.write(ctx, w.Actor, func(t *tx) error {
		e, err := t.enter(w)
		if err != nil {
			return err
		}
		summary, err = e.assert(in)
		return tooLarge(err)
	})
	return summary, err
}

// check refuses what needs no look at the store.
func (in Assert) check() error {
	for _, x := range in.Edges {
		if err := (NewEdge{Source: x.Source, Target: x.Target}).checkEnds(); err != nil {
			return err
		}
	}
	return nil
}

func (e entered) assert(in Assert) (AssertSummary, error) {
	ends, err := e.assertedEnds(in.Edges)
	if err != nil {
		return AssertSummary{}, err
	}
	right, err := e.permitEnds(ends.all()...)
	if err != nil {
		return AssertSummary{}, err
	}
	if err := e.holdAll(ends.all()); err != nil {
		return AssertSummary{}, err
	}
	by := producer{name: scoped(in.Producer, in.Category, in.Scope), category: in.Category}
	before, err := e.assertedEdges(e.Workspace, by.name)
	if err != nil {
		return AssertSummary{}, err
	}
	maps.DeleteFunc(before, func(_ string, x assertedEdge) bool { return x.hidden() >= e.Audience.Class.hiddenFrom() })
	stated := make([]plannedEdge, len(in.Edges))
	summary := AssertSummary{Edges: make([]DrawnEdge, len(in.Edges))}
	for i, x := range in.Edges {
		source, target := ends[x.Source.id()], ends[x.Target.id()]
		stated[i] = planned(source, target, in.Category)
		summary.Edges[i] = DrawnEdge{
			Edge:             Edge{ID: stated[i].id, Source: source.id, Target: target.id, Category: in.Category},
			SourceDatasource: source.datasource, TargetDatasource: target.datasource,
		}
	}
	plan, err := planEdges(stated, before, e.mayEdit(nil))
	if err != nil {
		return AssertSummary{}, err
	}
	if !in.Complete {
		plan.remove, plan.kept = nil, 0
	}
	summary.Created, summary.Unchanged = len(plan.create)+len(plan.restore), plan.unchanged
	summary.Retracted, summary.Kept = len(plan.remove), plan.kept
	return summary, e.writeAsserted(in, by, plan, ends, summary, right)
}

// writeAsserted writes the plan, the details, and what follows for external nodes.
func (e entered) writeAsserted(in Assert, p producer, plan edgePlan, ends assertedEnds, summary AssertSummary, right Right) error {
	if err := e.writeEdges(p, plan); err != nil {
		return err
	}
	if err := e.writeDetails(in, p, summary.Edges); err != nil {
		return err
	}
	changed, err := e.statePairs(e.Workspace, p.name, in.pairs(ends, summary.Edges))
	if err != nil {
		return err
	}
	externals, loose := map[string]bool{}, map[string]bool{}
	for _, x := range ends.all() {
		if x.datasource == "" {
			externals[x.id] = true
		}
	}
	for _, edge := range plan.remove {
		for _, x := range []edgeEnd{edge.source, edge.target} {
			if x.datasource == "" && x.id != "" && !externals[x.id] {
				loose[x.id] = true
			}
		}
	}
	if err := e.dropExternals(loose); err != nil {
		return err
	}
	maps.Copy(externals, loose)
	if err := e.rankExternals(e.Workspace, externals); err != nil {
		return err
	}
	if summary.Created+summary.Retracted+len(changed) > 0 {
		e.record(Event{Action: "edge.assert", Resource: in.Producer, AdminOverride: right.AdminOverride, After: map[string]any{
			"category": string(in.Category), "scope": in.Scope, "complete": in.Complete,
			"created": summary.Created, "columnsChanged": len(changed), "retracted": summary.Retracted, "kept": summary.Kept,
		}})
	}
	return nil
}

// pairs are the dependencies of columns that are stated, of each edge together.
func (in Assert) pairs(ends assertedEnds, edges []DrawnEdge) []pairsOf {
	var out []pairsOf
	at := map[string]int{}
	for i, x := range in.Edges {
		if x.ColumnPairs == nil {
			continue
		}
		id := edges[i].ID
		if n, known := at[id]; known {
			out[n].pairs = append(out[n].pairs, x.ColumnPairs...)
			continue
		}
		at[id] = len(out)
		out = append(out, pairsOf{id, ends[x.Source.id()], ends[x.Target.id()], slices.Clone(x.ColumnPairs)})
	}
	return out
}
