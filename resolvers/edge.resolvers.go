package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/lineage"
	"github.com/strata-gateway/strata/loaders"
)

func (r *lineageEdgeResolver) Description(ctx context.Context, obj *lineage.Edge) (*string, error) {
	return loaders.From(ctx).EdgeDescription(ctx, obj.ID)
}

func (r *lineageEdgeResolver) Assertions(ctx context.Context, obj *lineage.Edge) ([]*graph.Assertion, error) {
	return loaders.From(ctx).Assertions(ctx, obj.ID)
}

func (r *mutationResolver) AddUpstream(ctx context.Context, input gql.AddUpstreamInput) (*gql.EdgePayload, error) {
	w, err := r.writer(ctx, authz.EditDatasources)
	if err != nil {
		return nil, err
	}
	in, err := newUpstream(input)
	if err != nil {
		return nil, err
	}
	drawn, err := r.Store.AddEdge(ctx, w, in)
	if err != nil {
		return nil, err
	}
	return &gql.EdgePayload{Edge: lineage.Drawn(drawn)}, nil
}

func (r *mutationResolver) AddEdge(ctx context.Context, input gql.AddEdgeInput) (*gql.EdgePayload, error) {
	w, err := r.writer(ctx, authz.EditDatasources)
	if err != nil {
		return nil, err
	}
	in, err := newEdge(input)
	if err != nil {
		return nil, err
	}
	drawn, err := r.Store.AddEdge(ctx, w, in)
	if err != nil {
		return nil, err
	}
	return &gql.EdgePayload{Edge: lineage.Drawn(drawn)}, nil
}

func (r *mutationResolver) UpdateEdge(ctx context.Context, input gql.UpdateEdgeInput) (*gql.EdgePayload, error) {
	w, err := r.writer(ctx, authz.EditDatasources)
	if err != nil {
		return nil, err
	}
	pairs, err := newPairs("input.columnPairs", input.ColumnPairs.Value())
	if err != nil {
		return nil, err
	}
	change := graph.EdgeChange{
		Description: textChange(input.Description), ColumnPairs: graph.Change[[]graph.NewColumnPair]{Set: input.ColumnPairs.IsSet(), Value: pairs},
	}
	if err := firstError(identified("input.edge", input.Edge), prose("input.description", input.Description.Value(), maxDescription)); err != nil {
		return nil, err
	}
	drawn, err := r.Store.UpdateEdge(ctx, w, input.Edge, change)
	if err != nil {
		return nil, err
	}
	return &gql.EdgePayload{Edge: lineage.Drawn(drawn)}, nil
}

func (r *mutationResolver) DeleteEdge(ctx context.Context, input gql.DeleteEdgeInput) (*gql.DeleteEdgePayload, error) {
	w, err := r.writer(ctx, authz.EditDatasources)
	if err != nil {
		return nil, err
	}
	if err := identified("input.edge", input.Edge); err != nil {
		return nil, err
	}
	gone, err := r.Store.DeleteEdge(ctx, w, input.Edge)
	if err != nil {
		return nil, err
	}
	return &gql.DeleteEdgePayload{Edge: gone.Edge, Outcome: &gone.Outcome, ComesBackWhen: gone.ComesBackWhen}, nil
}

func (r *mutationResolver) AssertEdges(ctx context.Context, input gql.AssertEdgesInput) (*gql.AssertEdgesPayload, error) {
	w, err := r.writer(ctx, authz.EditDatasources)
	if err != nil {
		return nil, err
	}
	in, err := newAssertions(input)
	if err != nil {
		return nil, err
	}
	done, err := r.Store.AssertEdges(ctx, w, in)
	if err != nil {
		return nil, err
	}
	payload := &gql.AssertEdgesPayload{Created: done.Created, Unchanged: done.Unchanged, Retracted: done.Retracted, Kept: done.Kept}
	for _, drawn := range done.Edges {
		payload.Edges = append(payload.Edges, lineage.Drawn(drawn))
	}
	announceEdges(ctx, payload.Edges)
	announce(ctx, payload.Edges, func(e *lineage.Edge) string { return e.SourceDatasource })
	announce(ctx, payload.Edges, func(e *lineage.Edge) string { return e.TargetDatasource })
	return payload, nil
}
