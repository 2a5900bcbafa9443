package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
)

func (r *mutationResolver) CreateCheck(ctx context.Context, input gql.CreateCheckInput) (*gql.CheckPayload, error) {
	w, err := r.writer(ctx, authz.EditChecks)
	if err != nil {
		return nil, err
	}
	if err := firstError(identified("input.suite", input.Suite), validCheck("input", input.Name, input.Expectation, input.Severity)); err != nil {
		return nil, err
	}
	id, err := r.Store.CreateCheck(ctx, w, input.Suite, graph.NewCheck{
		Name: input.Name, Expectation: input.Expectation, Column: input.Column, Severity: input.Severity, Dimension: input.Dimension, Config: input.Config,
	})
	if err != nil {
		return nil, err
	}
	return r.checkPayload(ctx, input.Suite, id)
}

func (r *mutationResolver) UpdateCheck(ctx context.Context, input gql.UpdateCheckInput) (*gql.CheckPayload, error) {
	w, err := r.writer(ctx, authz.EditChecks)
	if err != nil {
		return nil, err
	}
	change, err := newCheckChange(input)
	if err != nil {
		return nil, err
	}
	suite, err := r.Store.UpdateCheck(ctx, w, input.Check, change)
	if err != nil {
		return nil, err
	}
	return r.checkPayload(ctx, suite, input.Check)
}

func (r *mutationResolver) DeleteCheck(ctx context.Context, input gql.DeleteCheckInput) (*gql.DeletePayload, error) {
	w, err := r.writer(ctx, authz.EditSuite)
	if err != nil {
		return nil, err
	}
	if err := identified("input.check", input.Check); err != nil {
		return nil, err
	}
	if err := r.Store.DeleteCheck(ctx, w, input.Check); err != nil {
		return nil, err
	}
	return &gql.DeletePayload{ID: input.Check}, nil
}
