package bulk

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Directive makes @bulk, which writes the lists of the tables. A selection of which may refuses a field
// is left to the executor.
//
// SECURITY: may must refuse every field that is decided for each object or caller (authz.SameForAll;
// TestBulkLeavesDecidedFieldsToTheExecutor).
func Directive(may func(*ast.FieldDefinition) bool, tables ...list) func(context.Context, any, graphql.Resolver) (any, error) {
	return func(ctx context.Context, _ any, next graphql.Resolver) (any, error) {
		value, err := next(ctx)
		if err != nil {
			return nil, err
		}
		field, op := graphql.GetFieldContext(ctx), graphql.GetOperationContext(ctx)
		for _, t := range tables {
			if w := t.writer(op, field.Field, value, may); w != nil {
				return w, nil
			}
		}
		return value, nil
	}
}
