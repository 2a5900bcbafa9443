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

// heldBy is whom a suite belongs to and what its shares grant, by e-mail.
func (w *world) heldBy(suite string) (owner string, shares map[string]string) {
	shares = map[string]string{}
	for _, r := range w.rows(`MATCH (s:Suite {id: $id}) MATCH (o:User {id: s.owner}) OPTIONAL MATCH (u:User)-[g:SHARE]->(s)
		RETURN o.email, u.email, g.permission`, map[string]any{"id": suite}) {
		owner = r[0].(string)
		if r[1] != nil {
			shares[r[1].(string)] = r[2].(string)
		}
	}
	return owner, shares
}

func (w *world) setRole(email string, role graph.Role) {
	w.rows(`MATCH (:User {email: $email})-[m:MEMBER]->(:Workspace {id: $workspace}) SET m.role = $role`, map[string]any{"email": email, "role": string(role)})
}

func (w *world) transfer(suite, to string, keeps graph.SharePermission) error {
	return w.store.TransferSuite(w.t.Context(), w.as(w.email(graph.RoleAdmin), authz.TransferSuite),
		graph.Transfer{Suite: suite, NewOwner: w.caller(to).User.ID, Keeps: keeps})
}

func TestWhatThePreviousOwnerKeeps(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	member := w.email(graph.RoleMember)
	for name, c := range map[string]struct {
		role  graph.Role // of the previous owner by then; "" is no member
		keeps graph.SharePermission
		want  string
	}{
		"EDIT":                     {graph.RoleManager, graph.ShareEdit, "EDIT"},
		"VIEW":                     {graph.RoleManager, graph.ShareView, "VIEW"},
		"nothing":                  {graph.RoleManager, "", ""},
		"VIEW as a viewer":         {graph.RoleViewer, graph.ShareEdit, "VIEW"},
		"nothing when they left":   {"", graph.ShareEdit, ""},
		"VIEW as a viewer, asked":  {graph.RoleViewer, graph.ShareView, "VIEW"},
		"nothing as a viewer, too": {graph.RoleViewer, "", ""},
	} {
		previous := "previous of " + name + "@" + w.workspace + ".test"
		w.enrol(graph.RoleManager, previous)
		suite := w.ownSuite(previous, w.asset(d.ID, name).ID, "s")
		_, err := w.store.ShareSuite(t.Context(), w.as(previous, authz.ShareSuite), graph.NewShare{Suite: suite, User: w.caller(member).User.ID, Permission: graph.ShareView})
		require.NoError(t, err)
		if c.role == "" {
			w.rows(`MATCH (:User {email: $email})-[m:MEMBER]->() DELETE m`, map[string]any{"email": previous})
		} else {
			w.setRole(previous, c.role)
		}
		require.NoError(t, w.transfer(suite, member, c.keeps), name)
		owner, shares := w.heldBy(suite)
		assert.Equal(t, member, owner, name)
		assert.Equal(t, c.want, shares[previous], name)
		assert.NotContains(t, shares, member, "an owner needs no share")
	}
	assert.Equal(t, 7, w.count(`MATCH (e:AuditEvent {workspace: $workspace, action: 'suite.transfer'}) WHERE e.adminOverride RETURN count(e)`))
}

func TestTwoTransfersAtOnceLeaveOneOwner(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	member, manager, second := w.email(graph.RoleMember), w.email(graph.RoleManager), "admin2@"+w.workspace+".test"
	w.enrol(graph.RoleAdmin, second)
	suite := w.ownSuite(w.email(graph.RoleAdmin), w.asset(d.ID, "a").ID, "s")
	writers := []graph.Writer{w.as(w.email(graph.RoleAdmin), authz.TransferSuite), w.as(second, authz.TransferSuite)}
	targets := []string{w.caller(member).User.ID, w.caller(manager).User.ID}
	var all sync.WaitGroup
	errs := make([]error, 16)
	for i := range errs {
		all.Go(func() {
			errs[i] = w.store.TransferSuite(t.Context(), writers[i%2], graph.Transfer{Suite: suite, NewOwner: targets[i%2], Keeps: graph.ShareEdit})
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil { // it was theirs by then
			assert.Equal(t, fault.CodeBadUserInput, fault.CodeOf(err))
		}
	}
	owner, shares := w.heldBy(suite)
	assert.NotContains(t, shares, owner)
	// Each event begins with the owner that the one before it made.
	chain := map[string]string{}
	events := w.rows(`MATCH (e:AuditEvent {workspace: $workspace, action: 'suite.transfer'}) RETURN e.before, e.after`, nil)
	for _, r := range events {
		chain[r[0].(string)] = r[1].(string)
	}
	assert.LessOrEqual(t, len(chain), 3, "from the first owner once, and then to and fro")
	assert.GreaterOrEqual(t, len(events), 1)
}

func TestTransferIsForAdmins(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	owner, admin := w.email(graph.RoleManager), w.email(graph.RoleAdmin)
	suite := w.ownSuite(owner, w.asset(d.ID, "a").ID, "s")
	to := func(id string) graph.Transfer { return graph.Transfer{Suite: suite, NewOwner: id} }
	for name, c := range map[string]struct {
		as   string
		to   string
		want fault.Code
	}{
		"the owner does not give it away": {owner, w.caller(w.email(graph.RoleMember)).User.ID, fault.CodeForbidden},
		"to a viewer":                     {admin, w.caller(w.email(graph.RoleViewer)).User.ID, fault.CodeBadUserInput},
		"to nobody":                       {admin, "user_00000000000000000000000000000000", fault.CodeBadUserInput},
		"to its owner":                    {admin, w.caller(owner).User.ID, fault.CodeBadUserInput},
		"to a stranger it is not there":   {w.email(graph.RoleMember), w.caller(admin).User.ID, fault.CodeNotFound},
	} {
		err := w.store.TransferSuite(t.Context(), w.as(c.as, authz.TransferSuite), to(c.to))
		assert.Equal(t, c.want, fault.CodeOf(err), name)
	}
	now, _ := w.heldBy(suite)
	assert.Equal(t, owner, now)
	require.NoError(t, w.store.TransferSuite(t.Context(), w.as(admin, authz.TransferSuite), to(w.caller(admin).User.ID)), "to the admin")
}
