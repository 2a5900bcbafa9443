package transport

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/strata-gateway/strata/fault"
)

// panicked is the cause of the fault that a panic becomes.
type panicked struct{ value any }

func (p panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// Recover returns the recover function: a panic is logged with its stack and
// becomes an INTERNAL fault.
func Recover(log *slog.Logger, requestID func(context.Context) string) graphql.RecoverFunc {
	return func(ctx context.Context, value any) error {
		log.LogAttrs(ctx, slog.LevelError, "panic",
			slog.String("request", requestID(ctx)),
			slog.String("operation", operation(ctx)),
			slog.Any("value", value),
			slog.String("stack", string(debug.Stack())),
		)
		return fault.Wrap(fault.CodeInternal, "panic", panicked{value})
	}
}

// record logs what the client is not told: the failures that are ours, and the
// causes of others. A client that went away is none.
func record(ctx context.Context, log *slog.Logger, request string, f *fault.Error, path ast.Path) {
	level := slog.LevelWarn
	switch {
	case errors.As(f, new(panicked)):
		return // Recover has
	case f.Public().Code == fault.CodeInternal:
		level = slog.LevelError
	case f.Cause == nil:
		return
	case f.Code == fault.CodeBadUserInput, errors.Is(f, context.Canceled):
		level = slog.LevelDebug
	}
	log.LogAttrs(ctx, level, "field failed",
		slog.String("request", request),
		slog.String("operation", operation(ctx)),
		slog.String("path", path.String()),
		slog.String("error", f.Error()),
	)
}

// maxName bounds the name of an operation in the log, which is the client's.
const maxName = 100

// operation is the name of the operation in ctx, "" if it has none.
func operation(ctx context.Context) string {
	if !graphql.HasOperationContext(ctx) {
		return ""
	}
	op := graphql.GetOperationContext(ctx)
	name := op.OperationName
	if op.Operation != nil {
		name = op.Operation.Name
	}
	return name[:min(len(name), maxName)]
}
