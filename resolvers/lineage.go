package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/loaders"
)

// maxDepth bounds a walk in hops.
const maxDepth = 5

// validWalk checks where a walk starts and how far it goes. Errors: BAD_USER_INPUT.
func validWalk(node string, depth int) error {
	if err := identified("node", node); err != nil {
		return err
	}
	if depth < 0 || depth > maxDepth {
		return fault.BadInput("depth", "depth must be from 0 to 5.")
	}
	return nil
}

// holds reports whether the caller holds a team permission on a datasource. "" stands for what is
// outside the catalog, which asks for none.
func (r *Resolver) holds(ctx context.Context, datasource string, least graph.TeamPermission) (bool, error) {
	c, err := authz.CallerFrom(ctx)
	if err != nil {
		return false, err
	}
	if datasource == "" {
		return true, nil
	}
	facts, err := loaders.From(ctx).Rights(ctx, datasource)
	if err != nil {
		return false, err
	}
	return authz.HoldsOn(c, facts, least), nil
}

// newUpstream checks what an edge is drawn from. Errors: BAD_USER_INPUT.
func newUpstream(in gql.AddUpstreamInput) (graph.AddUpstream, error) {
	out := graph.AddUpstream{Asset: in.Asset}
	if err := identified("input.asset", in.Asset); err != nil {
		return out, err
	}
	if (in.UpstreamAsset == nil) == (in.UpstreamExternal == nil) {
		return out, fault.BadInput("input", "Pass exactly one of upstreamAsset and upstreamExternal.")
	}
	if in.UpstreamAsset != nil {
		out.UpstreamAsset = *in.UpstreamAsset
		return out, identified("input.upstreamAsset", *in.UpstreamAsset)
	}
	x := in.UpstreamExternal
	out.UpstreamExternal = &graph.NewExternal{System: x.System, Model: x.Model, URL: x.URL}
	return out, firstError(
		named("input.upstreamExternal.system", x.System, maxName), named("input.upstreamExternal.model", x.Model, maxAssetName),
		link("input.upstreamExternal.url", x.URL),
	)
}
