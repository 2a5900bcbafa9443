package authz

import "github.com/strata-gateway/strata/graph"

// EditSuite needs EDIT on the suite: its name and description, and taking checks away.
func EditSuite(c *Caller, f graph.Facts) Decision { return onSuites(c, f, SuiteEdit, "suite") }

// EditChecks needs EDIT on the suite, and VIEWER on the datasource of its asset: a check reads rows.
func EditChecks(c *Caller, f graph.Facts) Decision {
	return all(onSuites(c, f, SuiteEdit, "suite"), OnDatasources(c, f.Datasources, graph.Viewer))
}

// DeleteSuite needs ADMIN on the suite: its owner or a workspace admin.
func DeleteSuite(c *Caller, f graph.Facts) Decision { return onSuites(c, f, SuiteAdmin, "suite") }

// TransferSuite needs a workspace admin, whatever else the caller holds: not even the owner gives a suite
// away alone. It goes to a member whose effective role is not VIEWER, who could not use it. It is always by
// the admin's right.
func TransferSuite(c *Caller, f graph.Facts) Decision {
	if known := onSuites(c, f, SuiteView, "suite"); !known.Allowed {
		return known
	}
	d := HasRole(c, graph.RoleAdmin)
	switch {
	case !d.Allowed:
		return d
	case f.Grantee == nil:
		return refuse(ReasonGrantee, "input.newOwner", "There is no member with this id. Look at members.")
	case c.policy.Role(f.GranteeEmail, f.Grantee.Role) == graph.RoleViewer:
		return refuse(ReasonGrantee, "input.newOwner", "A VIEWER of the workspace cannot own a suite. Name another member, or change their role.")
	}
	d.AdminOverride = true
	d.ClampsPreviousOwner = f.PreviousOwner != nil && c.policy.Role(f.PreviousOwnerEmail, f.PreviousOwner.Role) == graph.RoleViewer
	return d
}

// DeleteAsset needs a workspace admin, or the owner of its datasource.
func DeleteAsset(c *Caller, f graph.Facts) Decision {
	admin := HasRole(c, graph.RoleAdmin)
	owner := len(f.Datasources) > 0
	for _, d := range f.Datasources {
		owner = owner && d.Owner == c.User.ID
	}
	switch {
	case owner:
		return changes(c)
	case admin.Allowed:
		admin.AdminOverride = true
		return admin
	}
	return all(changes(c), forbid(ReasonNotHeld, "the role ADMIN in this workspace, or to be the owner of the datasource"))
}
