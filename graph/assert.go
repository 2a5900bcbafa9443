package graph

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/strata-gateway/strata/fault"
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
// both ends (TestAssertionsNeedEditorAtBothEnds, TestACompleteScopeKeepsWhatIsNotTheCallersToEdit).
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

const assertionDetailsQuery = `
UNWIND $rows AS v
MATCH (x:Assertion {edge: v.id, producer: $producer, workspace: $workspace})
SET x.eventKind = v.eventKind, x.at = $at, x.job = v.job, x.run = v.run, x.transformation = v.transformation,
  x.sql = v.sql, x.submitter = v.submitter, x.facets = v.facets`

// writeDetails keeps what the producer says besides, as it says it now.
func (e entered) writeDetails(in Assert, p producer, edges []DrawnEdge) error {
	rows := make([]any, len(in.Edges))
	for i, x := range in.Edges {
		facets, err := facetText(x.Details.Facets)
		if err != nil {
			return err
		}
		d := x.Details
		rows[i] = map[string]any{
			"id": edges[i].ID, "eventKind": x.EventKind, "job": d.Job, "run": d.Run, "transformation": d.Transformation,
			"sql": d.SQL, "submitter": d.Submitter, "facets": facets,
		}
	}
	_, err := e.runBatched(assertionDetailsQuery, rows, map[string]any{"producer": p.name, "workspace": e.Workspace, "at": e.store.nowMillis()})
	return err
}

// facetText is how facets are kept: as JSON, secrets masked; nil for none.
func facetText(facets any) (any, error) {
	if facets == nil {
		return nil, nil
	}
	b, err := json.Marshal(masked(facets))
	if err != nil {
		return nil, err
	}
	if len(b) > maxFacets {
		return nil, fault.BadInput("input.edges.details.facets", "The facets of an edge take at most 64 KiB as JSON.")
	}
	return string(b), nil
}

// maxFacets bounds the facets of an assertion, in bytes of JSON.
const maxFacets = 64 << 10

// assertedEnds are ends by what names them.
type assertedEnds map[string]end

// all are the ends, by id.
func (a assertedEnds) all() []end {
	out := slices.Collect(maps.Values(a))
	slices.SortFunc(out, func(x, y end) int { return cmp.Compare(x.id, y.id) })
	return out
}

// id is the id of the node that an end names.
func (x EdgeEnd) id() string {
	if x.External != nil {
		return ExternalID(x.External.System, x.External.Model)
	}
	return x.Asset
}

const assetEndsQuery = `
UNWIND $ids AS id
MATCH (n:Dataset:Asset {id: id}) WHERE $VISIBLE(n)
RETURN ` + endColumns

// assertedEnds reads the ends of edges. Errors: NOT_FOUND if one is not there.
func (e entered) assertedEnds(edges []AssertedEdge) (assertedEnds, error) {
	ends, assets := assertedEnds{}, map[string]bool{}
	for _, x := range edges {
		for _, named := range []EdgeEnd{x.Source, x.Target} {
			if named.External == nil {
				assets[named.Asset] = true
				continue
			}
			external := end{id: named.id(), workspace: e.Workspace, model: named.External.Model, fresh: named.External}
			ends[external.id] = external
		}
	}
	rows, err := e.run(e.Audience, assetEndsQuery, map[string]any{"ids": sortedAny(assets)})
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		found := readEnd(r[0])
		ends[found.id] = found
	}
	for id := range assets {
		if _, ok := ends[id]; !ok {
			return nil, fault.NotFound("asset")
		}
	}
	return ends, nil
}

const (
	holdAssetsQuery = `
UNWIND $rows AS v
MATCH (n:Dataset {id: v.id, workspace: v.workspace})
USING INDEX SEEK n:Dataset(id, workspace)
SET n.id = n.id`

	makeExternalsQuery = `
UNWIND $rows AS v
MERGE (n:Dataset:External {id: v.id, workspace: v.workspace})
ON CREATE SET n.system = v.system, n.model = v.model, n.url = v.url, n.hiddenRank = 2
SET n.id = n.id`
)

// holdAll does what holdEnds does, for many ends in the order of their ids.
func (e entered) holdAll(ends []end) error {
	var assets, externals []any
	for _, x := range ends {
		if x.fresh == nil {
			assets = append(assets, map[string]any{"id": x.id, "workspace": x.workspace})
			continue
		}
		externals = append(externals, map[string]any{"id": x.id, "workspace": x.workspace, "system": x.fresh.System, "model": x.fresh.Model, "url": x.fresh.URL})
	}
	if _, err := e.runBatched(holdAssetsQuery, assets, map[string]any{}); err != nil {
		return err
	}
	_, err := e.runBatched(makeExternalsQuery, externals, map[string]any{})
	return err
}

// planned is an edge between two ends. An external end is seen by who sees the other one.
func planned(source, target end, category EdgeCategory) plannedEdge {
	at := func(x end) edgeEnd {
		return edgeEnd{id: x.id, workspace: x.workspace, datasource: x.datasource, hidden: x.hiddenRank}
	}
	return plannedEdge{id: EdgeID(source.id, target.id, category), source: at(source), target: at(target)}
}

// secretKeys are parts of the names of facets and their fields whose values are not kept.
func secretKeys() []string {
	return []string{"password", "passwd", "secret", "token", "apikey", "api_key", "credential", "private_key", "privatekey", "authorization", "connectionstring", "connection_string"}
}

// mask stands for a value that is not kept.
const mask = "***"

// masked is a value without the secrets in it: of every field whose name sounds like one.
func masked(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, value := range v {
			lower := strings.ToLower(name)
			if slices.ContainsFunc(secretKeys(), func(key string) bool { return strings.Contains(lower, key) }) {
				out[name] = mask
				continue
			}
			out[name] = masked(value)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, value := range v {
			out[i] = masked(value)
		}
		return out
	}
	return v
}
