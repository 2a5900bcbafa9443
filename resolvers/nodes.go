package resolvers

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/loaders"
)

// maxNodes bounds one call of `nodes`.
const maxNodes = 200

// nodes finds objects of any kind by id, in order, nil where there is none: one statement for each kind
// that the ids name. The gate of the field decides which of them the caller gets.
func (r *Resolver) nodes(ctx context.Context, ids []string) ([]graph.Node, error) {
	scope, err := authz.ScopeFrom(ctx)
	if err != nil {
		return nil, err
	}
	byKind := map[graph.Kind][]string{}
	for _, id := range ids {
		byKind[graph.KindOf(id)] = append(byKind[graph.KindOf(id)], id)
	}
	found := map[string]graph.Node{}
	for kind, some := range byKind {
		if err := r.fetchNodes(ctx, scope, kind, some, found); err != nil {
			return nil, err
		}
	}
	loaders.From(ctx).Announce(byKind[graph.KindAsset]...)
	loaders.From(ctx).Announce(byKind[graph.KindSuite]...)
	loaders.From(ctx).Announce(byKind[graph.KindRun]...)
	out := make([]graph.Node, len(ids))
	for i, id := range ids {
		out[i] = found[id]
	}
	return out, nil
}

func (r *Resolver) fetchNodes(ctx context.Context, scope graph.Scope, kind graph.Kind, ids []string, into map[string]graph.Node) error {
	switch kind {
	case graph.KindAsset:
		found, err := r.Store.Assets(ctx, scope.Audience, ids)
		return gather(found, err, into)
	case graph.KindDatasource:
		found, err := r.Store.Datasources(ctx, scope.Audience, ids)
		return gather(found, err, into)
	case graph.KindExternal:
		found, err := r.Store.Externals(ctx, scope.Audience, ids)
		return gather(found, err, into)
	case graph.KindSuite:
		found, err := r.Store.Suites(ctx, scope, ids)
		return gather(found, err, into)
	case graph.KindRun:
		found, err := r.Store.Runs(ctx, scope, ids)
		return gather(found, err, into)
	}
	return nil // an id of nothing
}

func gather[N graph.Node](found map[string]N, err error, into map[string]graph.Node) error {
	for id, n := range found {
		into[id] = n
	}
	return err
}

// addErrorAt says what is wrong with an entry of the current field's list, which is null then.
func addErrorAt(ctx context.Context, i int, err error) {
	path := append(slices.Clone(graphql.GetPath(ctx)), ast.PathIndex(i))
	graphql.AddError(ctx, gqlerror.WrapPath(path, err))
}
