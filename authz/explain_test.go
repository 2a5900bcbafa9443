package authz

import (
	"testing"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func access(t *testing.T, name string) Access {
	t.Helper()
	a, err := AccessNamed(name)
	require.NoError(t, err)
	return a
}

func TestExplanationsOfWhatFewHold(t *testing.T) {
	toTeams := caller(graph.RoleAdmin)
	toTeams.RestrictedToTeams = true
	lake := graph.DatasourceFacts{ID: "d", Name: "lake", Owner: "you", TeamPermission: graph.Author}
	teams := []graph.HeldByTeam{{Team: graph.Team{Name: "data"}, Permission: graph.Author}, {Team: graph.Team{Name: "everyone"}, Permission: graph.Viewer}}
	byTeam := Held{Facts: graph.Facts{Datasources: []graph.DatasourceFacts{lake}}, Teams: teams}
	owned := graph.Facts{Suites: []graph.SuiteFacts{{ID: "s", Owner: "me"}}}
	for _, c := range []struct {
		name    string
		subject *Caller
		action  string
		held    Held
		allowed bool
		reason  Reason
		path    []*Step
	}{
		{"an admin restricted to teams holds what the teams hold", toTeams, "datasource.author", byTeam, true, ReasonTeam, []*Step{
			{StepRole, "ADMIN", true}, {StepAdmin, "restricted to teams: holds on datasources what the teams hold", false},
			{StepTeam, "AUTHOR by the team data", true}, {StepTeam, "VIEWER by the team everyone", false}}},
		{"and no more", toTeams, "datasource.edit", byTeam, false, ReasonNotEnough, []*Step{
			{StepRole, "ADMIN", true}, {StepAdmin, "restricted to teams: holds on datasources what the teams hold", false},
			{StepTeam, "AUTHOR by the team data", false}, {StepTeam, "VIEWER by the team everyone", false}}},
		{"a viewer's team is clamped", caller(graph.RoleViewer), "datasource.view", byTeam, true, ReasonClamp, []*Step{
			{StepRole, "VIEWER", true}, {StepTeam, "AUTHOR by the team data", true}, {StepTeam, "VIEWER by the team everyone", true},
			{StepClamp, "a VIEWER of the workspace holds no more than VIEW on a suite, and VIEWER on a datasource", true}}},
		{"a viewer changes nothing", caller(graph.RoleViewer), "datasource.edit", Held{Facts: graph.Facts{Datasources: []graph.DatasourceFacts{{Name: "lake", Owner: "you"}}}}, false, ReasonRole, []*Step{
			{StepRole, "VIEWER", false}}},
		{"a viewer's team changes nothing", caller(graph.RoleViewer), "datasource.edit", Held{Facts: graph.Facts{Datasources: []graph.DatasourceFacts{{Name: "lake", Owner: "you", TeamPermission: graph.Reporter}}},
			Teams: []graph.HeldByTeam{{Team: graph.Team{Name: "data"}, Permission: graph.Reporter}}}, false, ReasonRole, []*Step{
			{StepRole, "VIEWER", false}, {StepTeam, "REPORTER by the team data", false}}},
		{"an owner does not give a suite away", caller(graph.RoleMember), "suite.transfer", Held{Facts: owned}, false, ReasonRole, []*Step{
			{StepRole, "MEMBER", false}, {StepOwner, "owns it", false}}},
		{"an admin who owns it does so as an admin", caller(graph.RoleAdmin), "suite.transfer", Held{Facts: owned}, true, ReasonAdmin, []*Step{
			{StepRole, "ADMIN", true}, {StepAdmin, "transfers every suite", true}, {StepOwner, "owns it", false}}},
		{"a share does not transfer", caller(graph.RoleMember), "suite.transfer", Held{Facts: graph.Facts{Suites: []graph.SuiteFacts{{ID: "s", Owner: "you", Share: graph.ShareEdit}}},
			Shares: []*graph.Share{{ID: "share_1", User: &graph.User{ID: "me"}, Permission: graph.ShareEdit}}}, false, ReasonRole, []*Step{
			{StepRole, "MEMBER", false}, {StepShare, "EDIT by a share", false}}},
		{"an id is told to who may read shares", caller(graph.RoleMember), "suite.edit", Held{Facts: graph.Facts{Suites: []graph.SuiteFacts{{ID: "s", Owner: "you", Share: graph.ShareEdit}}},
			Shares: []*graph.Share{{ID: "share_1", User: &graph.User{ID: "me"}, Permission: graph.ShareEdit}}, SharesTold: true}, true, ReasonShare, []*Step{
			{StepRole, "MEMBER", true}, {StepShare, "EDIT by the share share_1", true}}},
		{"an admin restricted to teams deletes assets as an admin", toTeams, "asset.delete", byTeam, true, ReasonAdmin, []*Step{
			{StepRole, "ADMIN", true}, {StepAdmin, "deletes every asset", true}, {StepTeam, "AUTHOR by the team data", false}, {StepTeam, "VIEWER by the team everyone", false}}},
		{"a team deletes no asset", caller(graph.RoleMember), "asset.delete", byTeam, false, ReasonNotEnough, []*Step{
			{StepRole, "MEMBER", true}, {StepTeam, "AUTHOR by the team data", false}, {StepTeam, "VIEWER by the team everyone", false}}},
		{"too many groups", caller(graph.RoleMember), "suite.view", Held{Untold: true}, false, ReasonUntold, []*Step{
			{StepRole, "MEMBER", true}, {StepGroup, "in too many groups to tell what they were granted", false}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := access(t, c.action).Explain(c.subject, "object", c.held)
			assert.Equal(t, c.allowed, e.Allowed)
			assert.Equal(t, string(c.reason), e.Reason)
			assert.Equal(t, c.path, e.Path)
			assert.Equal(t, c.allowed, e.Needs == nil)
			if e.Needs != nil {
				assert.NotEmpty(t, *e.Needs, "it says what is needed")
			}
		})
	}
}

func TestEveryAccessSaysWhatItNeeds(t *testing.T) {
	for _, a := range Accesses() {
		nobody := caller("")
		e := a.Explain(nobody, "object", Held{Facts: a.nothing()})
		assert.False(t, e.Allowed, a.Name)
		require.NotNil(t, e.Needs, a.Name)
		assert.NotEmpty(t, *e.Needs, a.Name)
	}
	_, err := AccessNamed("suite.eat")
	assert.Equal(t, fault.CodeBadUserInput, fault.CodeOf(err))
}

func TestOneIsExplainedToOneselfAndToAdmins(t *testing.T) {
	for role, anyone := range map[graph.Role]bool{graph.RoleAdmin: true, graph.RoleManager: false, graph.RoleMember: false, graph.RoleViewer: false} {
		assert.True(t, OnExplanation(caller(role), "me").Allowed, role)
		assert.Equal(t, anyone, OnExplanation(caller(role), "you").Allowed, role)
	}
}
