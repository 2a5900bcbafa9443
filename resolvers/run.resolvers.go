package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/loaders"
)

func (r *queryResolver) Run(ctx context.Context, id string) (*graph.Run, error) {
	scope, err := authz.ScopeFrom(ctx)
	if err != nil {
		return nil, err
	}
	if err := identified("id", id); err != nil {
		return nil, err
	}
	found, err := r.Store.Runs(ctx, scope, []string{id})
	return found[id], err
}

func (r *runResolver) Results(ctx context.Context, obj *graph.Run) ([]*graph.CheckResult, error) {
	results, err := loaders.From(ctx).Results(ctx, obj.ID)
	if err != nil {
		return nil, err
	}
	return results, authz.NoteRead(ctx, obj.OfSuite(), obj.ID)
}

func (r *Resolver) Run() gql.RunResolver { return &runResolver{r} }

type runResolver struct{ *Resolver }
