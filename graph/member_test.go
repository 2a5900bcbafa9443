package graph_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

func roleTo(r graph.Role) graph.Change[graph.Role] {
	return graph.Change[graph.Role]{Set: true, Value: r}
}

func (w *world) setMembership(by string, c graph.MembershipChange) (*graph.Member, error) {
	return w.store.SetMembership(w.t.Context(), w.as(by, authz.ManageDirectory), c)
}

func TestAMembershipIsChanged(t *testing.T) {
	w := newWorld(t)
	admin, fresh := w.email(graph.RoleAdmin), "fresh@"+w.workspace+".test"
	made, err := w.setMembership(admin, graph.MembershipChange{Email: fresh})
	require.NoError(t, err)
	assert.Equal(t, &graph.Member{User: made.User, Role: graph.RoleMember, ViewerAccess: graph.Unrestricted}, made)
	assert.Equal(t, graph.RoleMember, w.caller(fresh).Role)

	changed, err := w.setMembership(admin, graph.MembershipChange{User: made.User.ID, Role: roleTo(graph.RoleViewer), ViewerAccess: graph.Change[graph.ViewerAccess]{Set: true, Value: graph.Restricted}})
	require.NoError(t, err)
	assert.Equal(t, graph.RoleViewer, changed.Role)
	assert.Equal(t, graph.ClassRestricted, w.caller(fresh).Audience.Class, "it holds at once")
	before := w.events()
	_, err = w.setMembership(admin, graph.MembershipChange{Email: fresh, Role: roleTo(graph.RoleViewer)})
	require.NoError(t, err)
	assert.Equal(t, before, w.events(), "a change of nothing is none")
	_, err = w.setMembership(admin, graph.MembershipChange{User: "user_00000000000000000000000000000000"})
	assert.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
	_, err = w.setMembership(w.email(graph.RoleManager), graph.MembershipChange{Email: fresh, Role: roleTo(graph.RoleAdmin)})
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
}

func TestTheLastAdminStays(t *testing.T) {
	w := newWorld(t)
	admin := w.email(graph.RoleAdmin)
	id := w.caller(admin).User.ID
	for name, try := range map[string]func() error{
		"demoted": func() error {
			_, err := w.setMembership(admin, graph.MembershipChange{User: id, Role: roleTo(graph.RoleMember)})
			return err
		},
		"removed": func() error { return w.store.RemoveMember(t.Context(), w.as(admin, authz.ManageDirectory), id) },
	} {
		assert.Equal(t, fault.CodeConflict, fault.CodeOf(try()), name)
	}
	_, err := w.setMembership(admin, graph.MembershipChange{Email: w.email(graph.RoleMember), Role: roleTo(graph.RoleAdmin)})
	require.NoError(t, err)
	_, err = w.setMembership(admin, graph.MembershipChange{User: id, Role: roleTo(graph.RoleMember)})
	require.NoError(t, err, "there is another now")
	_, err = w.setMembership(w.email(graph.RoleMember), graph.MembershipChange{User: id, Role: roleTo(graph.RoleViewer)})
	assert.NoError(t, err, "the other one is in charge")
}

func TestTwoAdminsCannotDemoteEachOther(t *testing.T) {
	w := newWorld(t)
	first, second := w.email(graph.RoleAdmin), "second@"+w.workspace+".test"
	w.enrol(graph.RoleAdmin, second)
	writers := []graph.Writer{w.as(first, authz.ManageDirectory), w.as(second, authz.ManageDirectory)}
	targets := []string{w.caller(second).User.ID, w.caller(first).User.ID}
	var all sync.WaitGroup
	errs := make([]error, 2)
	for i := range writers {
		all.Go(func() {
			_, errs[i] = w.store.SetMembership(t.Context(), writers[i], graph.MembershipChange{User: targets[i], Role: roleTo(graph.RoleMember)})
		})
	}
	all.Wait()
	assert.Equal(t, 1, w.count(`MATCH (:User)-[m:MEMBER {role: 'ADMIN'}]->(:Workspace {id: $workspace}) RETURN count(m)`))
	assert.Len(t, append([]error{}, errs...), 2)
	for _, err := range errs {
		if err != nil {
			assert.Contains(t, []fault.Code{fault.CodeConflict, fault.CodeForbidden}, fault.CodeOf(err))
		}
	}
}

func TestWhoIsRemovedLosesWhatTheyHeld(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	member, manager, admin := w.email(graph.RoleMember), w.email(graph.RoleManager), w.email(graph.RoleAdmin)
	id := w.caller(member).User.ID
	own := w.ownSuite(member, w.asset(d.ID, "a").ID, "own")
	shared := w.ownSuite(manager, w.asset(d.ID, "b").ID, "shared")
	_, err := w.store.ShareSuite(t.Context(), w.as(manager, authz.ShareSuite), graph.NewShare{Suite: shared, User: id, Permission: graph.ShareEdit})
	require.NoError(t, err)
	w.group("g", id)
	_, err = w.setTeam(graph.TeamChange{Name: new("t"), Add: []graph.TeamMember{{User: id}}})
	require.NoError(t, err)

	remove := func() error { return w.store.RemoveMember(t.Context(), w.as(admin, authz.ManageDirectory), id) }
	err = remove()
	require.Equal(t, fault.CodeConflict, fault.CodeOf(err))
	assert.Contains(t, err.Error(), "1 suites")
	require.NoError(t, w.transfer(own, manager, ""))
	require.NoError(t, remove())
	assert.Zero(t, w.count(`MATCH (:User {email: 'MEMBER@' + $workspace + '.test'})-[r]->() RETURN count(r)`), "nothing of it is left")
	facts, _, err := w.store.Caller(t.Context(), member, w.workspace)
	require.NoError(t, err)
	_, err = w.policy.Caller(facts)
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(err), "the next request is refused")
	assert.Equal(t, fault.CodeNotFound, fault.CodeOf(remove()))
}

func TestMembersArePagedByAddress(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"c", "a", "b"} {
		w.enrol(graph.RoleMember, name+"@"+w.workspace+".test")
	}
	var seen []string
	at := graph.Position{First: 2, Total: true}
	for {
		page, err := w.store.MemberList(t.Context(), w.audience(), at)
		require.NoError(t, err)
		assert.Equal(t, w.count(`MATCH (u:User)-[:MEMBER]->(:Workspace {id: $workspace}) RETURN count(u)`), page.Total)
		for _, m := range page.Items {
			seen = append(seen, m.User.Email)
		}
		if !page.HasNext {
			break
		}
		at.After, at.Text = true, seen[len(seen)-1]
	}
	assert.IsIncreasing(t, seen)
	assert.Contains(t, seen, "a@"+w.workspace+".test")
}
