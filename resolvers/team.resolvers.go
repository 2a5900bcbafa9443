package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/connection"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/loaders"
)

func (r *mutationResolver) SetTeam(ctx context.Context, input gql.SetTeamInput) (*gql.TeamPayload, error) {
	w, err := r.writer(ctx, authz.ManageDirectory)
	if err != nil {
		return nil, err
	}
	change, err := newTeamChange(input)
	if err != nil {
		return nil, err
	}
	team, err := r.Store.SetTeam(ctx, w, change)
	if err != nil {
		return nil, err
	}
	return &gql.TeamPayload{Team: team}, nil
}

func (r *mutationResolver) DeleteTeam(ctx context.Context, input gql.DeleteTeamInput) (*gql.DeletePayload, error) {
	w, err := r.writer(ctx, authz.ManageDirectory)
	if err != nil {
		return nil, err
	}
	if err := identified("input.team", input.Team); err != nil {
		return nil, err
	}
	if err := r.Store.DeleteTeam(ctx, w, input.Team); err != nil {
		return nil, err
	}
	return &gql.DeletePayload{ID: input.Team}, nil
}

func (r *queryResolver) Teams(ctx context.Context, first *int, after *string) (*connection.Connection[*graph.Team], error) {
	audience, err := authz.AudienceFrom(ctx)
	if err != nil {
		return nil, err
	}
	l, at, err := r.page(ctx, "teams", nil, first, after)
	if err != nil {
		return nil, err
	}
	page, err := r.Store.TeamList(ctx, audience, at)
	if err != nil {
		return nil, err
	}
	announce(ctx, page.Items, func(t *graph.Team) string { return t.ID })
	return connection.New(r.Cursors, l, page, func(t *graph.Team) graph.Position {
		return graph.Position{Text: t.Name, ID: t.ID}
	}), nil
}

func (r *teamResolver) Members(ctx context.Context, obj *graph.Team) ([]*graph.TeamMembership, error) {
	return loaders.From(ctx).TeamMembers(ctx, obj.ID)
}

func (r *teamResolver) Datasources(ctx context.Context, obj *graph.Team) ([]*graph.DatasourceGrant, error) {
	return loaders.From(ctx).TeamGrants(ctx, obj.ID)
}

func (r *Resolver) Team() gql.TeamResolver { return &teamResolver{r} }

type teamResolver struct{ *Resolver }
