// Package matrix writes docs/permissions.md: who may do what, as the rules of package authz answer when
// they are asked. The page cannot go out of date: a test compares it, and `make generate` writes it.
package matrix

import (
	"fmt"
	"strings"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
)

const (
	me, you   = "user_me", "user_you"
	workspace = "demo"
)

// teamAdmin stands for an admin whose membership is restricted to teams.
const teamAdmin graph.Role = "ADMIN restricted to teams"

// roles are the columns of every table.
func roles() []graph.Role {
	return []graph.Role{graph.RoleViewer, graph.RoleMember, graph.RoleManager, graph.RoleAdmin, teamAdmin}
}

// facts are what the store knows of a caller of a role.
func facts(role graph.Role) graph.CallerFacts {
	restricted := role == teamAdmin
	if restricted {
		role = graph.RoleAdmin
	}
	return graph.CallerFacts{
		UserID: me, Email: "me@demo.test", Workspace: workspace, WorkspaceExists: true,
		Memberships: []graph.Membership{{Workspace: workspace, Role: role, ViewerAccess: graph.Unrestricted, RestrictedToTeams: restricted}},
	}
}

// caller is one of a role. Its facts are complete, so that it is always let in.
func caller(role graph.Role) *authz.Caller {
	c, err := authz.NewPolicy().Caller(facts(role))
	if err != nil {
		panic(fmt.Errorf("matrix: %w", err))
	}
	return c
}

// Page is the whole page.
func Page() string {
	var b strings.Builder
	b.WriteString(head)
	for _, t := range tables() {
		b.WriteString("\n## " + t.title + "\n\n" + t.about + "\n\n| " + t.corner)
		for _, r := range roles() {
			b.WriteString(" | " + string(r))
		}
		b.WriteString(" |\n|---" + strings.Repeat("|---", len(roles())) + "|\n")
		for _, row := range t.rows {
			b.WriteString("| " + row.name)
			for _, r := range roles() {
				b.WriteString(" | " + row.cell(r))
			}
			b.WriteString(" |\n")
		}
	}
	b.WriteString("\n## What `explainAccess` explains\n\n| action | of |\n|---|---|\n")
	for _, a := range authz.Accesses() {
		b.WriteString("| `" + a.Name + "` | " + object(a) + " |\n")
	}
	return b.String()
}

// object is what an action that can be explained is about.
func object(a authz.Access) string {
	if a.About == "" {
		return "the workspace, by its name"
	}
	return "one " + string(a.About)
}

const head = `# Who may do what

Written by ` + "`make generate`" + ` from the rules themselves: each cell is the answer of the rule in package
authz. The rules are explained in [visibility.md](visibility.md).

- A word in a cell is the least that must be held; *nothing*: the role is enough.
- † by the right of a workspace admin: the audit trail says so.
- — never, by this role.
`

// table is one table of the page: a row for each thing, a column for each role.
type table struct {
	title, about, corner string
	rows                 []row
}

type row struct {
	name string
	cell func(graph.Role) string
}

func tables() []table {
	return []table{
		{"What each layer shows", "Reading. Identity and aggregates are the same for all; a restricted viewer finds no restricted asset in them.", "layer", layers()},
		{"The level that is held on a suite", "By what the caller holds, and their role.", "held", levels()},
		{"The permission that is held on a datasource", "By the caller's teams or ownership, and their role.", "held", permissions()},
		{"Changes in the workspace", "They need a role alone.", "action", changes(inWorkspace)},
		{"Changes that need a datasource", "The least team permission, or ownership, on every datasource that the change touches.", "action", changes(onDatasource)},
		{"Changes that need a suite", "The least level on the suite. To whom holds nothing it does not exist.", "action", changes(onSuite)},
	}
}

func layers() []row {
	always := func(graph.Role) string { return "yes" }
	return []row{
		{"IDENTITY", always},
		{"AGGREGATE", always},
		{"ITEMIZED, of a suite", func(r graph.Role) string { return least(onSuite, r, viewSuite) }},
		{"ITEMIZED, of datasources: maps, canvases, impact", func(r graph.Role) string { return least(onDatasource, r, viewDatasources) }},
		{"ITEMIZED, memberships, members of teams and groups", yes(func(c *authz.Caller) authz.Decision { return authz.HasRole(c, graph.RoleAdmin) })},
		{"ITEMIZED, the audit trail, to whom nothing is hidden in any workspace", yes(authz.OnTrail)},
		{"ITEMIZED, why oneself may do something or not (`explainAccess`)", yes(func(c *authz.Caller) authz.Decision { return authz.HasRole(c, graph.RoleViewer) })},
		{"CALLER", always},
	}
}

// yes is a row of what a role alone decides.
func yes(rule func(*authz.Caller) authz.Decision) func(graph.Role) string {
	return func(r graph.Role) string {
		if rule(caller(r)).Allowed {
			return "yes"
		}
		return "—"
	}
}

// viewSuite is the gate of what a suite shows.
func viewSuite(c *authz.Caller, f graph.Facts) authz.Decision {
	return authz.OnSuite(c, f.Suites[0], authz.SuiteView, "suite")
}

// viewDatasources is the gate of what reads out whole datasources.
func viewDatasources(c *authz.Caller, f graph.Facts) authz.Decision {
	return authz.OnDatasources(c, f.Datasources, graph.Viewer)
}

func levels() []row {
	var rows []row
	for _, h := range holdings(onSuite) {
		rows = append(rows, row{h.name, func(r graph.Role) string {
			level, why := authz.LevelOn(caller(r), h.facts.Suites[0])
			return held(string(level), why)
		}})
	}
	return rows
}

func permissions() []row {
	var rows []row
	for _, h := range holdings(onDatasource) {
		rows = append(rows, row{h.name, func(r graph.Role) string {
			permission, why := authz.PermissionOn(caller(r), h.facts.Datasources[0])
			return held(string(permission), why)
		}})
	}
	return rows
}

func held(what string, why authz.Reason) string {
	if what == "" {
		return "—"
	}
	if why == authz.ReasonAdmin {
		return what + " †"
	}
	return what
}
