package resolvers

import (
	"context"
	"fmt"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
)

func (r *queryResolver) Node(ctx context.Context, id string) (graph.Node, error) {
	if err := identified("id", id); err != nil {
		return nil, err
	}
	found, err := r.nodes(ctx, []string{id})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

func (r *queryResolver) Nodes(ctx context.Context, ids []string) ([]graph.Node, error) {
	if err := atMost("ids", len(ids), maxNodes); err != nil {
		return nil, err
	}
	for i, id := range ids {
		if err := identified(fmt.Sprintf("ids[%d]", i), id); err != nil {
			addErrorAt(ctx, i, err)
		}
	}
	return r.nodes(ctx, ids)
}

func (r *Resolver) Mutation() gql.MutationResolver { return &mutationResolver{r} }

func (r *Resolver) Query() gql.QueryResolver { return &queryResolver{r} }

type (
	mutationResolver struct{ *Resolver }
	queryResolver    struct{ *Resolver }
)
