package mutants

// Written are the mutants of what the rules are made of: roles, classes, ladder, teams, directives, and the
// conditions of statements.
func Written() []Mutant {
	return []Mutant{
		{"the allow-list grants nothing", "authz/caller.go", "if p.adminEmails[email] {", "if false {"},
		{"the allow-list grants everyone", "authz/caller.go", "if p.adminEmails[email] {", "if true {"},
		{"a restricted viewer is in the full class", "authz/caller.go", "return graph.ClassRestricted", "return graph.ClassFull"},
		{"a restricted viewer elsewhere is in the full class", "authz/caller.go", "class = graph.ClassOrgHidden", "class = graph.ClassFull"},
		{"a team restricts nobody", "authz/caller.go", " || m.RestrictedByTeam)", ")"},
		{"who is in no workspace is let in", "authz/caller.go", "if !ok || f.UserID == \"\" {", "if !ok && f.UserID == \"\" {"},
		{"every role is enough", "authz/caller.go", "roleRank(least) > 0 && roleRank(c.Role) >= roleRank(least)", "true"},
		{"a viewer's datasources are not capped in lists", "authz/caller.go", "s.MaxDatasource = graph.Viewer", "s.MaxDatasource = graph.Editor"},
		{"groups are forgotten", "authz/caller.go", "Groups: c.Groups, ", ""},

		{"a viewer is not clamped", "authz/ladder.go", "return SuiteView, ReasonClamp", "return level, why"},
		{"an owner is nobody", "authz/ladder.go", "case s.Owner != \"\" && s.Owner == c.User.ID:", "case false:"},
		{"a manager is an admin", "authz/ladder.go", "case c.Role == graph.RoleAdmin:", "case c.Role == graph.RoleAdmin || c.Role == graph.RoleManager:"},
		{"a VIEW share edits", "authz/ladder.go", "return SuiteView, ReasonShare", "return SuiteEdit, ReasonShare"},
		{"an EDIT share is nothing", "authz/ladder.go", "return SuiteEdit, ReasonShare", "return SuiteNone, ReasonNotHeld"},
		{"a hidden suite is forbidden instead of unknown", "authz/ladder.go", "return hide(what)", "return forbid(why, \"VIEW\")"},
		{"an admin's right is not told apart", "authz/ladder.go", "d.AdminOverride = why == ReasonAdmin && !shareLevel(s.Share).AtLeast(least)", "d.AdminOverride = false"},

		{"a viewer edits by their team", "authz/team.go", "return graph.Viewer, ReasonClamp", "return held, why"},
		{"an admin restricted to teams is not", "authz/team.go", "c.Role == graph.RoleAdmin && !c.RestrictedToTeams", "c.Role == graph.RoleAdmin"},
		{"the owner of a datasource holds nothing", "authz/team.go", "case d.Owner != \"\" && d.Owner == c.User.ID:", "case false:"},
		{"every level of a team is enough", "authz/team.go", "least.Rank() > 0 && held.Rank() >= least.Rank()", "held.Rank() > 0"},

		{"the gate lets every suite pass", "authz/gate.go", "if !OnSuite(c, v.OfSuite(), *g.Suite, \"suite\").Allowed {", "if false {"},
		{"the gate lets every field of a suite pass", "authz/gate.go", "if err := OnSuite(c, bound.OfSuite(), *suite, \"suite\").Err(); err != nil {", "if err := error(nil); err != nil && bound != nil {"},
		{"the gate lets lists of another scope pass", "authz/gate.go", "if !sameScope(v.CarriedScope(), c.Scope()) {", "if false {"},
		{"every datasource passes a gate", "authz/gate_datasource.go", "d := OnDatasources(c, facts, *g.Datasource)", "d := OnDatasources(c, facts[:0], *g.Datasource)"},
		{"what is not there passes a gate", "authz/gate_datasource.go", "if err != nil || !found {", "if _ = found; err != nil {"},
		{"a page is of another result", "lineage/result.go", "json.Marshal([]any{of, a.Workspace, a.Class, q, r.Beyond, r.Digest})", "json.Marshal([]any{of, a.Workspace, a.Class, q, r.Beyond})"},
		{"an answer is kept for every class", "cache/key.go", "string(k.Audience.Class), ", ""},
		{"an answer that a change came into is kept", "cache/check.go", "case !slices.Equal(f.key.versions(now), f.key.versions(f.key.Epochs)):", "case false:"},
		{"an impact leads through what is hidden", "graph/impact.go", "WHERE all(n IN nodes(p) WHERE $VISIBLE(n)) AND all(r", "WHERE $VISIBLE(b) AND all(r"},
		{"a canvas ranks by what is hidden", "graph/canvas.go", "WITH b, ` + degreeOf + ` AS degree", "WITH b, COUNT { (b)-[:FEEDS]-() } AS degree"},
		{"the details of an assertion need one end", "graph/assertion.go", "[]string{a.SourceDatasource, a.TargetDatasource} {", "[]string{a.SourceDatasource} {"},
		{"a producer takes back what it may not edit", "graph/assert.go", "plan, err := planEdges(stated, before, e.mayEdit(nil))", "plan, err := planEdges(stated, before, func(plannedEdge) (bool, error) { return true, nil })"},
		{"every role passes a gate", "authz/gate.go", "if err := HasRole(c, *role).Err(); err != nil {", "if err := error(nil); err != nil {"},
		{"the trail is for admins whom something is hidden from", "authz/trail.go", "d.Allowed && c.Audience.Class != graph.ClassFull", "false"},
		{"an admin's reads are not noted", "authz/reads.go", "if !OnSuite(c, suite, SuiteView, \"run\").AdminOverride {", "if c != nil {"},
		{"what cannot be recorded is shown", "server/entrance.go", "return answer, e.recordReads(admitted)", "return answer, nil"},
		{"anyone is explained to anyone", "authz/explain.go", "if subject == c.User.ID {", "if true {"},
		{"a hidden suite is explained", "resolvers/explain.go", "return suite != nil && authz.OnSuite(c, suite.SuiteFacts, authz.SuiteView, \"suite\").Allowed, err", "return suite != nil, err"},
		{"what is hidden from someone is explained as open", "authz/explain.go", "return forbid(ReasonHidden, \"to be no restricted viewer\"), ReasonHidden", "return allow(ReasonRole), ReasonRole"},
		{"an itemized field needs no gate", "authz/layer.go", "if isGated(graphql.GetFieldContext(ctx)) || wasLetThrough(ctx) {", "if true {"},
		{"an aggregate knows its caller", "authz/layer.go", "return next(withAudienceOnly(ctx))", "return next(ctx)"},
		{"a write is decided on what was read before", "authz/writer.go", "d := rule(now, f)", "_ = now\n\t\t\td := rule(c, f)"},

		{"a workspace sees another", "graph/statement.go", "(n.workspace IN $workspaces AND coalesce(n.hiddenRank, 0) < $hiddenFrom)", "(n.workspace IS NOT NULL AND coalesce(n.hiddenRank, 0) < $hiddenFrom)"},
		{"nothing is hidden", "graph/statement.go", "(n.workspace IN $workspaces AND coalesce(n.hiddenRank, 0) < $hiddenFrom)", "(n.workspace IN $workspaces AND $hiddenFrom >= 0)"},
		{"every suite is listed", "graph/statement.go", "($allSuites OR n.owner = $user OR EXISTS", "(true OR $allSuites OR n.owner = $user OR EXISTS"},
		{"a hidden write moves every class's version", "graph/epoch.go", "if hidden < c.hiddenFrom() {", "if c != \"\" {"},
		{"too many groups are no groups", "graph/scope.go", "if s.Groups.Exceeded && !s.AllSuites {", "if false {"},
	}
}
