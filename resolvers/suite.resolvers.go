package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/connection"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/loaders"
)

func (r *mutationResolver) CreateSuite(ctx context.Context, input gql.CreateSuiteInput) (*gql.SuitePayload, error) {
	w, err := r.writer(ctx, authz.CreateSuite)
	if err != nil {
		return nil, err
	}
	if err := validSuite(input); err != nil {
		return nil, err
	}
	id, err := r.Store.CreateSuite(ctx, w, newSuite(input))
	if err != nil {
		return nil, err
	}
	return r.suitePayload(ctx, id)
}

func (r *mutationResolver) ShareSuite(ctx context.Context, input gql.ShareSuiteInput) (*gql.SharePayload, error) {
	w, err := r.writer(ctx, authz.ShareSuite)
	if err != nil {
		return nil, err
	}
	in, err := newShare(input)
	if err != nil {
		return nil, err
	}
	share, err := r.Store.ShareSuite(ctx, w, in)
	if err != nil {
		return nil, err
	}
	return &gql.SharePayload{Share: share}, nil
}

func (r *mutationResolver) UpdateSuite(ctx context.Context, input gql.UpdateSuiteInput) (*gql.SuitePayload, error) {
	w, err := r.writer(ctx, authz.EditSuite)
	if err != nil {
		return nil, err
	}
	change, err := newSuiteChange(input)
	if err != nil {
		return nil, err
	}
	if err := r.Store.UpdateSuite(ctx, w, input.Suite, change); err != nil {
		return nil, err
	}
	return r.suitePayload(ctx, input.Suite)
}

func (r *mutationResolver) DeleteSuite(ctx context.Context, input gql.DeleteSuiteInput) (*gql.DeletePayload, error) {
	w, err := r.writer(ctx, authz.DeleteSuite)
	if err != nil {
		return nil, err
	}
	if err := identified("input.suite", input.Suite); err != nil {
		return nil, err
	}
	if err := r.Store.DeleteSuite(ctx, w, input.Suite); err != nil {
		return nil, err
	}
	return &gql.DeletePayload{ID: input.Suite}, nil
}

func (r *mutationResolver) TransferSuite(ctx context.Context, input gql.TransferSuiteInput) (*gql.SuitePayload, error) {
	w, err := r.writer(ctx, authz.TransferSuite)
	if err != nil {
		return nil, err
	}
	if err := firstError(identified("input.suite", input.Suite), identified("input.newOwner", input.NewOwner)); err != nil {
		return nil, err
	}
	transfer := graph.Transfer{Suite: input.Suite, NewOwner: input.NewOwner, Keeps: keeps(input.PreviousOwnerKeeps)}
	if err := r.Store.TransferSuite(ctx, w, transfer); err != nil {
		return nil, err
	}
	return r.suitePayload(ctx, input.Suite)
}

func (r *mutationResolver) RevokeShare(ctx context.Context, input gql.RevokeShareInput) (*gql.DeletePayload, error) {
	w, err := r.writer(ctx, authz.RevokeShare)
	if err != nil {
		return nil, err
	}
	if err := identified("input.share", input.Share); err != nil {
		return nil, err
	}
	if err := r.Store.RevokeShare(ctx, w, input.Share); err != nil {
		return nil, err
	}
	return &gql.DeletePayload{ID: input.Share}, nil
}

func (r *queryResolver) Suites(ctx context.Context, filter *graph.SuiteFilter, first *int, after *string) (*connection.Connection[*graph.Suite], error) {
	scope, err := authz.ScopeFrom(ctx)
	if err != nil {
		return nil, err
	}
	var asked graph.SuiteFilter
	if filter != nil {
		asked = *filter
	}
	l, at, err := r.page(ctx, "suites", asked, first, after)
	if err != nil {
		return nil, err
	}
	page, err := r.Store.SuiteList(ctx, scope, asked, at)
	if err != nil {
		return nil, err
	}
	announceSuites(ctx, page.Items)
	return connection.New(r.Cursors, l, page, suitePosition), nil
}

func (r *queryResolver) Suite(ctx context.Context, id string) (*graph.Suite, error) {
	if err := identified("id", id); err != nil {
		return nil, err
	}
	return r.suite(ctx, id)
}

func (r *suiteResolver) Asset(ctx context.Context, obj *graph.Suite) (*graph.Asset, error) {
	a, err := loaders.From(ctx).Asset(ctx, obj.AssetID)
	if err == nil && a == nil {
		return nil, fault.NotFound("asset")
	}
	return a, err
}

func (r *suiteResolver) MyPermission(ctx context.Context, obj *graph.Suite) (authz.SuiteLevel, error) {
	c, err := authz.CallerFrom(ctx)
	if err != nil {
		return authz.SuiteNone, err
	}
	level, _ := authz.LevelOn(c, obj.SuiteFacts)
	return level, nil
}

func (r *suiteResolver) Checks(ctx context.Context, obj *graph.Suite) ([]*graph.Check, error) {
	return loaders.From(ctx).Checks(ctx, obj.ID)
}

func (r *suiteResolver) Shares(ctx context.Context, obj *graph.Suite) ([]*graph.Share, error) {
	return loaders.From(ctx).Shares(ctx, obj.ID)
}

func (r *suiteResolver) Runs(ctx context.Context, obj *graph.Suite, first *int, after *string) (*connection.Connection[*graph.Run], error) {
	l, at, err := r.page(ctx, "suite.runs", obj.ID, first, after)
	if err != nil {
		return nil, err
	}
	page, err := loaders.From(ctx).Runs(ctx, graph.RunsOf{Suite: obj.ID, First: at.First, After: at.After, AfterAt: at.Number, AfterID: at.ID})
	if err != nil {
		return nil, err
	}
	return connection.New(r.Cursors, l, page, graph.RunPosition), nil
}

func (r *Resolver) Suite() gql.SuiteResolver { return &suiteResolver{r} }

type suiteResolver struct{ *Resolver }
