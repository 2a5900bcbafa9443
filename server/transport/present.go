package transport

import (
	"context"
	"log/slog"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/strata-gateway/strata/fault"
)

// Present returns the error presenter: it turns any error into what a client may
// see, with extensions.code from the closed list, and logs what a client may not.
// An INTERNAL error carries the request id, by which its log line is found.
//
// SECURITY: only faults, and errors about the text of the query, keep their
// message. Every other error is "internal error", because drivers put statements
// and addresses into theirs. Held by TestCausesNeverReachTheClient.
func Present(log *slog.Logger, requestID func(context.Context) string) graphql.ErrorPresenterFunc {
	return func(ctx context.Context, err error) *gqlerror.Error {
		if err == nil {
			return nil
		}
		f, where := classify(ctx, err)
		public := f.Public()
		out := &gqlerror.Error{
			Message:    public.Message,
			Path:       where.path,
			Locations:  where.locations,
			Extensions: public.Extensions(),
		}
		if public.Code == fault.CodeInternal {
			out.Extensions["requestId"] = requestID(ctx)
		}
		record(ctx, log, requestID(ctx), f, out.Path)
		return out
	}
}
