package graph_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

func (w *world) setTeam(c graph.TeamChange) (*graph.Team, error) {
	return w.store.SetTeam(w.t.Context(), w.as(w.email(graph.RoleAdmin), authz.ManageDirectory), c)
}

func (w *world) everyone() string {
	return w.rows(`MATCH (t:Team {workspace: $workspace, name: 'everyone'}) RETURN t.id`, nil)[0][0].(string)
}

// TestTheHighestOfTheTeamsCounts gives a member every pair of levels through two teams.
func TestTheHighestOfTheTeamsCounts(t *testing.T) {
	w := newWorld(t)
	levels := []graph.TeamPermission{"", graph.Reporter, graph.Viewer, graph.Drafter, graph.Author, graph.Editor}
	member, viewer, admin := w.email(graph.RoleMember), w.email(graph.RoleViewer), w.email(graph.RoleAdmin)
	team, err := w.setTeam(graph.TeamChange{Name: new("team"), Add: []graph.TeamMember{{User: w.caller(member).User.ID}, {User: w.caller(viewer).User.ID}, {User: w.caller(admin).User.ID}}})
	require.NoError(t, err)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	held := func(email string) graph.TeamPermission {
		c := w.caller(email)
		facts, err := w.store.DatasourceFacts(t.Context(), c.Scope(), []string{d.ID})
		require.NoError(t, err)
		p, _ := authz.PermissionOn(c, facts[d.ID])
		return p
	}
	for _, ofTeam := range levels {
		for _, ofEveryone := range levels {
			for id, p := range map[string]graph.TeamPermission{team.ID: ofTeam, w.everyone(): ofEveryone} {
				_, err := w.setTeam(graph.TeamChange{ID: id, Grants: []graph.TeamGrant{{Datasource: d.ID, Permission: p}}})
				require.NoError(t, err)
			}
			highest := graph.TeamPermissionOf(max(ofTeam.Rank(), ofEveryone.Rank()))
			assert.Equal(t, highest, held(member), "%s and %s", ofTeam, ofEveryone)
			assert.Equal(t, graph.TeamPermissionOf(min(highest.Rank(), graph.Viewer.Rank())), held(viewer), "capped")
			assert.Equal(t, graph.Editor, held(admin))
		}
	}
	_, err = w.setMembership(admin, graph.MembershipChange{Email: admin, RestrictedToTeams: graph.Change[bool]{Set: true, Value: true}})
	require.NoError(t, err)
	_, err = w.setTeam(graph.TeamChange{ID: w.everyone(), Grants: []graph.TeamGrant{{Datasource: d.ID, Permission: graph.Reporter}}})
	require.NoError(t, err)
	_, err = w.setTeam(graph.TeamChange{ID: team.ID, Grants: []graph.TeamGrant{{Datasource: d.ID}}})
	require.NoError(t, err)
	assert.Equal(t, graph.Reporter, held(admin), "an admin restricted to teams")

	require.NoError(t, w.store.DeleteTeam(t.Context(), w.as(admin, authz.ManageDirectory), team.ID))
	assert.Equal(t, []string{"everyone"}, names(w.caller(member).Teams))
}

func names(teams []graph.Team) []string {
	out := []string{}
	for _, t := range teams {
		out = append(out, t.Name)
	}
	return out
}

func TestChangesOfATeamThatAreRefused(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	first, err := w.setTeam(graph.TeamChange{Name: new("first")})
	require.NoError(t, err)
	_, err = w.setTeam(graph.TeamChange{Name: new("second")})
	require.NoError(t, err)
	stranger, nothing := "user_00000000000000000000000000000000", "datasource_00000000000000000000000000000000"
	for name, c := range map[string]struct {
		change graph.TeamChange
		want   fault.Code
	}{
		"a taken name":            {graph.TeamChange{ID: first.ID, Name: new("second")}, fault.CodeConflict},
		"the name everyone":       {graph.TeamChange{Name: new("everyone")}, fault.CodeConflict},
		"a team of nothing":       {graph.TeamChange{ID: "team_00000000000000000000000000000000"}, fault.CodeNotFound},
		"a stranger":              {graph.TeamChange{ID: first.ID, Add: []graph.TeamMember{{User: stranger}}}, fault.CodeBadUserInput},
		"a datasource of nothing": {graph.TeamChange{ID: first.ID, Grants: []graph.TeamGrant{{Datasource: nothing, Permission: graph.Viewer}}}, fault.CodeBadUserInput},
		"half of it unknown":      {graph.TeamChange{ID: first.ID, Grants: []graph.TeamGrant{{Datasource: d.ID, Permission: graph.Viewer}, {Datasource: nothing}}}, fault.CodeBadUserInput},
		"renaming the built-in":   {graph.TeamChange{ID: w.everyone(), Name: new("all")}, fault.CodeBadUserInput},
		"filling the built-in":    {graph.TeamChange{ID: w.everyone(), Add: []graph.TeamMember{{User: w.caller(w.email(graph.RoleMember)).User.ID}}}, fault.CodeBadUserInput},
	} {
		before, versions := w.events(), w.versions()
		_, err := w.setTeam(c.change)
		assert.Equal(t, c.want, fault.CodeOf(err), "%s: %v", name, err)
		assert.Equal(t, before, w.events(), "%s: nothing is half-written", name)
		assert.Equal(t, versions, w.versions(), name)
	}
	assert.Zero(t, w.count(`MATCH (:Team {workspace: $workspace})-[g:TEAM_ON]->() RETURN count(g)`))
	assert.Equal(t, fault.CodeBadUserInput, fault.CodeOf(w.store.DeleteTeam(t.Context(), w.as(w.email(graph.RoleAdmin), authz.ManageDirectory), w.everyone())))
}

func TestAChangeOfATeamThatChangesNothingIsNone(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	change := graph.TeamChange{
		Add:    []graph.TeamMember{{User: w.caller(w.email(graph.RoleMember)).User.ID, Restricted: true}},
		Grants: []graph.TeamGrant{{Datasource: d.ID, Permission: graph.Author}},
	}
	change.Name = new("team")
	team, err := w.setTeam(change)
	require.NoError(t, err)
	change.ID = team.ID
	before, versions := w.events(), w.versions()
	_, err = w.setTeam(change)
	require.NoError(t, err)
	assert.Equal(t, before, w.events())
	assert.Equal(t, versions, w.versions())
	change.Add[0].Restricted = false
	_, err = w.setTeam(change)
	require.NoError(t, err)
	assert.Len(t, w.events(), len(before)+1, "who is restricted is a change")
}
