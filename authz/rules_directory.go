package authz

import "github.com/strata-gateway/strata/graph"

// ManageDirectory needs a workspace admin: members, teams and groups.
func ManageDirectory(c *Caller, _ graph.Facts) Decision { return HasRole(c, graph.RoleAdmin) }
