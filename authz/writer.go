package authz

import (
	"context"

	"github.com/strata-gateway/strata/graph"
)

// Writer is the caller of the context as one who asks for a change under a rule. The transaction reads
// the caller anew, so that what this request saw earlier decides nothing. Errors: UNAUTHENTICATED
// without a caller.
func Writer(ctx context.Context, requestID string, rule Rule) (graph.Writer, error) {
	c, err := CallerFrom(ctx)
	if err != nil {
		return graph.Writer{}, err
	}
	policy := c.policy
	return graph.Writer{
		Actor: graph.Actor{User: c.User.ID, Workspace: c.Audience.Workspace, RequestID: requestID},
		Email: c.User.Email,
		Enter: func(f graph.CallerFacts) (graph.Scope, error) {
			now, err := policy.Caller(f)
			if err != nil {
				return graph.Scope{}, err
			}
			return now.Scope(), nil
		},
		Permit: func(f graph.Facts) (graph.Right, error) {
			now, err := policy.Caller(f.Caller)
			if err != nil {
				return graph.Right{}, err
			}
			d := rule(now, f)
			return graph.Right{AdminOverride: d.Allowed && d.AdminOverride, ClampsPreviousOwner: d.ClampsPreviousOwner}, d.Err()
		},
	}, nil
}
