package graph_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// group makes a group with members.
func (w *world) group(name string, members ...string) string {
	g, err := w.setGroup(graph.GroupChange{Name: &name, Add: members})
	require.NoError(w.t, err)
	return g.ID
}

func (w *world) setGroup(c graph.GroupChange) (*graph.Group, error) {
	return w.store.SetGroup(w.t.Context(), w.as(w.email(graph.RoleAdmin), authz.ManageDirectory), c)
}

// fill draws anew who is in the groups: users and the groups themselves, in circles too.
func (w *world) fill(t *rapid.T, groups, users []string) {
	var rows []any
	for _, g := range groups {
		for _, m := range append(append([]string{}, groups...), users...) {
			if m != g && rapid.IntRange(0, 3).Draw(t, "is in") == 0 {
				rows = append(rows, map[string]any{"group": g, "member": m})
			}
		}
	}
	w.rows(`MATCH (g:Group {workspace: $workspace}) OPTIONAL MATCH ()-[old:IN_GROUP]->(g) DELETE old
		WITH count(*) AS gone UNWIND $rows AS r MATCH (g:Group {id: r.group}) MATCH (m:User|Group {id: r.member})
		CREATE (m)-[:IN_GROUP {workspace: $workspace, at: 0}]->(g)`, map[string]any{"rows": rows})
}

func TestAShareOfAGroupReachesWhoIsInItNow(t *testing.T) {
	w := newWorld(t)
	a := w.asset(w.datasource(graph.NewDatasource{Name: "shop", Kind: "DUCKDB"}).ID, "orders")
	member, viewer, stranger := w.email(graph.RoleMember), w.email(graph.RoleViewer), "stranger@"+w.workspace+".test"
	w.enrol(graph.RoleMember, stranger)
	inner := w.group("inner", w.caller(member).User.ID, w.caller(viewer).User.ID)
	outer := w.group("outer", inner)
	suite := w.ownSuite(w.email(graph.RoleManager), a.ID, "orders")
	level := func(email string) authz.SuiteLevel {
		c := w.caller(email)
		found, err := w.store.Suites(t.Context(), c.Scope(), []string{suite})
		require.NoError(t, err)
		l, _ := authz.LevelOn(c, found[suite].SuiteFacts)
		return l
	}
	assert.Equal(t, authz.SuiteNone, level(member))

	share, err := w.store.ShareSuite(t.Context(), w.as(w.email(graph.RoleManager), authz.ShareSuite),
		graph.NewShare{Suite: suite, Group: outer, Permission: graph.ShareEdit})
	require.NoError(t, err)
	require.NotNil(t, share.Group)
	assert.Equal(t, "outer", share.Group.Name)
	assert.Equal(t, authz.SuiteEdit, level(member), "through a group in the group")
	assert.Equal(t, authz.SuiteView, level(viewer), "clamped")
	assert.Equal(t, authz.SuiteNone, level(stranger))

	_, err = w.setGroup(graph.GroupChange{ID: inner, Remove: []string{w.caller(member).User.ID}})
	require.NoError(t, err)
	assert.Equal(t, authz.SuiteNone, level(member), "left the group")

	_, err = w.setGroup(graph.GroupChange{ID: outer, Add: []string{w.caller(member).User.ID}})
	require.NoError(t, err)
	assert.Equal(t, authz.SuiteEdit, level(member))
	require.NoError(t, w.store.DeleteGroup(t.Context(), w.as(w.email(graph.RoleAdmin), authz.ManageDirectory), outer))
	assert.Equal(t, authz.SuiteNone, level(member), "the group is gone, and its shares with it")
	assert.Zero(t, w.count(`MATCH ()-[s:SHARE]->(:Suite {workspace: $workspace}) RETURN count(s)`))
}

func TestOnlyAnAdminManagesGroups(t *testing.T) {
	w := newWorld(t)
	id, name := w.group("a"), "b"
	for _, role := range []graph.Role{graph.RoleManager, graph.RoleMember, graph.RoleViewer} {
		as := w.as(w.email(role), authz.ManageDirectory)
		before := w.events()
		_, err := w.store.SetGroup(t.Context(), as, graph.GroupChange{Name: &name})
		assert.Equal(t, fault.CodeForbidden, fault.CodeOf(err), role)
		_, err = w.store.SetGroup(t.Context(), as, graph.GroupChange{ID: id, Add: []string{w.caller(w.email(role)).User.ID}})
		assert.Equal(t, fault.CodeForbidden, fault.CodeOf(err), role)
		assert.Equal(t, fault.CodeForbidden, fault.CodeOf(w.store.DeleteGroup(t.Context(), as, id)), role)
		assert.Equal(t, before, w.events())
	}
}

