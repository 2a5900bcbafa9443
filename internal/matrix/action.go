package matrix

import (
	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
)

// kind is what an action is about.
type kind int

const (
	inWorkspace kind = iota
	onDatasource
	onSuite
)

// Action is something that a rule decides.
type Action struct {
	Name string
	// Rule is the name of its function in package authz.
	Rule   string
	about  kind
	decide authz.Rule
	// with are facts besides what the caller holds.
	with graph.Facts
}

// Actions are all of them, in the order of the page.
func Actions() []Action {
	edited := []graph.SuiteFacts{{ID: "suite", Owner: you, Share: graph.ShareEdit}}
	readable := []graph.DatasourceFacts{{ID: "datasource", Name: "shop", Owner: you, TeamPermission: graph.Viewer}}
	member := &graph.Membership{Workspace: workspace, Role: graph.RoleMember}
	return []Action{
		{"`createDatasource`", "CreateDatasource", inWorkspace, authz.CreateDatasource, graph.Facts{}},
		{"`createSuite`, without checks", "CreateSuite", inWorkspace, authz.CreateSuite, graph.Facts{}},
		{"`setMembership`, `removeMember`, `setTeam`, `deleteTeam`, `setGroup`, `deleteGroup`", "ManageDirectory", inWorkspace, authz.ManageDirectory, graph.Facts{}},
		{"`updateAsset`: description, owner, isRestricted", "UpdateAsset", inWorkspace, authz.UpdateAsset, graph.Facts{Curates: true}},

		{"`createAsset`, `addUpstream`, `addEdge`, `updateEdge`, `assertEdges`, `deleteEdge`", "EditDatasources", onDatasource, authz.EditDatasources, graph.Facts{Edits: true}},
		{"`updateAsset`: tags, config", "UpdateAsset", onDatasource, authz.UpdateAsset, graph.Facts{Edits: true}},
		{"`createSuite` with checks", "CreateSuite", onDatasource, authz.CreateSuite, graph.Facts{ReadsRows: true}},
		{"`createCheck`, `updateCheck`, besides EDIT on the suite", "EditChecks", onDatasource, authz.EditChecks, graph.Facts{Suites: edited}},
		{"`deleteAsset`", "DeleteAsset", onDatasource, authz.DeleteAsset, graph.Facts{}},
		{"`ingestDbt`", "Ingest", onDatasource, authz.Ingest, graph.Facts{}},

		{"`ingestDbt`: a suite that it changes", "Ingest", onSuite, authz.Ingest, graph.Facts{}},
		{"report a run", "ReportRuns", onSuite, authz.ReportRuns, graph.Facts{}},
		{"`updateSuite`, `deleteCheck`", "EditSuite", onSuite, authz.EditSuite, graph.Facts{}},
		{"`createCheck`, `updateCheck`, besides VIEWER on the datasource", "EditChecks", onSuite, authz.EditChecks, graph.Facts{Datasources: readable}},
		{"`deleteSuite`", "DeleteSuite", onSuite, authz.DeleteSuite, graph.Facts{}},
		{"`transferSuite`", "TransferSuite", onSuite, authz.TransferSuite, graph.Facts{Grantee: member}},
		{"`shareSuite`", "ShareSuite", onSuite, authz.ShareSuite, graph.Facts{Grantee: member, Grants: graph.ShareEdit}},
		{"`revokeShare`", "RevokeShare", onSuite, authz.RevokeShare, graph.Facts{}},
	}
}

// holding is something that a caller may hold, and the facts that say so.
type holding struct {
	name  string
	facts graph.Facts
}

// holdings are what can be held on a thing, the least first.
func holdings(about kind) []holding {
	switch about {
	case onDatasource:
		of := func(p graph.TeamPermission, owner string) graph.Facts {
			return graph.Facts{Datasources: []graph.DatasourceFacts{{ID: "datasource", Name: "shop", Owner: owner, TeamPermission: p}}}
		}
		return []holding{
			{"nothing", of("", you)}, {"REPORTER", of(graph.Reporter, you)}, {"VIEWER", of(graph.Viewer, you)}, {"DRAFTER", of(graph.Drafter, you)},
			{"AUTHOR", of(graph.Author, you)}, {"EDITOR", of(graph.Editor, you)}, {"ownership", of("", me)},
		}
	case onSuite:
		of := func(p graph.SharePermission, owner string) graph.Facts {
			return graph.Facts{Suites: []graph.SuiteFacts{{ID: "suite", Owner: owner, Share: p}}}
		}
		return []holding{{"nothing", of("", you)}, {"VIEW", of(graph.ShareView, you)}, {"EDIT", of(graph.ShareEdit, you)}, {"ownership", of("", me)}}
	}
	return []holding{{"nothing", graph.Facts{}}}
}

func changes(about kind) []row {
	var rows []row
	for _, a := range Actions() {
		if a.about == about {
			rows = append(rows, row{a.Name, func(r graph.Role) string { return least(about, r, a.rule) }})
		}
	}
	return rows
}

// rule decides the action on what the caller holds and the action's own facts.
func (a Action) rule(c *authz.Caller, held graph.Facts) authz.Decision {
	all := a.with
	if len(held.Datasources) > 0 {
		all.Datasources = held.Datasources
	}
	if len(held.Suites) > 0 {
		all.Suites = held.Suites
	}
	return a.decide(c, all)
}

// least is the least that someone of a role must hold for a rule to allow, "—" if nothing is enough.
func least(about kind, role graph.Role, rule authz.Rule) string {
	for _, h := range holdings(about) {
		if d := rule(caller(role), h.facts); d.Allowed {
			if d.AdminOverride {
				return h.name + " †"
			}
			return h.name
		}
	}
	return "—"
}
