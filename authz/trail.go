package authz

import (
	"context"

	"github.com/strata-gateway/strata/graph"
)

// OnTrail decides whether the caller may read the audit trail of the workspace: workspace admins whom
// nothing is hidden from. Events name what they are about, and do not say whom that is hidden from.
func OnTrail(c *Caller) Decision {
	d := HasRole(c, graph.RoleAdmin)
	if d.Allowed && c.Audience.Class != graph.ClassFull {
		return forbid(ReasonHidden, "a workspace ADMIN who is not a restricted viewer in any workspace")
	}
	return d
}

// TrailScopeFrom is what the caller reads the audit trail under. Errors: UNAUTHENTICATED, FORBIDDEN.
//
// SECURITY: TestTheTrailIsForAdminsWhomNothingIsHiddenFrom.
func TrailScopeFrom(ctx context.Context) (graph.Scope, error) {
	c, err := CallerFrom(ctx)
	if err != nil {
		return graph.Scope{}, err
	}
	return c.Scope(), OnTrail(c).Err()
}
