package agreement

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
)

// TestEveryMutationIsRefusedToWhomItIsNotGranted runs each mutation as each kind of caller, on a datasource
// that the manager owns and others only view, and a suite that the manager owns.
func TestEveryMutationIsRefusedToWhomItIsNotGranted(t *testing.T) {
	w := testkit.NewWorld(t)
	admin, manager, member := w.Member(graph.RoleAdmin), w.Member(graph.RoleManager), w.Member(graph.RoleMember)
	viewer, restricted := w.Member(graph.RoleViewer), w.Restricted()
	d := w.Datasource(manager, "warehouse", graph.Viewer)
	open, payroll := w.Asset(manager, d, "shop.orders"), w.Asset(manager, d, "hr.payroll")
	w.Restrict(payroll.ID)
	suite := w.Suite(manager, open.ID, "orders")
	share := w.Share(manager, suite, viewer, graph.ShareView)
	g := testkit.NewGateway(t, w)
	callers := []testkit.Member{admin, manager, member, viewer, restricted}
	nothing := "asset_00000000000000000000000000000000"

	const allowed, forbidden, missing, bad, conflict = "", "FORBIDDEN", "NOT_FOUND", "BAD_USER_INPUT", "CONFLICT"
	for _, c := range []struct {
		name, mutation string
		codes          [5]string // admin, manager, member, viewer, restricted viewer
	}{
		{"createDatasource", `createDatasource(input: {name: "d%d", kind: POSTGRESQL}) { datasource { id } }`, [5]string{allowed, allowed, forbidden, forbidden, forbidden}},
		{"createAsset", fmt.Sprintf(`createAsset(input: {datasource: %q, name: "a%%d", type: TABLE}) { asset { id } }`, d.ID), [5]string{allowed, allowed, forbidden, forbidden, forbidden}},
		{"updateAsset, tags", fmt.Sprintf(`updateAsset(input: {id: %q, tags: ["t%%d"]}) { asset { id } }`, open.ID), [5]string{allowed, allowed, forbidden, forbidden, forbidden}},
		{"updateAsset, description", fmt.Sprintf(`updateAsset(input: {id: %q, description: "d%%d"}) { asset { id } }`, open.ID), [5]string{allowed, forbidden, forbidden, forbidden, forbidden}},
		{"updateAsset, isRestricted", fmt.Sprintf(`updateAsset(input: {id: %q, isRestricted: false}) { asset { id } } # %%d`, open.ID), [5]string{allowed, forbidden, forbidden, forbidden, forbidden}},
		{"updateAsset, hidden", fmt.Sprintf(`updateAsset(input: {id: %q, tags: ["t%%d"]}) { asset { id } }`, payroll.ID), [5]string{allowed, allowed, forbidden, forbidden, forbidden}},
		{"updateAsset, nonexistent", fmt.Sprintf(`updateAsset(input: {id: %q, tags: ["t%%d"]}) { asset { id } }`, nothing), [5]string{missing, missing, missing, forbidden, forbidden}},
		{"addEdge", fmt.Sprintf(`addEdge(input: {source: {asset: %q}, target: {external: {system: "external", model: "m%%d"}}}) { edge { id } }`, open.ID), [5]string{allowed, allowed, forbidden, forbidden, forbidden}},
		{"assertEdges", fmt.Sprintf(`assertEdges(input: {category: COLLECTED, producer: "p", scope: "s%%d", edges: [{source: {external: {system: "external", model: "n"}}, target: {asset: %q}}]}) { created }`, open.ID), [5]string{allowed, allowed, forbidden, forbidden, forbidden}},
		{"assertEdges, by hand", fmt.Sprintf(`assertEdges(input: {category: MANUAL, producer: "p", scope: "s%%d", edges: [{source: {external: {system: "external", model: "n"}}, target: {asset: %q}}]}) { created }`, open.ID), [5]string{bad, bad, bad, forbidden, forbidden}},
		{"updateEdge, nonexistent", `updateEdge(input: {edge: "edge_00000000000000000000000000000000", description: "%d"}) { edge { id } }`, [5]string{missing, missing, missing, forbidden, forbidden}},
		{"addUpstream", fmt.Sprintf(`addUpstream(input: {asset: %q, upstreamExternal: {system: "external", model: "m%%d"}}) { edge { id } }`, open.ID), [5]string{allowed, allowed, forbidden, forbidden, forbidden}},
		{"addUpstream, to itself", fmt.Sprintf(`addUpstream(input: {asset: %q, upstreamAsset: %q}) { edge { id } } # %%d`, open.ID, open.ID), [5]string{bad, bad, bad, forbidden, forbidden}},
		{"deleteEdge, nonexistent", `deleteEdge(input: {edge: "edge_00000000000000000000000000000000"}) { edge } # %d`, [5]string{missing, missing, missing, forbidden, forbidden}},
		{"createSuite", fmt.Sprintf(`createSuite(input: {asset: %q, name: "s%%d"}) { suite { id } }`, open.ID), [5]string{allowed, allowed, allowed, forbidden, forbidden}},
		{"shareSuite", fmt.Sprintf(`shareSuite(input: {suite: %q, user: %q, permission: VIEW}) { share { id } } # %%d`, suite, member.ID), [5]string{allowed, allowed, forbidden, forbidden, missing}},
		{"shareSuite, EDIT to a viewer", fmt.Sprintf(`shareSuite(input: {suite: %q, user: %q, permission: EDIT}) { share { id } } # %%d`, suite, viewer.ID), [5]string{bad, bad, forbidden, forbidden, missing}},
		{"setMembership", fmt.Sprintf(`setMembership(input: {email: "new%%d@%s.test", role: VIEWER}) { member { user { email } role } }`, w.Workspace), [5]string{allowed, forbidden, forbidden, forbidden, forbidden}},
		{"setMembership, of nobody", `setMembership(input: {user: "user_00000000000000000000000000000000", role: ADMIN}) { member { role } } # %d`, [5]string{missing, forbidden, forbidden, forbidden, forbidden}},
		{"setMembership, the last admin", fmt.Sprintf(`setMembership(input: {user: %q, role: MEMBER}) { member { role } } # %%d`, admin.ID), [5]string{conflict, forbidden, forbidden, forbidden, forbidden}},
		{"setMembership, no address", `setMembership(input: {email: "nobody %d"}) { member { role } }`, [5]string{bad, forbidden, forbidden, forbidden, forbidden}},
		{"removeMember, of nobody", `removeMember(input: {user: "user_00000000000000000000000000000000"}) { id } # %d`, [5]string{missing, forbidden, forbidden, forbidden, forbidden}},
		{"setTeam, a new one", `setTeam(input: {name: "t%d"}) { team { id name } }`, [5]string{allowed, forbidden, forbidden, forbidden, forbidden}},
		{"setTeam, nonexistent", `setTeam(input: {id: "team_00000000000000000000000000000000"}) { team { id } } # %d`, [5]string{missing, forbidden, forbidden, forbidden, forbidden}},
		{"deleteTeam, nonexistent", `deleteTeam(input: {team: "team_00000000000000000000000000000000"}) { id } # %d`, [5]string{missing, forbidden, forbidden, forbidden, forbidden}},
		{"deleteAsset, nonexistent", fmt.Sprintf(`deleteAsset(input: {id: %q}) { id } # %%d`, nothing), [5]string{missing, missing, missing, forbidden, forbidden}},
		{"setGroup, a new one", `setGroup(input: {name: "g%d"}) { group { id } }`, [5]string{allowed, forbidden, forbidden, forbidden, forbidden}},
		{"setGroup, nonexistent", `setGroup(input: {id: "group_00000000000000000000000000000000"}) { group { id } } # %d`, [5]string{missing, forbidden, forbidden, forbidden, forbidden}},
		{"setGroup, in itself", `setGroup(input: {id: "group_00000000000000000000000000000000", addMembers: ["group_00000000000000000000000000000000"]}) { group { id } } # %d`, [5]string{bad, forbidden, forbidden, forbidden, forbidden}},
		{"deleteGroup, nonexistent", `deleteGroup(input: {group: "group_00000000000000000000000000000000"}) { id } # %d`, [5]string{missing, forbidden, forbidden, forbidden, forbidden}},
		{"shareSuite, with a nonexistent group", fmt.Sprintf(`shareSuite(input: {suite: %q, group: "group_00000000000000000000000000000000", permission: EDIT}) { share { id } } # %%d`, suite), [5]string{bad, bad, forbidden, forbidden, missing}},
		{"shareSuite, with nobody", fmt.Sprintf(`shareSuite(input: {suite: %q, permission: EDIT}) { share { id } } # %%d`, suite), [5]string{bad, bad, bad, bad, bad}},
		{"revokeShare, nonexistent", `revokeShare(input: {share: "share_00000000000000000000000000000000"}) { id } # %d`, [5]string{missing, missing, missing, missing, missing}},
		{"revokeShare", fmt.Sprintf(`revokeShare(input: {share: %q}) { id } # %%d`, share), [5]string{allowed, missing, missing, missing, missing}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, caller := range callers {
				before := w.Events()
				answer := g.As(caller.Email).Query(t.Context(), "mutation {\n"+fmt.Sprintf(c.mutation, i)+"\n}", nil, nil)
				if c.codes[i] == allowed {
					answer.RequireNoErrors(t)
					assert.NotContains(t, string(answer.Data), ":null")
					continue
				}
				answer.AssertCode(t, c.codes[i])
				assert.Equal(t, before, w.Events(), "what is refused writes nothing")
				if len(answer.Errors) == 1 {
					assert.NotEmpty(t, answer.Errors[0].Message)
				}
			}
		})
	}
}

func TestARevokedShareIsGoneWithTheNextRequest(t *testing.T) {
	w := testkit.NewWorld(t)
	admin, member := w.Member(graph.RoleAdmin), w.Member(graph.RoleMember)
	a := w.Asset(admin, w.Datasource(admin, "warehouse", graph.Viewer), "orders")
	g := testkit.NewGateway(t, w)
	sees := func(suite string) bool {
		answer := g.As(member.Email).Query(t.Context(), fmt.Sprintf(`{ suite(id: %q) { id } }`, suite), nil, nil)
		answer.RequireNoErrors(t)
		return string(answer.Data) != `{"suite":null}`
	}
	suite := w.Suite(admin, a.ID, "orders")
	for range 20 {
		require.False(t, sees(suite))
		share := w.Share(admin, suite, member, graph.ShareView)
		require.True(t, sees(suite))
		w.Revoke(admin, share)
	}
	require.False(t, sees(suite))
}