func TestChangesOfAGroupThatAreRefused(t *testing.T) {
	w := newWorld(t)
	id, taken, fresh := w.group("a"), "b", "c"
	w.group(taken)
	nothing := "group_00000000000000000000000000000000"
	foreign, stranger := graph.RandomIDs{}.New(graph.KindGroup), graph.RandomIDs{}.New(graph.KindUser)
	w.rows(`CREATE (:Group {id: $group, workspace: $workspace + '-other', name: 'foreign'})
		CREATE (:User {id: $user, email: 'stranger@' + $workspace})`, map[string]any{"group": foreign, "user": stranger})
	for name, c := range map[string]struct {
		change graph.GroupChange
		want   fault.Code
	}{
		"the name of another":         {graph.GroupChange{ID: id, Name: &taken}, fault.CodeConflict},
		"a new one of a taken name":   {graph.GroupChange{Name: &taken}, fault.CodeConflict},
		"a group of nothing":          {graph.GroupChange{ID: nothing, Name: &fresh}, fault.CodeNotFound},
		"of another workspace":        {graph.GroupChange{ID: foreign, Name: &fresh}, fault.CodeNotFound},
		"a member of nothing":         {graph.GroupChange{ID: id, Name: &fresh, Add: []string{nothing}}, fault.CodeBadUserInput},
		"a group of another as such":  {graph.GroupChange{ID: id, Add: []string{foreign}}, fault.CodeBadUserInput},
		"a member of another as such": {graph.GroupChange{ID: id, Add: []string{stranger}}, fault.CodeBadUserInput},
	} {
		t.Run(name, func(t *testing.T) {
			before, versions := w.events(), w.versions()
			_, err := w.setGroup(c.change)
			assert.Equal(t, c.want, fault.CodeOf(err), "%v", err)
			assert.Equal(t, before, w.events(), "nothing is half-written")
			assert.Equal(t, versions, w.versions())
		})
	}
	_, err := w.setGroup(graph.GroupChange{ID: id, Name: new("a"), Remove: []string{nothing}})
	require.NoError(t, err)
}

// chain puts a member into the first of n groups, each in the next.
func (w *world) chain(n int, user string) {
	w.rows(`UNWIND range(1, $n) AS i CREATE (:Group {id: $workspace + '-' + i, workspace: $workspace, name: 'chain ' + i})`, map[string]any{"n": n})
	w.rows(`UNWIND range(1, $n - 1) AS i MATCH (a:Group {id: $workspace + '-' + i}) MATCH (b:Group {id: $workspace + '-' + (i + 1)})
		CREATE (a)-[:IN_GROUP {workspace: $workspace}]->(b)`, map[string]any{"n": n})
	w.rows(`MATCH (u:User {id: $user}) MATCH (g:Group {id: $workspace + '-1'}) CREATE (u)-[:IN_GROUP {workspace: $workspace}]->(g)`, map[string]any{"user": user})
}

func TestTheClosureIsExactAtItsBounds(t *testing.T) {
	for name, c := range map[string]struct {
		deep, wide int
		exceeded   bool
	}{
		"as deep as may be":  {deep: 8},
		"one too deep":       {deep: 9, exceeded: true},
		"as wide as may be":  {deep: 1, wide: 9_999},
		"one too wide":       {deep: 1, wide: 10_000, exceeded: true},
		"both at the bound":  {deep: 8, wide: 9_992},
		"both, and one more": {deep: 8, wide: 9_993, exceeded: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			member := w.email(graph.RoleMember)
			user := w.caller(member).User.ID
			w.chain(c.deep, user)
			w.rows(`MATCH (u:User {id: $user}) UNWIND range(1, $n) AS i
				CREATE (u)-[:IN_GROUP {workspace: $workspace}]->(:Group {id: $workspace + '-w' + i, workspace: $workspace, name: 'wide ' + i})`,
				map[string]any{"user": user, "n": c.wide})
			groups := w.caller(member).Groups
			assert.Equal(t, c.exceeded, groups.Exceeded)
			if !c.exceeded {
				assert.Len(t, groups.IDs, c.deep+c.wide)
			}
		})
	}
}

