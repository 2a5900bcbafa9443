package limits

import (
	"context"
	"errors"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/strata-gateway/strata/fault"
)

// Introspection is an extension that lets some callers read the schema. Others
// get a FORBIDDEN, before anything is executed; gqlgen's own refusal is an error
// without a type, which would pass for an internal one.
type Introspection struct {
	// Allow tells whether the caller in the context may read the schema.
	Allow func(context.Context) bool
}

// ExtensionName implements graphql.HandlerExtension.
func (Introspection) ExtensionName() string { return "Introspection" }

// Validate implements graphql.HandlerExtension.
func (i Introspection) Validate(graphql.ExecutableSchema) error {
	if i.Allow == nil {
		return errors.New("introspection: Allow is nil")
	}
	return nil
}

// MutateOperationContext implements graphql.OperationContextMutator.
func (i Introspection) MutateOperationContext(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	op.DisableIntrospection = !i.Allow(ctx)
	if op.DisableIntrospection && introspects(op.Operation.SelectionSet) {
		return gqlerror.Wrap(fault.New(fault.CodeForbidden,
			"Introspection is off for you here. Read the schema in the documentation."))
	}
	return nil
}

// introspects tells whether a root selection reads the schema. The document is
// valid and within the limits by now, so that laying out fragments is safe.
func introspects(set ast.SelectionSet) bool {
	for _, selection := range set {
		var below ast.SelectionSet
		switch s := selection.(type) {
		case *ast.Field:
			if s.Name == "__schema" || s.Name == "__type" {
				return true
			}
		case *ast.InlineFragment:
			below = s.SelectionSet
		case *ast.FragmentSpread:
			below = s.Definition.SelectionSet
		}
		if introspects(below) {
			return true
		}
	}
	return false
}
