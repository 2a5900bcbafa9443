package authz

import "github.com/strata-gateway/strata/graph"

// Rule decides an action on the facts that its transaction read. Each row of the table "who may change
// what" in docs/visibility.md is one of these functions.
type Rule func(*Caller, graph.Facts) Decision

// all decides that every decision allows: the first that does not is the answer.
func all(decisions ...Decision) Decision {
	out := Decision{}
	for _, d := range decisions {
		if !d.Allowed {
			return d
		}
		d.AdminOverride = d.AdminOverride || out.AdminOverride
		out = d
	}
	return out
}

// changes is what every change needs first.
func changes(c *Caller) Decision { return HasRole(c, graph.RoleMember) }

// CreateDatasource needs MANAGER.
func CreateDatasource(c *Caller, _ graph.Facts) Decision { return HasRole(c, graph.RoleManager) }

// EditDatasources needs EDITOR on every datasource that the change touches: assets and connections.
func EditDatasources(c *Caller, f graph.Facts) Decision {
	return all(changes(c), OnDatasources(c, f.Datasources, graph.Editor))
}

// UpdateAsset needs a workspace admin for what is curated, and EDITOR for the rest.
func UpdateAsset(c *Caller, f graph.Facts) Decision {
	decisions := []Decision{changes(c)}
	if f.Curates {
		curator := HasRole(c, graph.RoleAdmin)
		curator.AdminOverride = curator.Allowed
		decisions = append(decisions, curator)
	}
	if f.Edits {
		decisions = append(decisions, OnDatasources(c, f.Datasources, graph.Editor))
	}
	return all(decisions...)
}

// CreateSuite needs MEMBER: every member sees the asset. With checks it also needs VIEWER on the
// datasource, since they read rows.
func CreateSuite(c *Caller, f graph.Facts) Decision {
	if !f.ReadsRows {
		return changes(c)
	}
	return all(changes(c), OnDatasources(c, f.Datasources, graph.Viewer))
}

// ShareSuite needs ADMIN on the suite. EDIT cannot go to someone whose effective role is VIEWER.
func ShareSuite(c *Caller, f graph.Facts) Decision {
	d := onSuites(c, f, SuiteAdmin, "suite")
	if !d.Allowed || f.Grantee == nil {
		return d
	}
	if f.Grants == graph.ShareEdit && c.policy.Role(f.GranteeEmail, f.Grantee.Role) == graph.RoleViewer {
		return refuse(ReasonGrantee, "input.permission", "A VIEWER of the workspace can hold no more than VIEW. Grant VIEW, or change their role.")
	}
	return d
}

// RevokeShare needs ADMIN on the suite. Who lacks it may not read the suite's shares, so that to them there is
// no such share, whatever else they hold.
func RevokeShare(c *Caller, f graph.Facts) Decision {
	if d := onSuites(c, f, SuiteAdmin, "share"); d.Allowed {
		return d
	}
	return hide("share")
}

// ReportRuns needs EDIT on the suites.
func ReportRuns(c *Caller, f graph.Facts) Decision { return onSuites(c, f, SuiteEdit, "suite") }

// Ingest needs EDITOR on every datasource named, and EDIT on every suite that would change. A suite that
// the caller may not know cannot be named, so the refusal counts rather than names them.
func Ingest(c *Caller, f graph.Facts) Decision {
	decisions := []Decision{changes(c), OnDatasources(c, f.Datasources, graph.Editor)}
	for _, s := range f.Suites {
		d := OnSuite(c, s, SuiteEdit, "suite")
		if !d.Allowed {
			d = forbid(d.Reason, "EDIT on every suite that this project keeps; its owner or a workspace admin can share them")
		}
		decisions = append(decisions, d)
	}
	return all(decisions...)
}

// onSuites decides a level on every suite that the change touches; without any, there is none to hold.
// A caller who may not know of a suite learns nothing of it from their role either.
func onSuites(c *Caller, f graph.Facts, least SuiteLevel, what string) Decision {
	if len(f.Suites) == 0 {
		return hide(what)
	}
	decisions := make([]Decision, 0, len(f.Suites)+1)
	for _, s := range f.Suites {
		decisions = append(decisions, OnSuite(c, s, least, what))
	}
	return all(append(decisions, changes(c))...)
}
