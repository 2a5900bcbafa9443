// Package transport carries GraphQL over HTTP: POST, GET for queries, and what
// is said to requests that are neither. It follows the GraphQL-over-HTTP
// specification where gqlgen's own transports do not: answers without data have
// no data entry and, with application/graphql-response+json, the status of their
// error; with application/json every well-formed request is answered with 200.
// An answer's data are written as the executor made them, where gqlgen scans
// them a second time, which takes longer than making them. For uploads, SSE and
// WebSockets gqlgen's transports serve as they are.
//
// The package also decides what an error looks like to a client: see Present.
package transport

import (
	"context"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/strata-gateway/strata/fault"
)

// execute runs one operation and writes its answer. What allow refuses is not
// run.
func execute(
	w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor,
	media string, params *graphql.RawParams, allow func(ast.Operation) *fault.Error,
) {
	ctx := r.Context()
	params.Headers = r.Header
	op, errs := exec.CreateOperationContext(ctx, params)
	if errs != nil {
		writeResponse(w, media, exec.DispatchError(graphql.WithOperationContext(ctx, op), errs))
		return
	}
	if refused := allow(op.Operation.Operation); refused != nil {
		answerFault(w, media, refused)
		return
	}
	next, ctx := exec.DispatchOperation(ctx, op)
	resp := next(ctx)
	switch {
	case resp == nil:
		// The executor's sign that the context ended before it could answer.
		answerFault(w, media, ended(ctx))
	case resp.HasNext != nil && *resp.HasNext:
		answerFault(w, media, fault.New(fault.CodeBadUserInput,
			"This endpoint answers at once. Leave @defer out."))
	default:
		writeResponse(w, media, resp)
	}
}

func ended(ctx context.Context) *fault.Error {
	if ctx.Err() == nil {
		return fault.New(fault.CodeInternal, "no answer and no reason")
	}
	return fault.From(ctx.Err())
}

// noSubscription refuses what has more than one answer.
func noSubscription(op ast.Operation) *fault.Error {
	if op == ast.Subscription {
		return fault.New(fault.CodeBadUserInput,
			"A subscription needs Server-Sent Events (Accept: text/event-stream) or a WebSocket (graphql-transport-ws).")
	}
	return nil
}
