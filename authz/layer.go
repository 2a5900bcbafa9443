package authz

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/strata-gateway/strata/fault"
	"github.com/vektah/gqlparser/v2/ast"
)

// Layer says who may learn a field (docs/visibility.md, "Layers").
type Layer string

// The layers.
const (
	LayerIdentity  Layer = "IDENTITY"
	LayerAggregate Layer = "AGGREGATE"
	LayerItemized  Layer = "ITEMIZED"
	LayerCaller    Layer = "CALLER"
)

type letThroughKey struct{}

// withLetThrough marks the context below a field whose gate stands.
func withLetThrough(ctx context.Context) context.Context {
	return context.WithValue(ctx, letThroughKey{}, true)
}

func wasLetThrough(ctx context.Context) bool {
	b, _ := ctx.Value(letThroughKey{}).(bool)
	return b
}

// LayerDirective is @layer: it fails closed. Nothing is resolved for nobody; below an aggregate nobody
// in particular asks; an itemized field needs a gate of its own or one above it. It holds in whichever
// order it and @gate run.
//
// SECURITY: TestLayerFailsClosed, TestLayerAndGateInEitherOrder.
func LayerDirective(ctx context.Context, _ any, next graphql.Resolver, is Layer) (any, error) {
	if _, err := AudienceFrom(ctx); err != nil {
		return nil, err
	}
	switch is {
	case LayerIdentity:
		return next(ctx)
	case LayerAggregate:
		return next(withAudienceOnly(ctx))
	case LayerCaller:
		if _, err := CallerFrom(ctx); err != nil {
			return nil, err
		}
		return next(ctx)
	case LayerItemized:
		if _, err := CallerFrom(ctx); err != nil {
			return nil, err
		}
		if isGated(graphql.GetFieldContext(ctx)) || wasLetThrough(ctx) {
			return next(ctx)
		}
	}
	return nil, fault.Wrap(fault.CodeForbidden, "You may not see this.", errUngated)
}

// isGated reports whether the field itself declares a gate, which then decides.
func isGated(fc *graphql.FieldContext) bool {
	return fc != nil && fc.Field.Definition != nil && declaresGate(fc.Field.Definition)
}

func declaresGate(f *ast.FieldDefinition) bool { return f.Directives.ForName("gate") != nil }

// SameForAll reports whether a field tells everyone who sees its object the same, without any decision
// or work of its own: it is of the layer IDENTITY or AGGREGATE, and has neither a gate nor arguments.
func SameForAll(f *ast.FieldDefinition) bool {
	is := f.Directives.ForName("layer")
	if is == nil || declaresGate(f) || len(f.Arguments) > 0 {
		return false
	}
	layer := Layer(is.Arguments.ForName("is").Value.Raw)
	return layer == LayerIdentity || layer == LayerAggregate
}
