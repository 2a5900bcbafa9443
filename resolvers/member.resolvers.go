package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/connection"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
)

func (r *mutationResolver) SetMembership(ctx context.Context, input gql.SetMembershipInput) (*gql.MemberPayload, error) {
	w, err := r.writer(ctx, authz.ManageDirectory)
	if err != nil {
		return nil, err
	}
	change, err := newMembershipChange(input)
	if err != nil {
		return nil, err
	}
	member, err := r.Store.SetMembership(ctx, w, change)
	if err != nil {
		return nil, err
	}
	return &gql.MemberPayload{Member: member}, nil
}

func (r *mutationResolver) RemoveMember(ctx context.Context, input gql.RemoveMemberInput) (*gql.DeletePayload, error) {
	w, err := r.writer(ctx, authz.ManageDirectory)
	if err != nil {
		return nil, err
	}
	if err := identified("input.user", input.User); err != nil {
		return nil, err
	}
	if err := r.Store.RemoveMember(ctx, w, input.User); err != nil {
		return nil, err
	}
	return &gql.DeletePayload{ID: input.User}, nil
}

func (r *queryResolver) Members(ctx context.Context, first *int, after *string) (*connection.Connection[*graph.Member], error) {
	audience, err := authz.AudienceFrom(ctx)
	if err != nil {
		return nil, err
	}
	l, at, err := r.page(ctx, "members", nil, first, after)
	if err != nil {
		return nil, err
	}
	page, err := r.Store.MemberList(ctx, audience, at)
	if err != nil {
		return nil, err
	}
	return connection.New(r.Cursors, l, page, func(m *graph.Member) graph.Position {
		return graph.Position{Text: m.User.Email, ID: m.User.ID}
	}), nil
}
