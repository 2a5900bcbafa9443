package authz

import (
	"strings"

	"github.com/strata-gateway/strata/graph"
)

// PermissionOn is the caller's team permission on a datasource: the highest over their teams; EDITOR
// for its owner and for a workspace admin who is not restricted to teams; capped at VIEWER for a
// workspace VIEWER. Its Cypher twin is the rank of package graph's datasource list.
func PermissionOn(c *Caller, d graph.DatasourceFacts) (graph.TeamPermission, Reason) {
	held, why := heldOnDatasource(c, d)
	if c.Role == graph.RoleViewer && held.Rank() > graph.Viewer.Rank() {
		return graph.Viewer, ReasonClamp
	}
	return held, why
}

func heldOnDatasource(c *Caller, d graph.DatasourceFacts) (graph.TeamPermission, Reason) {
	switch {
	case c.Role == graph.RoleAdmin && !c.RestrictedToTeams:
		return graph.Editor, ReasonAdmin
	case d.Owner != "" && d.Owner == c.User.ID:
		return graph.Editor, ReasonOwner
	case d.TeamPermission.Rank() > 0:
		return d.TeamPermission, ReasonTeam
	}
	return "", ReasonNotHeld
}

// HoldsOn reports whether the caller holds at least a permission on a datasource. Nothing holds an
// unknown permission.
func HoldsOn(c *Caller, d graph.DatasourceFacts, least graph.TeamPermission) bool {
	held, _ := PermissionOn(c, d)
	return least.Rank() > 0 && held.Rank() >= least.Rank()
}

// OnDatasources decides whether the caller holds at least a permission on every one of the datasources.
// A refusal names those that are missing: datasources are public.
func OnDatasources(c *Caller, all []graph.DatasourceFacts, least graph.TeamPermission) Decision {
	why, overridden := ReasonRole, false
	var missing []string
	for _, d := range all {
		_, how := PermissionOn(c, d)
		if HoldsOn(c, d, least) {
			why = how
			overridden = overridden || (how == ReasonAdmin && d.Owner != c.User.ID && d.TeamPermission.Rank() < least.Rank())
			continue
		}
		missing = append(missing, d.Name)
	}
	if len(missing) > 0 {
		return forbid(ReasonNotHeld, string(least)+" on "+datasourcesNamed(missing))
	}
	d := allow(why)
	d.AdminOverride = overridden
	return d
}

func datasourcesNamed(names []string) string {
	if len(names) == 1 {
		return "the datasource " + names[0]
	}
	return "the datasources " + strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
