package authz

import (
	"testing"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/stretchr/testify/assert"
)

func TestRules(t *testing.T) {
	editable := []graph.DatasourceFacts{{Name: "shop", Owner: "you", TeamPermission: graph.Editor}}
	readable := []graph.DatasourceFacts{{Name: "shop", Owner: "you", TeamPermission: graph.Viewer}}
	reported := []graph.DatasourceFacts{{Name: "shop", Owner: "you", TeamPermission: graph.Reporter}}
	foreign := []graph.DatasourceFacts{{Name: "lake", Owner: "you"}}
	owned := []graph.SuiteFacts{{ID: "s", Owner: "me"}}
	edited := []graph.SuiteFacts{{ID: "s", Owner: "you", Share: graph.ShareEdit}}
	unknown := []graph.SuiteFacts{{ID: "s", Owner: "you"}}
	toViewer := &graph.Membership{Role: graph.RoleViewer}
	toMember := &graph.Membership{Role: graph.RoleMember}

	for _, c := range []struct {
		name  string
		rule  Rule
		role  graph.Role
		facts graph.Facts
		want  fault.Code // "" is allowed
	}{
		{"a manager creates a datasource", CreateDatasource, graph.RoleManager, graph.Facts{}, ""},
		{"an admin too", CreateDatasource, graph.RoleAdmin, graph.Facts{}, ""},
		{"a member does not", CreateDatasource, graph.RoleMember, graph.Facts{}, fault.CodeForbidden},

		{"an editor edits", EditDatasources, graph.RoleMember, graph.Facts{Datasources: editable}, ""},
		{"a reader does not", EditDatasources, graph.RoleMember, graph.Facts{Datasources: readable}, fault.CodeForbidden},
		{"both ends count", EditDatasources, graph.RoleMember, graph.Facts{Datasources: append(append([]graph.DatasourceFacts{}, editable...), foreign...)}, fault.CodeForbidden},
		{"a viewer changes nothing, whatever their team", EditDatasources, graph.RoleViewer, graph.Facts{Datasources: editable}, fault.CodeForbidden},
		{"an external end asks nothing more", EditDatasources, graph.RoleMember, graph.Facts{}, ""},

		{"tags need an editor", UpdateAsset, graph.RoleMember, graph.Facts{Edits: true, Datasources: editable}, ""},
		{"not a reader", UpdateAsset, graph.RoleMember, graph.Facts{Edits: true, Datasources: readable}, fault.CodeForbidden},
		{"curation needs an admin", UpdateAsset, graph.RoleAdmin, graph.Facts{Curates: true, Datasources: foreign}, ""},
		{"not an editor", UpdateAsset, graph.RoleMember, graph.Facts{Curates: true, Datasources: editable}, fault.CodeForbidden},
		{"both at once need both", UpdateAsset, graph.RoleMember, graph.Facts{Curates: true, Edits: true, Datasources: editable}, fault.CodeForbidden},
		{"a change of nothing needs a member", UpdateAsset, graph.RoleViewer, graph.Facts{Datasources: editable}, fault.CodeForbidden},

		{"any member creates a suite", CreateSuite, graph.RoleMember, graph.Facts{Datasources: foreign}, ""},
		{"a viewer does not", CreateSuite, graph.RoleViewer, graph.Facts{Datasources: readable}, fault.CodeForbidden},
		{"checks need to read rows", CreateSuite, graph.RoleMember, graph.Facts{Datasources: reported, ReadsRows: true}, fault.CodeForbidden},
		{"which VIEWER may", CreateSuite, graph.RoleMember, graph.Facts{Datasources: readable, ReadsRows: true}, ""},

		{"the owner shares", ShareSuite, graph.RoleMember, graph.Facts{Suites: owned, Grantee: toMember, Grants: graph.ShareEdit}, ""},
		{"an admin shares", ShareSuite, graph.RoleAdmin, graph.Facts{Suites: unknown, Grantee: toMember, Grants: graph.ShareEdit}, ""},
		{"an editor does not", ShareSuite, graph.RoleMember, graph.Facts{Suites: edited, Grantee: toMember, Grants: graph.ShareView}, fault.CodeForbidden},
		{"to a stranger it does not exist", ShareSuite, graph.RoleMember, graph.Facts{Suites: unknown, Grantee: toMember, Grants: graph.ShareView}, fault.CodeNotFound},
		{"an owner who became a viewer does not", ShareSuite, graph.RoleViewer, graph.Facts{Suites: owned, Grantee: toMember, Grants: graph.ShareView}, fault.CodeForbidden},
		{"a viewer cannot hold EDIT", ShareSuite, graph.RoleMember, graph.Facts{Suites: owned, Grantee: toViewer, Grants: graph.ShareEdit}, fault.CodeBadUserInput},
		{"but VIEW", ShareSuite, graph.RoleMember, graph.Facts{Suites: owned, Grantee: toViewer, Grants: graph.ShareView}, ""},
		{"no suite, nothing to share", ShareSuite, graph.RoleAdmin, graph.Facts{}, fault.CodeNotFound},

		{"an admin manages the directory", ManageDirectory, graph.RoleAdmin, graph.Facts{}, ""},
		{"a manager does not", ManageDirectory, graph.RoleManager, graph.Facts{}, fault.CodeForbidden},

		{"an editor of the suite renames it", EditSuite, graph.RoleMember, graph.Facts{Suites: edited}, ""},
		{"a viewer of the workspace does not", EditSuite, graph.RoleViewer, graph.Facts{Suites: owned}, fault.CodeForbidden},
		{"a stranger finds none", EditSuite, graph.RoleManager, graph.Facts{Suites: unknown}, fault.CodeNotFound},
		{"checks read rows", EditChecks, graph.RoleMember, graph.Facts{Suites: edited, Datasources: reported}, fault.CodeForbidden},
		{"which an editor may who may VIEW", EditChecks, graph.RoleMember, graph.Facts{Suites: edited, Datasources: readable}, ""},
		{"a reader of rows needs the suite, too", EditChecks, graph.RoleMember, graph.Facts{Suites: unknown, Datasources: readable}, fault.CodeNotFound},
		{"the owner deletes a suite", DeleteSuite, graph.RoleMember, graph.Facts{Suites: owned}, ""},
		{"an editor does not", DeleteSuite, graph.RoleMember, graph.Facts{Suites: edited}, fault.CodeForbidden},
		{"an admin transfers", TransferSuite, graph.RoleAdmin, graph.Facts{Suites: unknown, Grantee: toMember}, ""},
		{"the owner does not", TransferSuite, graph.RoleManager, graph.Facts{Suites: owned, Grantee: toMember}, fault.CodeForbidden},
		{"to a stranger there is nothing to transfer", TransferSuite, graph.RoleManager, graph.Facts{Suites: unknown, Grantee: toMember}, fault.CodeNotFound},
		{"a viewer owns none", TransferSuite, graph.RoleAdmin, graph.Facts{Suites: unknown, Grantee: toViewer}, fault.CodeBadUserInput},
		{"nobody owns none", TransferSuite, graph.RoleAdmin, graph.Facts{Suites: unknown}, fault.CodeBadUserInput},
		{"an admin deletes an asset", DeleteAsset, graph.RoleAdmin, graph.Facts{Datasources: foreign}, ""},
		{"the datasource's owner too", DeleteAsset, graph.RoleMember, graph.Facts{Datasources: []graph.DatasourceFacts{{Name: "mine", Owner: "me"}}}, ""},
		{"not as a viewer", DeleteAsset, graph.RoleViewer, graph.Facts{Datasources: []graph.DatasourceFacts{{Name: "mine", Owner: "me"}}}, fault.CodeForbidden},
		{"an editor of the datasource does not", DeleteAsset, graph.RoleManager, graph.Facts{Datasources: editable}, fault.CodeForbidden},
		{"an asset of nothing is nobody's", DeleteAsset, graph.RoleMember, graph.Facts{}, fault.CodeForbidden},

		{"the owner revokes", RevokeShare, graph.RoleMember, graph.Facts{Suites: owned}, ""},
		{"to an editor there is no share to revoke", RevokeShare, graph.RoleMember, graph.Facts{Suites: edited}, fault.CodeNotFound},
		{"to a stranger there is nothing to revoke", RevokeShare, graph.RoleViewer, graph.Facts{Suites: unknown}, fault.CodeNotFound},

		{"an editor of the suite reports", ReportRuns, graph.RoleMember, graph.Facts{Suites: edited}, ""},
		{"a stranger does not", ReportRuns, graph.RoleMember, graph.Facts{Suites: unknown}, fault.CodeNotFound},

		{"an editor ingests", Ingest, graph.RoleMember, graph.Facts{Datasources: editable, Suites: owned}, ""},
		{"not into another's datasource", Ingest, graph.RoleMember, graph.Facts{Datasources: foreign}, fault.CodeForbidden},
		{"nor over another's suites", Ingest, graph.RoleMember, graph.Facts{Datasources: editable, Suites: unknown}, fault.CodeForbidden},
		{"a viewer does not ingest", Ingest, graph.RoleViewer, graph.Facts{Datasources: editable}, fault.CodeForbidden},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := c.rule(caller(c.role), c.facts)
			assert.Equal(t, c.want, fault.CodeOf(d.Err()), d.Reason)
			assert.Equal(t, c.want == "", d.Allowed)
			if !d.Allowed {
				assert.False(t, d.AdminOverride)
			}
		})
	}
}

func TestARefusalTellsAStrangerNothingOfTheirRole(t *testing.T) {
	unknown := graph.Facts{Suites: []graph.SuiteFacts{{ID: "s", Owner: "you"}}}
	for _, role := range []graph.Role{graph.RoleManager, graph.RoleMember, graph.RoleViewer} {
		assert.Equal(t, fault.NotFound("share"), RevokeShare(caller(role), unknown).Err())
	}
}

func TestTheAllowListBreaksGlassForTheGranteeToo(t *testing.T) {
	c := caller(graph.RoleMember)
	c.policy = NewPolicy("listed@demo.test")
	f := graph.Facts{
		Suites: []graph.SuiteFacts{{Owner: "me"}}, GranteeEmail: "listed@demo.test",
		Grantee: &graph.Membership{Role: graph.RoleViewer}, Grants: graph.ShareEdit,
	}
	assert.True(t, ShareSuite(c, f).Allowed, "an allow-listed viewer is an admin")
}

func TestTheZeroDecisionDenies(t *testing.T) {
	var d Decision
	assert.False(t, d.Allowed)
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(d.Err()))
	assert.False(t, all().Allowed, "no decision at all denies")
}
