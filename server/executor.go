package server

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/bulk"
	"github.com/strata-gateway/strata/connection"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/lineage"
	"github.com/strata-gateway/strata/loaders"
	"github.com/strata-gateway/strata/resolvers"
	"github.com/strata-gateway/strata/server/authn"
	"github.com/strata-gateway/strata/server/limits"
	"github.com/strata-gateway/strata/server/transport"
)

// newExecutor puts the executor together: schema, directives, costs, limits, transports.
func newExecutor(d Deps) (*handler.Server, error) {
	return serveSchema(d, gql.NewExecutableSchema(gql.Config{
		Resolvers: &resolvers.Resolver{
			Store: d.Store, Cursors: connection.NewSealer(d.CursorKey), Budgets: d.Budgets, RequestID: RequestID,
			Graphs:  lineage.NewGraphs(d.Store, d.Cache),
			Impacts: lineage.NewImpacts(d.Store, d.Cache, d.pins()), CanExport: !d.NoExports,
		},
		Directives: gql.DirectiveRoot{
			Layer: authz.LayerDirective, Gate: authz.GateDirective,
			Bulk: bulk.Directive(authz.SameForAll, resolvers.LineageNodes(), resolvers.LineageEdges()),
		},
		Complexity: costs(),
	}))
}

// freshAfterChanges gives each field of a mutation loaders of its own: they run one after the other, and what
// one of them read another may have changed (TestChangesOfOneRequestSeeEachOther). What is kept is of the versions that
// the request read before them, so nothing of it is used.
func freshAfterChanges(store *graph.Store) graphql.RootFieldMiddleware {
	return func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
		if graphql.GetOperationContext(ctx).Operation.Operation == ast.Mutation {
			ctx = loaders.With(ctx, store, nil)
		}
		return next(ctx)
	}
}

// serveSchema puts everything around a schema.
//
// SECURITY: a schema with a field that states no layer, or that no gate covers, is not served
// (TestSchemaThatLeaksIsNotServed).
func serveSchema(d Deps, schema graphql.ExecutableSchema) (*handler.Server, error) {
	if err := authz.CheckSchema(schema.Schema()); err != nil {
		return nil, err
	}
	srv := handler.New(schema)
	if err := limits.Apply(srv, d.Limits); err != nil {
		return nil, err
	}
	present := transport.Present(d.Log, RequestID)
	srv.SetErrorPresenter(present)
	srv.SetRecoverFunc(transport.Recover(d.Log, RequestID))
	// Whether they are a member is found out before anything is executed, the schema's own fields included.
	srv.Use(limits.Introspection{Allow: func(ctx context.Context) bool {
		_, known := authn.From(ctx)
		return known && d.Introspection
	}})
	srv.AroundRootFields(freshAfterChanges(d.Store))
	srv.AroundOperations(entrance{
		store: d.Store, cache: d.Cache, policy: d.Policy, enrolment: d.Enrolment, time: d.RequestTime, ingestTime: d.IngestTime, present: present,
	}.enter)
	post := transport.POST{}
	srv.AddTransport(post)
	srv.AddTransport(newUpload(post, d.Limits.Tokens, d.IngestTime))
	srv.AddTransport(transport.GET{})
	srv.AddTransport(transport.Unsupported{})
	return srv, nil
}
