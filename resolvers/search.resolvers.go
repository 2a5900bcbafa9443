package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/connection"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
)

func (r *queryResolver) Search(ctx context.Context, text string, first *int, after *string) (*gql.SearchConnection, error) {
	scope, err := authz.ScopeFrom(ctx)
	if err != nil {
		return nil, err
	}
	if err := validPhrase(text); err != nil {
		return nil, err
	}
	l, at, err := r.page(ctx, "search", text, first, after)
	if err != nil {
		return nil, err
	}
	page, err := r.Store.Search(ctx, scope, text, at)
	if err != nil {
		return nil, err
	}
	announce(ctx, page.Items, func(h *graph.SearchHit) string { return h.Asset.ID })
	announce(ctx, page.Items, func(h *graph.SearchHit) string { return h.Asset.Datasource.ID })
	return searchConnection(connection.New(r.Cursors, l, page, graph.SearchPosition)), nil
}
