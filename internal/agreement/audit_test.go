package agreement

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
)

// trailPage is what a page of events answers.
type trailPage struct {
	TotalCount int
	PageInfo   struct {
		EndCursor   *string
		HasNextPage bool
	}
	Edges []struct {
		Cursor string
		Node   struct {
			ID, At, Action, Resource, RequestID string
			Actor                               *struct{ Email string }
			Before, After                       map[string]any
			AdminOverride                       bool
		}
	}
}

const trailFields = `totalCount pageInfo { endCursor hasNextPage } edges { cursor node { id at action actor { email } resource before after adminOverride requestId } }`

func TestTheTrailIsForWorkspaceAdmins(t *testing.T) {
	w := testkit.NewWorld(t)
	admin, manager := w.Member(graph.RoleAdmin), w.Member(graph.RoleManager)
	d := w.Datasource(manager, "warehouse", graph.Viewer)
	g := testkit.NewGateway(t, w)
	for _, who := range []testkit.Member{manager, w.Member(graph.RoleMember), w.Member(graph.RoleViewer), w.Restricted()} {
		for _, query := range []string{
			`{ auditEvents { totalCount } viewer { role } }`, `{ auditEvents(filter: {resource: "` + d.ID + `"}) { edges { node { id } } } viewer { role } }`,
		} {
			answer := g.As(who.Email).Query(t.Context(), query, nil, nil)
			answer.AssertCode(t, "FORBIDDEN")
			assert.Equal(t, "the role ADMIN in this workspace", answer.Errors[0].Extensions.Needs)
			assert.Contains(t, string(answer.Data), `"auditEvents":null`)
			assert.Equal(t, 1, answer.Statements, "it is refused before anything is read")
		}
	}
	elsewhere := testkit.NewWorld(t)
	_, err := elsewhere.Store.EnsureMember(t.Context(), elsewhere.Workspace, admin.Email, graph.RoleViewer, graph.Restricted)
	require.NoError(t, err)
	answer := g.As(admin.Email).Query(t.Context(), `{ auditEvents { totalCount } }`, nil, nil)
	answer.AssertCode(t, "FORBIDDEN")
	assert.Equal(t, "a workspace ADMIN who is not a restricted viewer in any workspace", answer.Errors[0].Extensions.Needs)
}

func TestAnAdminReadsTheTrailPageByPage(t *testing.T) {
	w := testkit.NewWorld(t)
	admin := w.Member(graph.RoleAdmin)
	d := w.Datasource(admin, "warehouse", graph.Viewer)
	for i := range 5 {
		w.Asset(admin, d, fmt.Sprintf("orders%d", i))
	}
	g := testkit.NewGateway(t, w)
	seen := map[string]bool{}
	query := `query($after: String, $filter: AuditFilter) { auditEvents(first: 2, after: $after, filter: $filter) { ` + trailFields + ` } }`
	filter := map[string]any{"action": "asset."}
	var after any
	for page := range 3 {
		var out struct{ AuditEvents trailPage }
		answer := g.As(admin.Email).Query(t.Context(), query, map[string]any{"after": after, "filter": filter}, &out)
		answer.RequireNoErrors(t)
		assert.Equal(t, 5, out.AuditEvents.TotalCount)
		assert.Equal(t, page < 2, out.AuditEvents.PageInfo.HasNextPage)
		for _, e := range out.AuditEvents.Edges {
			assert.Equal(t, "asset.create", e.Node.Action)
			assert.Equal(t, admin.Email, e.Node.Actor.Email)
			assert.Equal(t, "testkit", e.Node.RequestID)
			assert.Nil(t, e.Node.Before)
			seen[e.Node.ID] = true
		}
		after = out.AuditEvents.PageInfo.EndCursor
	}
	assert.Len(t, seen, 5)
	// A cursor is good for its own list.
	answer := g.As(admin.Email).Query(t.Context(), query, map[string]any{"after": after, "filter": map[string]any{"action": "suite."}}, nil)
	answer.AssertCode(t, "BAD_USER_INPUT")
	for _, bad := range []string{`actor: "me"`, `resource: "orders"`} {
		g.As(admin.Email).Query(t.Context(), `{ auditEvents(filter: {`+bad+`}) { totalCount } }`, nil, nil).AssertCode(t, "BAD_USER_INPUT")
	}
}

func TestTheHistoryOfASuiteIsForItsOwnerAndAdmins(t *testing.T) {
	w := testkit.NewWorld(t)
	admin, manager, member, viewer := w.Member(graph.RoleAdmin), w.Member(graph.RoleManager), w.Member(graph.RoleMember), w.Member(graph.RoleViewer)
	a := w.Asset(admin, w.Datasource(admin, "warehouse", graph.Viewer), "orders")
	suite, other := w.Suite(manager, a.ID, "orders"), w.Suite(admin, a.ID, "other")
	w.Share(manager, suite, member, graph.ShareEdit)
	w.Share(admin, other, manager, graph.ShareView)
	g := testkit.NewGateway(t, w)
	query := fmt.Sprintf(`{ suite(id: %q) { name history(first: 1) { %s } } }`, suite, trailFields)
	type answered struct {
		Suite *struct {
			Name    string
			History *trailPage
		}
	}
	for _, who := range []testkit.Member{admin, manager} {
		var out answered
		g.As(who.Email).Query(t.Context(), query, nil, &out).RequireNoErrors(t)
		require.NotNil(t, out.Suite.History)
		assert.Equal(t, 2, out.Suite.History.TotalCount)
		assert.Equal(t, "share.grant", out.Suite.History.Edges[0].Node.Action)
		assert.Equal(t, suite, out.Suite.History.Edges[0].Node.Resource)
		var next answered
		g.As(who.Email).Query(t.Context(), fmt.Sprintf(`{ suite(id: %q) { name history(first: 1, after: %q) { %s } } }`, suite, *out.Suite.History.PageInfo.EndCursor, trailFields), nil, &next).RequireNoErrors(t)
		assert.Equal(t, "suite.create", next.Suite.History.Edges[0].Node.Action)
		assert.False(t, next.Suite.History.PageInfo.HasNextPage)
	}
	var out answered
	answer := g.As(member.Email).Query(t.Context(), query, nil, &out)
	answer.AssertCode(t, "FORBIDDEN")
	assert.Equal(t, "ADMIN on the suite", answer.Errors[0].Extensions.Needs)
	assert.Equal(t, "orders", out.Suite.Name)
	assert.Nil(t, out.Suite.History)
	for _, who := range []testkit.Member{viewer, w.Restricted()} {
		answer := g.As(who.Email).Query(t.Context(), query, nil, nil)
		answer.RequireNoErrors(t)
		assert.JSONEq(t, `{"suite":null}`, string(answer.Data))
	}
	one := g.As(admin.Email).Query(t.Context(), `{ suites(first: 1) { edges { node { history { totalCount edges { node { action } } } } } } }`, nil, nil)
	two := g.As(admin.Email).Query(t.Context(), `{ suites(first: 2) { edges { node { history { totalCount edges { node { action } } } } } } }`, nil, nil)
	one.RequireNoErrors(t)
	two.RequireNoErrors(t)
	assert.Equal(t, one.Statements, two.Statements, "the histories of a page are one statement")
}
