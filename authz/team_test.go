package authz

import (
	"testing"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/stretchr/testify/assert"
)

func TestPermissionOn(t *testing.T) {
	restrictedAdmin := caller(graph.RoleAdmin)
	restrictedAdmin.RestrictedToTeams = true
	for _, c := range []struct {
		name   string
		caller *Caller
		on     graph.DatasourceFacts
		want   graph.TeamPermission
		why    Reason
	}{
		{"no team, nothing", caller(graph.RoleMember), graph.DatasourceFacts{Owner: "you"}, "", ReasonNotHeld},
		{"the team's", caller(graph.RoleMember), graph.DatasourceFacts{Owner: "you", TeamPermission: graph.Author}, graph.Author, ReasonTeam},
		{"the owner edits", caller(graph.RoleMember), graph.DatasourceFacts{Owner: "me", TeamPermission: graph.Reporter}, graph.Editor, ReasonOwner},
		{"an admin edits", caller(graph.RoleAdmin), graph.DatasourceFacts{Owner: "you"}, graph.Editor, ReasonAdmin},
		{"unless restricted to teams", restrictedAdmin, graph.DatasourceFacts{Owner: "you"}, "", ReasonNotHeld},
		{"then by team", restrictedAdmin, graph.DatasourceFacts{Owner: "you", TeamPermission: graph.Drafter}, graph.Drafter, ReasonTeam},
		{"a viewer is capped", caller(graph.RoleViewer), graph.DatasourceFacts{Owner: "you", TeamPermission: graph.Editor}, graph.Viewer, ReasonClamp},
		{"also as owner", caller(graph.RoleViewer), graph.DatasourceFacts{Owner: "me"}, graph.Viewer, ReasonClamp},
		{"and below the cap keeps theirs", caller(graph.RoleViewer), graph.DatasourceFacts{Owner: "you", TeamPermission: graph.Reporter}, graph.Reporter, ReasonTeam},
		{"an unknown permission is none", caller(graph.RoleMember), graph.DatasourceFacts{Owner: "you", TeamPermission: "ROOT"}, "", ReasonNotHeld},
		{"a datasource without an owner is nobody's", caller(graph.RoleMember), graph.DatasourceFacts{}, "", ReasonNotHeld},
	} {
		t.Run(c.name, func(t *testing.T) {
			held, why := PermissionOn(c.caller, c.on)
			assert.Equal(t, c.want, held)
			assert.Equal(t, c.why, why)
		})
	}
}

func TestOnDatasourcesNamesAllThatAreMissing(t *testing.T) {
	facts := []graph.DatasourceFacts{
		{Name: "shop", Owner: "me"}, {Name: "lake", Owner: "you"}, {Name: "crm", Owner: "you", TeamPermission: graph.Viewer},
	}
	d := OnDatasources(caller(graph.RoleMember), facts, graph.Editor)
	assert.False(t, d.Allowed)
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(d.Err()))
	assert.Equal(t, "You need EDITOR on the datasources lake and crm.", fault.Of(d.Err()).Message)

	assert.False(t, OnDatasources(caller(graph.RoleMember), []graph.DatasourceFacts{{Owner: "you"}}, graph.Editor).Allowed, "one without a name is missing too")
	d = OnDatasources(caller(graph.RoleAdmin), facts, graph.Editor)
	assert.True(t, d.Allowed)
	assert.True(t, d.AdminOverride, "two of the three are open to an admin alone")
	assert.True(t, OnDatasources(caller(graph.RoleMember), facts[:1], graph.Editor).Allowed)
	assert.False(t, OnDatasources(caller(graph.RoleAdmin), facts, "").Allowed, "nothing holds no permission")
}
