package limits

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/strata-gateway/strata/fault"
)

// maxMessage bounds the message of one error in bytes. Messages of validation
// repeat names and values of the query, and those may be as long as it is.
const maxMessage = 1000

// errorCap bounds the errors of every response in number and length, and orders them: fields are resolved
// side by side, and an order that depends on which was faster would tell of what they found
// (TestErrorsAreOrderedByPath).
type errorCap struct{ most int }

// ExtensionName implements graphql.HandlerExtension.
func (errorCap) ExtensionName() string { return "ErrorCap" }

// Validate implements graphql.HandlerExtension.
func (errorCap) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptResponse implements graphql.ResponseInterceptor. What goes over the
// cap is replaced by one error, the last, that says how many there were.
func (c errorCap) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	resp := next(ctx)
	if resp == nil {
		return nil
	}
	slices.SortStableFunc(resp.Errors, byPath)
	if len(resp.Errors) > c.most {
		kept := c.most - 1
		more := fault.New(fault.CodeLimitExceeded,
			fmt.Sprintf("There are %d more errors. Mend these first.", len(resp.Errors)-kept)).Public()
		resp.Errors = append(resp.Errors[:kept:kept], &gqlerror.Error{
			Message:    more.Message,
			Extensions: more.Extensions(),
		})
	}
	for _, err := range resp.Errors {
		err.Message = shortened(err.Message)
	}
	return resp
}

// byPath compares two errors by their paths: elements of lists by their place, fields by their name. Errors
// about the query have no path and stay as they were.
func byPath(a, b *gqlerror.Error) int {
	return slices.CompareFunc(a.Path, b.Path, func(x, y ast.PathElement) int {
		i, xInList := x.(ast.PathIndex)
		j, yInList := y.(ast.PathIndex)
		if xInList && yInList {
			return cmp.Compare(i, j)
		}
		return cmp.Compare(fmt.Sprint(x), fmt.Sprint(y))
	})
}

// shortened cuts s to maxMessage at a rune boundary.
func shortened(s string) string {
	if len(s) <= maxMessage {
		return s
	}
	end := maxMessage
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}
