// Package demo loads the estate of package examples into a workspace of its own: five members, one of
// each kind, two datasources and the two dbt projects that live in them, each ingested by another member.
// So the five see the same assets and verdicts, but for one asset that is hidden from the restricted viewer,
// and of the suites each what they hold; the viewer holds one through a group. All of it is
// written by the store's functions under the rules of package authz, as those members.
package demo

import "github.com/strata-gateway/strata/graph"

// Workspace is the demo's.
const Workspace = "demo"

// The demo's members.
const (
	Admin      = "admin@demo.test"
	Owner      = "owner@demo.test"
	Member     = "member@demo.test"
	Viewer     = "viewer@demo.test"
	Restricted = "restricted@demo.test"
)

// Caller is a member of the demo.
type Caller struct {
	Email string
	// About says what is special about them.
	About  string
	role   graph.Role
	access graph.ViewerAccess
}

// Callers are the demo's members, strongest first.
func Callers() []Caller {
	return []Caller{
		{Admin, "workspace admin: every suite; ingested finance", graph.RoleAdmin, graph.Unrestricted},
		{Owner, "manager: owns the datasource shop and its suites", graph.RoleManager, graph.Unrestricted},
		{Member, "member: every asset and verdict, no suite yet", graph.RoleMember, graph.Unrestricted},
		{Viewer, "viewer: reads only; a suite through the group auditors", graph.RoleViewer, graph.Unrestricted},
		{Restricted, "viewer from whom restricted assets are hidden: one of finance", graph.RoleViewer, graph.Restricted},
	}
}

// ingester is who ingests a project, and so owns its datasource and suites.
func ingester(project string) string {
	if project == "finance" {
		return Admin
	}
	return Owner
}
