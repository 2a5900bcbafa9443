package resolvers

import (
	"fmt"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
)

// Bounds of what producers assert.
const (
	maxAsserted  = 1000
	maxEventKind = 100
)

// newUpstream checks what feeds an asset. Errors: BAD_USER_INPUT.
func newUpstream(in gql.AddUpstreamInput) (graph.NewEdge, error) {
	if (in.UpstreamAsset == nil) == (in.UpstreamExternal == nil) {
		return graph.NewEdge{}, fault.BadInput("input", "Pass exactly one of upstreamAsset and upstreamExternal.")
	}
	if err := identified("input.asset", in.Asset); err != nil {
		return graph.NewEdge{}, err
	}
	source, err := newEnd("input.upstreamAsset", in.UpstreamAsset, "input.upstreamExternal", in.UpstreamExternal)
	return graph.NewEdge{Source: source, Target: graph.EdgeEnd{Asset: in.Asset}}, err
}

// newEdge checks an edge to be drawn. Errors: BAD_USER_INPUT.
func newEdge(in gql.AddEdgeInput) (graph.NewEdge, error) {
	source, target, err := newEnds("input", in.Source, in.Target)
	if err != nil {
		return graph.NewEdge{}, err
	}
	pairs, err := newPairs("input.columnPairs", in.ColumnPairs)
	if err != nil {
		return graph.NewEdge{}, err
	}
	return graph.NewEdge{Source: source, Target: target, Description: nonEmpty(in.Description), ColumnPairs: pairs},
		prose("input.description", in.Description, maxDescription)
}

// newEnds checks the ends of an edge. Errors: BAD_USER_INPUT.
func newEnds(field string, source, target *gql.EdgeEndInput) (from, to graph.EdgeEnd, err error) {
	for _, x := range []struct {
		name string
		in   *gql.EdgeEndInput
		out  *graph.EdgeEnd
	}{{field + ".source", source, &from}, {field + ".target", target, &to}} {
		if (x.in.Asset == nil) == (x.in.External == nil) {
			return from, to, fault.BadInput(x.name, "Pass exactly one of asset and external.")
		}
		if *x.out, err = newEnd(x.name+".asset", x.in.Asset, x.name+".external", x.in.External); err != nil {
			return from, to, err
		}
	}
	return from, to, nil
}

// newEnd checks one end, of which one of two ways to name it is there. Errors: BAD_USER_INPUT.
func newEnd(assetField string, asset *string, externalField string, external *gql.ExternalNodeInput) (graph.EdgeEnd, error) {
	if external == nil {
		return graph.EdgeEnd{Asset: *asset}, identified(assetField, *asset)
	}
	return graph.EdgeEnd{External: &graph.NewExternal{System: graph.WithoutCredentials(external.System), Model: external.Model, URL: external.URL}}, firstError(
		named(externalField+".system", external.System, maxName), named(externalField+".model", external.Model, maxAssetName),
		link(externalField+".url", external.URL),
	)
}

// newAssertions checks what a producer asserts. Errors: BAD_USER_INPUT.
func newAssertions(in gql.AssertEdgesInput) (graph.Assert, error) {
	out := graph.Assert{Category: in.Category, Producer: in.Producer, Scope: in.Scope, Complete: in.Complete}
	switch in.Category {
	case graph.EdgeManual, graph.EdgeDBT:
		return out, fault.BadInput("input.category", "An edge of MANUAL is drawn by addEdge, and one of DBT is ingested from a manifest. Pass another category.")
	}
	if err := firstError(
		named("input.producer", in.Producer, maxName), named("input.scope", in.Scope, maxAssetName), named("input.eventKind", in.EventKind, maxEventKind),
		atMost("input.edges", len(in.Edges), maxAsserted),
	); err != nil {
		return out, err
	}
	all := 0
	for i, e := range in.Edges {
		field := fmt.Sprintf("input.edges[%d]", i)
		if all += len(e.ColumnPairs); all > maxAllPairs {
			return out, fault.BadInput("input.edges", fmt.Sprintf("A request takes at most %d column pairs in all. Send fewer edges at once.", maxAllPairs))
		}
		source, target, err := newEnds(field, e.Source, e.Target)
		if err != nil {
			return out, err
		}
		details, err := newDetails(field+".details", e.Details)
		if err != nil {
			return out, err
		}
		asserted := graph.AssertedEdge{Source: source, Target: target, EventKind: in.EventKind, Details: details}
		if e.ColumnPairs != nil {
			if asserted.ColumnPairs, err = newPairs(field+".columnPairs", e.ColumnPairs); err != nil {
				return out, err
			}
		}
		out.Edges = append(out.Edges, asserted)
	}
	return out, nil
}

// newDetails checks what a producer says besides. Errors: BAD_USER_INPUT.
func newDetails(field string, in *gql.AssertionDetailsInput) (graph.AssertionDetails, error) {
	if in == nil {
		return graph.AssertionDetails{}, nil
	}
	if _, ok := in.Facets.(map[string]any); in.Facets != nil && !ok {
		return graph.AssertionDetails{}, fault.BadInput(field+".facets", "facets must be an object.")
	}
	return graph.AssertionDetails{
			Job: in.Job, Run: in.Run, Transformation: in.Transformation, SQL: in.SQL, Submitter: in.Submitter, Facets: in.Facets,
		}, firstError(
			optional(field+".job", in.Job, maxAssetName), optional(field+".run", in.Run, maxAssetName), optional(field+".submitter", in.Submitter, maxAssetName),
			prose(field+".transformation", in.Transformation, maxDescription), prose(field+".sql", in.SQL, maxDescription),
		)
}