func TestWhoHasTooManyGroupsLosesSuitesAlone(t *testing.T) {
	w := newWorld(t)
	a := w.asset(w.datasource(graph.NewDatasource{Name: "shop", Kind: "DUCKDB"}).ID, "orders")
	for _, role := range []graph.Role{graph.RoleMember, graph.RoleAdmin} {
		w.chain(9, w.caller(w.email(role)).User.ID)
		w.rows(`MATCH (g:Group {workspace: $workspace}) SET g.id = g.id + $role, g.name = g.name + $role`, map[string]any{"role": string(role)})
	}
	member, admin := w.caller(w.email(graph.RoleMember)), w.caller(w.email(graph.RoleAdmin))
	_, err := w.store.SuiteList(t.Context(), member.Scope(), graph.SuiteFilter{}, graph.Position{First: 1})
	assert.Equal(t, fault.CodeLimitExceeded, fault.CodeOf(err))
	_, err = w.store.Suites(t.Context(), member.Scope(), []string{"suite_00000000000000000000000000000000"})
	assert.Equal(t, fault.CodeLimitExceeded, fault.CodeOf(err), "one by its id answers as the list does")
	found, err := w.store.Assets(t.Context(), member.Audience, []string{a.ID})
	require.NoError(t, err)
	assert.Contains(t, found, a.ID)
	_, err = w.store.SuiteList(t.Context(), admin.Scope(), graph.SuiteFilter{}, graph.Position{First: 1})
	assert.NoError(t, err, "an admin has every suite, whatever their groups")
}

func TestACircleOfGroupsEnds(t *testing.T) {
	w := newWorld(t)
	member := w.email(graph.RoleMember)
	var ids []string
	for i := range 5 {
		ids = append(ids, w.group(fmt.Sprintf("g%d", i)))
	}
	for i, id := range ids {
		_, err := w.setGroup(graph.GroupChange{ID: id, Add: []string{ids[(i+1)%5], ids[(i+2)%5], w.caller(member).User.ID}})
		require.NoError(t, err)
	}
	assert.ElementsMatch(t, ids, w.caller(member).Groups.IDs)
}

func TestATeamRestrictsItsViewers(t *testing.T) {
	w := newWorld(t)
	a := w.asset(w.datasource(graph.NewDatasource{Name: "shop", Kind: "DUCKDB"}).ID, "payroll")
	w.restrict(a.ID)
	sees := func(role graph.Role) bool {
		found, err := w.store.Assets(t.Context(), w.caller(w.email(role)).Audience, []string{a.ID})
		require.NoError(t, err)
		return found[a.ID] != nil
	}
	require.True(t, sees(graph.RoleViewer))
	for _, role := range []graph.Role{graph.RoleViewer, graph.RoleMember} {
		w.rows(`MERGE (t:Team {workspace: $workspace, name: 'guests'}) ON CREATE SET t.id = 'team of ' + $workspace
			WITH t MATCH (u:User {id: $user}) CREATE (u)-[:IN_TEAM {viewerAccess: 'RESTRICTED'}]->(t)`, map[string]any{"user": w.caller(w.email(role)).User.ID})
	}
	assert.False(t, sees(graph.RoleViewer))
	assert.True(t, sees(graph.RoleMember), "a member is no viewer")
}

func TestMembersOfAGroupArePaged(t *testing.T) {
	w := newWorld(t)
	inner := w.group("inner")
	outer := w.group("outer", inner, w.caller(w.email(graph.RoleMember)).User.ID, w.caller(w.email(graph.RoleViewer)).User.ID)
	var ids []string
	at := graph.Position{First: 2, Total: true}
	for {
		page, err := w.store.GroupMembers(t.Context(), w.audience(), outer, at)
		require.NoError(t, err)
		assert.Equal(t, 3, page.Total)
		for _, m := range page.Items {
			ids = append(ids, m.ID())
		}
		if !page.HasNext {
			break
		}
		at.After, at.ID = true, ids[len(ids)-1]
	}
	assert.ElementsMatch(t, []string{inner, w.caller(w.email(graph.RoleMember)).User.ID, w.caller(w.email(graph.RoleViewer)).User.ID}, ids)
	_, err := w.store.GroupMembers(t.Context(), w.audience(), "group_00000000000000000000000000000000", at)
	assert.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
}
