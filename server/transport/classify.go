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
		message := "The value of " + argument + " is not one of its type."
		if strings.HasSuffix(err.Error(), "is not an Upload") {
			message = argument + " is a file. " + howToUpload
		}
		return &fault.Error{
			Code:    fault.CodeBadUserInput,
			Message: message,
			Field:   argument,
			Cause:   err,
		}, where
	case graphql.GetFieldContext(ctx) == nil && aboutQuery(wrapped):
		return queryFault(ctx, wrapped), place{locations: wrapped.Locations}
	default:
		return fault.From(err), where
	}
}

// split divides the path of an error into that of its field, length elements
// long, and that of the argument below it, "" if the error is not about one.
// gqlgen appends the argument's path when it cannot read an argument. An index is
// a place in the field's own list.
func split(path ast.Path, length int) (ast.Path, string) {
	if len(path) <= length {
		return path, ""
	}
	if _, entry := path[length].(ast.PathIndex); entry {
		return path, ""
	}
	return path[:length], path[length:].String()
}

// aboutQuery tells whether an error speaks of the query's text and variables
// only. Such errors are made by the parser, the validator and the extension for
// persisted queries, before anything is executed.
func aboutQuery(err *gqlerror.Error) bool {
	switch err.Extensions["code"] {
	case errcode.ParseFailed, errcode.ValidationFailed:
		return true
	}
	return false
}

// howToUpload is what to do who sent no file where one belongs.
const howToUpload = "Send a multipart request, in which the variable is null and the part map names it (the GraphQL multipart request specification), or use `strata ingest dbt`."

// queryFault keeps the message. The path of an error about a variable is not a
// path in the answer; it becomes the field.
func queryFault(ctx context.Context, err *gqlerror.Error) *fault.Error {
	f := fault.New(fault.CodeBadUserInput, err.Message)
	switch {
	case len(err.Path) > 1 && err.Path[0] == ast.PathName("variable"):
		f.Field = err.Path[1:].String()
		f.Message = "The variable " + f.Field + ": " + err.Message + "."
		if isUpload(ctx, f.Field) {
			f.Message = "The variable " + f.Field + " is a file. " + howToUpload
		}
	case strings.Contains(err.Message, `of type "Upload!" is required`):
		f.Message = err.Message + " " + howToUpload
	case err.Message == "no operation provided":
		f.Message = "The query holds no operation. Send one, such as {viewer{role}}."
	case strings.HasPrefix(err.Message, "operation ") && strings.HasSuffix(err.Message, " not found"):
		f.Field, f.Message = "operationName", "The query holds no operation of that name. Name one of its operations in operationName."
		if err.Message == "operation  not found" {
			f.Message = "The query holds several operations. Name the one to run in operationName."
		}
	}
	// The parser's own limits have no type of error.
	if strings.HasPrefix(err.Message, "exceeded token limit") ||
		strings.HasPrefix(err.Message, "exceeded maximum nesting depth") {
		f.Code = fault.CodeLimitExceeded
	}
	return f
}

// isUpload reports whether the operation says that a variable is a file.
func isUpload(ctx context.Context, variable string) bool {
	if !graphql.HasOperationContext(ctx) {
		return false
	}
	operation := graphql.GetOperationContext(ctx).Operation
	if operation == nil {
		return false
	}
	declared := operation.VariableDefinitions.ForName(variable)
	return declared != nil && declared.Type.NamedType == "Upload"
}
