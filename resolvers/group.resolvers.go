package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/connection"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
)

func (r *groupResolver) Members(ctx context.Context, obj *graph.Group, first *int, after *string) (*connection.Connection[*graph.GroupMember], error) {
	audience, err := authz.AudienceFrom(ctx)
	if err != nil {
		return nil, err
	}
	l, at, err := r.page(ctx, "group.members", obj.ID, first, after)
	if err != nil {
		return nil, err
	}
	page, err := r.Store.GroupMembers(ctx, audience, obj.ID, at)
	if err != nil {
		return nil, err
	}
	return connection.New(r.Cursors, l, page, func(m *graph.GroupMember) graph.Position { return graph.Position{ID: m.ID()} }), nil
}

func (r *mutationResolver) SetGroup(ctx context.Context, input gql.SetGroupInput) (*gql.GroupPayload, error) {
	w, err := r.writer(ctx, authz.ManageDirectory)
	if err != nil {
		return nil, err
	}
	change, err := newGroupChange(input)
	if err != nil {
		return nil, err
	}
	group, err := r.Store.SetGroup(ctx, w, change)
	if err != nil {
		return nil, err
	}
	return &gql.GroupPayload{Group: group}, nil
}

func (r *mutationResolver) DeleteGroup(ctx context.Context, input gql.DeleteGroupInput) (*gql.DeletePayload, error) {
	w, err := r.writer(ctx, authz.ManageDirectory)
	if err != nil {
		return nil, err
	}
	if err := identified("input.group", input.Group); err != nil {
		return nil, err
	}
	if err := r.Store.DeleteGroup(ctx, w, input.Group); err != nil {
		return nil, err
	}
	return &gql.DeletePayload{ID: input.Group}, nil
}

func (r *queryResolver) Groups(ctx context.Context, first *int, after *string) (*connection.Connection[*graph.Group], error) {
	audience, err := authz.AudienceFrom(ctx)
	if err != nil {
		return nil, err
	}
	l, at, err := r.page(ctx, "groups", nil, first, after)
	if err != nil {
		return nil, err
	}
	page, err := r.Store.GroupList(ctx, audience, at)
	if err != nil {
		return nil, err
	}
	return connection.New(r.Cursors, l, page, func(g *graph.Group) graph.Position {
		return graph.Position{Text: g.Name, ID: g.ID}
	}), nil
}

func (r *Resolver) Group() gql.GroupResolver { return &groupResolver{r} }

type groupResolver struct{ *Resolver }
