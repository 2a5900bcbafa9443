package authz

import (
	"context"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// view is what a part of a request may know of who asks: the caller, or below an aggregate only the
// audience.
type view struct {
	caller   *Caller
	audience graph.Audience
	epochs   graph.Epochs
}

type viewKey struct{}

// WithCaller returns a context in which the caller asks.
func WithCaller(ctx context.Context, c *Caller) context.Context {
	return context.WithValue(ctx, viewKey{}, view{caller: c, audience: c.Audience, epochs: c.Epochs})
}

// withAudienceOnly returns a context in which nobody in particular asks: what is computed there is the
// same for the whole audience.
func withAudienceOnly(ctx context.Context) context.Context {
	v, _ := ctx.Value(viewKey{}).(view)
	v.caller = nil
	return context.WithValue(ctx, viewKey{}, v)
}

// CallerFrom is who asks. Errors: UNAUTHENTICATED if nobody does, as below an aggregate.
func CallerFrom(ctx context.Context) (*Caller, error) {
	if v, ok := ctx.Value(viewKey{}).(view); ok && v.caller != nil {
		return v.caller, nil
	}
	return nil, fault.New(fault.CodeUnauthenticated, "Nobody is signed in here. Send a bearer token.")
}

// AudienceFrom is for whom identity and aggregates are read. Errors: UNAUTHENTICATED if for nobody.
func AudienceFrom(ctx context.Context) (graph.Audience, error) {
	if v, ok := ctx.Value(viewKey{}).(view); ok && v.audience.Workspace != "" {
		return v.audience, nil
	}
	return graph.Audience{}, fault.New(fault.CodeUnauthenticated, "Nobody is signed in here. Send a bearer token.")
}

// EpochsFrom are the versions that the request read first; those of no workspace if it read none.
func EpochsFrom(ctx context.Context) graph.Epochs {
	v, _ := ctx.Value(viewKey{}).(view)
	return v.epochs
}

// ScopeFrom is what the caller's itemized lists are filtered by. Errors: UNAUTHENTICATED.
func ScopeFrom(ctx context.Context) (graph.Scope, error) {
	c, err := CallerFrom(ctx)
	if err != nil {
		return graph.Scope{}, err
	}
	return c.Scope(), nil
}
