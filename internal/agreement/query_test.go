package agreement

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
)

// TestEveryGatedQueryIsRefusedToWhomItIsNotGranted asks what only some may as each kind of caller, of a
// datasource, an asset and a suite that the manager owns, which the viewer holds a share on, and of a
// restricted asset.
func TestEveryGatedQueryIsRefusedToWhomItIsNotGranted(t *testing.T) {
	w := testkit.NewWorld(t)
	admin, manager, member := w.Member(graph.RoleAdmin), w.Member(graph.RoleManager), w.Member(graph.RoleMember)
	viewer, restricted := w.Member(graph.RoleViewer), w.Restricted()
	d := w.Datasource(manager, "warehouse", graph.Viewer)
	open, payroll := w.Asset(manager, d, "shop.orders"), w.Asset(manager, d, "hr.payroll")
	w.Restrict(payroll.ID)
	foreign := w.Datasource(manager, "foreign", graph.Reporter)
	elsewhere := w.Asset(manager, foreign, "lake.events")
	suite := w.Suite(manager, open.ID, "orders")
	w.Share(manager, suite, viewer, graph.ShareView)
	g := testkit.NewGateway(t, w)
	callers := []testkit.Member{admin, manager, member, viewer, restricted}

	// null is a bare null: nothing that the caller may know.
	const allowed, forbidden, null = "", "FORBIDDEN", "null"
	oneself := func(object, action string) string {
		return fmt.Sprintf(`{ x: explainAccess(subject: %%[1]q, object: %q, action: %q) { reason } }`, object, action)
	}
	about := func(who testkit.Member, object, action string) string {
		return fmt.Sprintf(`{ x: explainAccess(subject: %q, object: %q, action: %q) { reason } } # %%[1]q`, who.ID, object, action)
	}
	for _, c := range []struct {
		name, query string
		codes       [5]string // admin, manager, member, viewer, restricted viewer
	}{
		{"auditEvents", `{ x: auditEvents { totalCount } } # %[1]q`, [5]string{allowed, forbidden, forbidden, forbidden, forbidden}},
		{"auditEvents of oneself", `{ x: auditEvents(filter: {actor: %[1]q}) { totalCount } }`, [5]string{allowed, forbidden, forbidden, forbidden, forbidden}},
		{"history", fmt.Sprintf(`{ suite(id: %q) { x: history { totalCount } } } # %%[1]q`, suite), [5]string{allowed, allowed, null, forbidden, null}},
		{"history by node", fmt.Sprintf(`{ node(id: %q) { ... on Suite { x: history { totalCount } } } } # %%[1]q`, suite), [5]string{allowed, allowed, null, forbidden, null}},
		{"explainAccess of oneself to a suite", oneself(suite, "suite.share"), [5]string{allowed, allowed, null, allowed, null}},
		{"explainAccess of oneself to a datasource", oneself(d.ID, "datasource.edit"), [5]string{allowed, allowed, allowed, allowed, allowed}},
		{"explainAccess of oneself to a restricted asset", oneself(payroll.ID, "asset.view"), [5]string{allowed, allowed, allowed, allowed, null}},
		{"explainAccess of oneself to the workspace", oneself(w.Workspace, "workspace.manage"), [5]string{allowed, allowed, allowed, allowed, allowed}},
		{"explainAccess of oneself to another workspace", oneself("elsewhere", "workspace.manage"), [5]string{null, null, null, null, null}},
		{"explainAccess of another", about(w.Enrol("colleague", graph.RoleMember, graph.Unrestricted), suite, "suite.view"), [5]string{allowed, forbidden, forbidden, forbidden, forbidden}},
		{"explainAccess of nobody", about(testkit.Member{ID: "user_00000000000000000000000000000000"}, suite, "suite.view"), [5]string{null, forbidden, forbidden, forbidden, forbidden}},
		{"datasourceMap", fmt.Sprintf(`{ x: datasourceMap(datasource: %q) { isComplete } } # %%[1]q`, d.ID), [5]string{allowed, allowed, allowed, allowed, allowed}},
		{"datasourceMap of one where REPORTER is held", fmt.Sprintf(`{ x: datasourceMap(datasource: %q) { isComplete } } # %%[1]q`, foreign.ID), [5]string{allowed, allowed, forbidden, forbidden, forbidden}},
		{"datasourceMap of nothing", `{ x: datasourceMap(datasource: "datasource_00000000000000000000000000000000") { isComplete } } # %[1]q`, [5]string{null, null, null, null, null}},
		{"datasourceLineage", fmt.Sprintf(`{ x: datasourceLineage(a: %q, b: %q) { nodes { id } } } # %%[1]q`, d.ID, d.ID), [5]string{allowed, allowed, allowed, allowed, allowed}},
		{"datasourceLineage of one where REPORTER is held", fmt.Sprintf(`{ x: datasourceLineage(a: %q, b: %q) { nodes { id } } } # %%[1]q`, d.ID, foreign.ID), [5]string{allowed, allowed, forbidden, forbidden, forbidden}},
		{"workspaceLineage", fmt.Sprintf(`{ x: workspaceLineage(datasources: [%q]) { nodes { id } } } # %%[1]q`, d.ID), [5]string{allowed, allowed, allowed, allowed, allowed}},
		{"workspaceLineage with one where REPORTER is held", fmt.Sprintf(`{ x: workspaceLineage(datasources: [%q, %q]) { nodes { id } } } # %%[1]q`, d.ID, foreign.ID), [5]string{allowed, allowed, forbidden, forbidden, forbidden}},
		{"impact", fmt.Sprintf(`{ x: impact(node: %q) { totalCount } } # %%[1]q`, open.ID), [5]string{allowed, allowed, allowed, allowed, allowed}},
		{"impact of an asset where REPORTER is held", fmt.Sprintf(`{ x: impact(node: %q) { totalCount } } # %%[1]q`, elsewhere.ID), [5]string{allowed, allowed, forbidden, forbidden, forbidden}},
		{"impact of a restricted asset", fmt.Sprintf(`{ x: impact(node: %q, direction: UPSTREAM) { totalCount } } # %%[1]q`, payroll.ID), [5]string{allowed, allowed, allowed, allowed, null}},
		{"impact of nothing", `{ x: impact(node: "asset_00000000000000000000000000000000") { totalCount } } # %[1]q`, [5]string{null, null, null, null, null}},
		{"impact of a datasource", fmt.Sprintf(`{ x: impact(node: %q) { totalCount } } # %%[1]q`, d.ID), [5]string{null, null, null, null, null}},
		{"impactRanking", fmt.Sprintf(`{ x: impactRanking(datasource: %q) { totalCount } } # %%[1]q`, d.ID), [5]string{allowed, allowed, allowed, allowed, allowed}},
		{"impactRanking where REPORTER is held", fmt.Sprintf(`{ x: impactRanking(datasource: %q) { totalCount } } # %%[1]q`, foreign.ID), [5]string{allowed, allowed, forbidden, forbidden, forbidden}},
		{"impactRanking of an asset", fmt.Sprintf(`{ x: impactRanking(datasource: %q) { totalCount } } # %%[1]q`, open.ID), [5]string{null, null, null, null, null}},
		{"workspaceLineage of an asset", fmt.Sprintf(`{ x: workspaceLineage(datasources: [%q]) { nodes { id } } } # %%[1]q`, payroll.ID), [5]string{null, null, null, null, null}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, caller := range callers {
				before := w.Events()
				answer := g.As(caller.Email).Query(t.Context(), fmt.Sprintf(c.query, caller.ID), nil, nil)
				assert.Equal(t, before, w.Events(), "a question writes nothing")
				switch c.codes[i] {
				case allowed:
					answer.RequireNoErrors(t)
					assert.NotContains(t, string(answer.Data), ":null", caller.Email)
				case null:
					answer.RequireNoErrors(t)
					assert.Contains(t, string(answer.Data), ":null", caller.Email)
				default:
					if answer.AssertCode(t, c.codes[i]) {
						assert.NotEmpty(t, answer.Errors[0].Extensions.Needs, "it says what is needed")
					}
					assert.Contains(t, string(answer.Data), ":null", caller.Email)
				}
			}
		})
	}
}
