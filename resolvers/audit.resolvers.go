package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/connection"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/loaders"
)

func (r *queryResolver) AuditEvents(ctx context.Context, filter *graph.AuditFilter, first *int, after *string) (*connection.Connection[*graph.AuditEvent], error) {
	scope, err := authz.TrailScopeFrom(ctx)
	if err != nil {
		return nil, err
	}
	var asked graph.AuditFilter
	if filter != nil {
		asked = *filter
	}
	if err := validAuditFilter(asked); err != nil {
		return nil, err
	}
	l, at, err := r.page(ctx, "auditEvents", asked, first, after)
	if err != nil {
		return nil, err
	}
	page, err := r.Store.AuditEvents(ctx, scope, asked, at)
	if err != nil {
		return nil, err
	}
	return connection.New(r.Cursors, l, page, graph.AuditPosition), nil
}

func (r *suiteResolver) History(ctx context.Context, obj *graph.Suite, first *int, after *string) (*connection.Connection[*graph.AuditEvent], error) {
	l, at, err := r.page(ctx, "suite.history", obj.ID, first, after)
	if err != nil {
		return nil, err
	}
	page, err := loaders.From(ctx).History(ctx, graph.HistoryOf{
		Suite: obj.ID, First: at.First, After: at.After, AfterAt: at.Number, AfterID: at.ID, Total: at.Total,
	})
	if err != nil {
		return nil, err
	}
	return connection.New(r.Cursors, l, page, graph.AuditPosition), nil
}
