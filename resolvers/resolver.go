// Package resolvers answers the fields of the schema, one file for each schema file. A resolver checks
// arguments, makes one call and returns: what may be seen is decided by the directives, by the scopes
// that lists are read under and by the rules that changes run under, all of package authz.
package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/connection"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
)

// Resolver is what all resolvers share.
type Resolver struct {
	Store   *graph.Store
	Cursors *connection.Sealer
	// Budgets bound every walk of the graph.
	Budgets lineage.Budgets
	// Graphs draws graphs, and keeps them for everyone of an audience.
	Graphs *lineage.Graphs
	// Impacts answers what a change hits, and keeps the results that cursors are of.
	Impacts *lineage.Impacts
	// CanExport is whether the deployment lets lists be downloaded.
	CanExport bool
	// RequestID names the request in audit events.
	RequestID func(context.Context) string
}

// writer is the caller as one who asks for a change under a rule.
func (r *Resolver) writer(ctx context.Context, rule authz.Rule) (graph.Writer, error) {
	return authz.Writer(ctx, r.RequestID(ctx), rule)
}

// list names a list for its cursors: it is the caller's, of this workspace, with these arguments.
func (r *Resolver) list(ctx context.Context, field string, arguments any) (connection.List, error) {
	c, err := authz.CallerFrom(ctx)
	if err != nil {
		return connection.List{}, err
	}
	return connection.List{
		Caller: c.User.ID, Workspace: c.Audience.Workspace, Class: string(c.Audience.Class), Field: field, Arguments: arguments,
	}, nil
}

// page checks the page's arguments for a list, and asks for its total if that is selected.
func (r *Resolver) page(ctx context.Context, field string, arguments any, first *int, after *string) (connection.List, graph.Position, error) {
	l, err := r.list(ctx, field, arguments)
	if err != nil {
		return connection.List{}, graph.Position{}, err
	}
	p, err := r.Cursors.Position(l, first, after)
	p.Total = selects(ctx, "totalCount")
	return l, p, err
}

// selects reports whether the current field's selection asks for a field of this name.
func selects(ctx context.Context, name string) bool {
	fc := graphql.GetFieldContext(ctx)
	for _, f := range graphql.CollectFieldsCtx(ctx, []string{fc.Field.Definition.Type.Name()}) {
		if f.Name == name {
			return true
		}
	}
	return false
}
