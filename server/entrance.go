package server

import (
	"context"
	"errors"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/cache"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/loaders"
	"github.com/strata-gateway/strata/server/authn"
)

// workspaceHeader names the workspace of a request; a caller who is in exactly one may leave it out.
const workspaceHeader = "X-Strata-Workspace"

var errNoIdentity = errors.New("an operation that no middleware authenticated")

// entrance is what every operation comes through before it is executed.
type entrance struct {
	store     *graph.Store
	cache     *cache.Cache
	policy    *authz.Policy
	enrolment authz.Enrolment
	// time bounds an operation, and ingestTime one that ingests.
	time, ingestTime time.Duration
	present          graphql.ErrorPresenterFunc
}

// enter starts the operation's clock and finds out who asks. It is an OperationMiddleware; who is not let
// in gets an error and no data.
func (e entrance) enter(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	op := graphql.GetOperationContext(ctx)
	nameOperation(ctx, op.Operation.Name)
	ctx, cancel := context.WithTimeout(ctx, e.timeOf(op.Operation))
	admitted, err := inTime(ctx, func() (context.Context, error) { return e.admit(ctx, op.Headers.Get(workspaceHeader)) })
	if err != nil {
		cancel()
		return graphql.OneShot(e.refusal(ctx, err))
	}
	respond := next(admitted)
	return func(ctx context.Context) *graphql.Response {
		defer cancel()
		answer, err := inTime(ctx, func() (*graphql.Response, error) {
			answer := respond(ctx)
			return answer, e.recordReads(admitted)
		})
		if fault.CodeOf(err) == fault.CodeTimeout && ingests(op.Operation) {
			err = fault.Wrap(fault.CodeTimeout, "The ingest ran out of time. Send the same files again: what was applied already changes nothing.", err)
		}
		if err != nil {
			return e.refusal(ctx, err)
		}
		return answer
	}
}

// timeOf is how long an operation may take.
func (e entrance) timeOf(op *ast.OperationDefinition) time.Duration {
	if ingests(op) {
		return e.ingestTime
	}
	return e.time
}

// ingests reports whether an operation ingests artifacts and does nothing else.
func ingests(op *ast.OperationDefinition) bool {
	if op.Operation != ast.Mutation || len(op.SelectionSet) != 1 {
		return false
	}
	field, ok := op.SelectionSet[0].(*ast.Field)
	return ok && field.Name == "ingestDbt"
}

// refusal is an answer without data.
func (e entrance) refusal(ctx context.Context, err error) *graphql.Response {
	return &graphql.Response{Errors: gqlerror.List{e.present(ctx, err)}}
}

// admit makes the one round trip that every operation owes: who the caller is in the workspace now, and
// at which versions it stands.
//
// SECURITY: it is asked anew for each operation, so that a revocation holds for the very next one
// (TestRevocationHoldsForTheNextRequest).
func (e entrance) admit(ctx context.Context, workspace string) (context.Context, error) {
	id, ok := authn.From(ctx)
	if !ok {
		return ctx, fault.Wrap(fault.CodeUnauthenticated, "Nobody is signed in here. Send a bearer token.", errNoIdentity)
	}
	facts, epochs, err := e.store.Caller(ctx, id.Email, workspace)
	if err != nil {
		return ctx, err
	}
	if e.enrolment.Admits(facts) {
		if facts, epochs, err = e.enrol(ctx, id.Email); err != nil {
			return ctx, err
		}
	}
	caller, err := e.policy.Caller(facts)
	if err != nil {
		return ctx, err
	}
	caller.Epochs = epochs
	return loaders.With(authz.WithReads(authz.WithCaller(ctx, caller)), e.store, e.cache), nil
}

// recordReads writes down what the operation read by virtue of its caller being an admin. It is asked when
// the answer is complete and before any of it is sent.
//
// SECURITY: what cannot be recorded is not shown (TestWhatCannotBeRecordedIsNotShown).
func (e entrance) recordReads(ctx context.Context) error {
	read := authz.ReadsFrom(ctx)
	if len(read) == 0 {
		return nil
	}
	c, err := authz.CallerFrom(ctx)
	if err != nil {
		return err
	}
	actor := graph.Actor{User: c.User.ID, Workspace: c.Audience.Workspace, RequestID: RequestID(ctx)}
	if err := e.store.RecordReads(ctx, actor, read); err != nil {
		return fault.Wrap(fault.CodeUnavailable, "What you asked for is others' and could not be recorded as read, so it is not shown. Try again in a moment.", err)
	}
	return nil
}

// enrol makes someone a member and reads anew who they are.
func (e entrance) enrol(ctx context.Context, email string) (graph.CallerFacts, graph.Epochs, error) {
	if _, err := e.store.EnsureMember(ctx, e.enrolment.Workspace, email, e.enrolment.Role, graph.Unrestricted); err != nil {
		return graph.CallerFacts{}, graph.Epochs{}, err
	}
	return e.store.Caller(ctx, email, e.enrolment.Workspace)
}
