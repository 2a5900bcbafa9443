package transport

import (
	"context"
	"errors"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/strata-gateway/strata/fault"
)

// place is where in the answer or in the query an error belongs.
type place struct {
	path      ast.Path
	locations []gqlerror.Location
}

// classify makes a fault of err. Errors arrive wrapped in a *gqlerror.Error,
// which holds the path; those about the query itself are nothing else.
func classify(ctx context.Context, err error) (*fault.Error, place) {
	var wrapped *gqlerror.Error
	if !errors.As(err, &wrapped) {
		return fault.From(err), place{path: graphql.GetPath(ctx)}
	}
	where := place{path: wrapped.Path, locations: wrapped.Locations}
	argument := ""
	if field := graphql.GetFieldContext(ctx); field != nil {
		where.path, argument = split(wrapped.Path, len(field.Path()))
	}
	switch f := fault.Of(err); {
	case f != nil && f.Code == fault.CodeBadUserInput && f.Field == "" && argument != "":
		located := *f
		located.Field = argument
		return &located, where
	case f != nil:
		return f, where
	case argument != "" && fault.CodeOf(err) == fault.CodeInternal:
		// A scalar that could not read its value. Its text is not ours to show.
		return &fault.Error{
			Code:    fault.CodeBadUserInput,
			Message: "The value of " + argument + " is not one of its type.",
			Field:   argument,
			Cause:   err,
		}, where
	case graphql.GetFieldContext(ctx) == nil && aboutQuery(wrapped):
		return queryFault(wrapped), place{locations: wrapped.Locations}
	default:
		return fault.From(err), where
	}
}

// split divides the path of an error into that of its field, length elements
// long, and that of the argument below it, "" if the error is not about one.
// gqlgen appends the argument's path when it cannot read an argument.
func split(path ast.Path, length int) (ast.Path, string) {
	if len(path) <= length {
		return path, ""
	}
	return path[:length], path[length:].String()
}

// aboutQuery tells whether an error speaks of the query's text and variables
// only. Such errors are made by the parser, the validator and the extension for
// persisted queries, before anything is executed.
func aboutQuery(err *gqlerror.Error) bool {
	switch err.Extensions["code"] {
	case errcode.ParseFailed, errcode.ValidationFailed, "PERSISTED_QUERY_NOT_FOUND":
		return true
	}
	switch err.Message {
	case "invalid APQ extension data", "unsupported APQ version", "provided APQ hash does not match query":
		return true
	}
	return false
}

// queryFault keeps the message. The path of an error about a variable is not a
// path in the answer; it becomes the field.
func queryFault(err *gqlerror.Error) *fault.Error {
	f := fault.New(fault.CodeBadUserInput, err.Message)
	if len(err.Path) > 1 && err.Path[0] == ast.PathName("variable") {
		f.Field = err.Path[1:].String()
		f.Message = "The variable " + f.Field + ": " + err.Message + "."
	}
	// The parser's own limits have no type of error.
	if strings.HasPrefix(err.Message, "exceeded token limit") ||
		strings.HasPrefix(err.Message, "exceeded maximum nesting depth") {
		f.Code = fault.CodeLimitExceeded
	}
	return f
}
