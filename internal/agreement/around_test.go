package agreement

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
)

// TestThereIsNoWayAroundAGate asks for a gated field in every way that GraphQL has.
func TestThereIsNoWayAroundAGate(t *testing.T) {
	w := testkit.NewWorld(t)
	manager, member := w.Member(graph.RoleManager), w.Member(graph.RoleMember)
	a := w.Asset(manager, w.Datasource(manager, "warehouse", graph.Viewer), "shop.orders")
	held, hidden := w.Suite(manager, a.ID, "held", "complete"), w.Suite(manager, a.ID, "hidden", "complete")
	w.Share(manager, held, member, graph.ShareView)
	run := w.Run(manager, hidden, "complete")
	g := testkit.NewGateway(t, w).As(member.Email)

	for name, query := range map[string]string{
		"an alias":                 `{ suite(id: %q) { mine: shares { id } } }`,
		"a named fragment":         `{ suite(id: %q) { ...f } } fragment f on Suite { shares { id } }`,
		"an interface":             `{ node(id: %q) { ... on Suite { shares { id } } } }`,
		"several nodes":            `{ nodes(ids: [%q]) { ... on Suite { shares { id } } } }`,
		"a condition":              `query($yes: Boolean = true) { suite(id: %q) { ... @include(if: $yes) { shares { id } } } }`,
		"the asset's suites":       `query($no: Boolean = false) { suite(id: %q) { asset { suites { edges { node { shares @skip(if: $no) { id } } } } } } }`,
		"twice under other names":  `{ suite(id: %q) { a: shares { id } } }`,
		"a fragment in a fragment": `{ suite(id: %q) { ...f } } fragment f on Suite { ...g } fragment g on Suite { shares { user { email } } }`,
	} {
		answer := g.Query(t.Context(), fmt.Sprintf(query, held), nil, nil)
		answer.AssertCode(t, "FORBIDDEN")
		assert.NotContains(t, string(answer.Data), "email", name)
		// Of one that is hidden, not even that something was refused.
		hiddenAnswer := g.Query(t.Context(), fmt.Sprintf(query, hidden), nil, nil)
		assert.Empty(t, hiddenAnswer.Errors, name)
		nothing := g.Query(t.Context(), fmt.Sprintf(query, "suite_00000000000000000000000000000000"), nil, nil)
		assert.Equal(t, nothing.Body, hiddenAnswer.Body, name)
		assert.Equal(t, nothing.Statements, hiddenAnswer.Statements, name)
	}
	for _, query := range []string{`{ run(id: %q) { results { status } } }`, `{ node(id: %q) { ... on Run { suite { name } } } }`} {
		answer := g.Query(t.Context(), fmt.Sprintf(query, run), nil, nil)
		assert.Empty(t, answer.Errors)
		assert.Contains(t, string(answer.Data), "null")
	}
}

// TestADeniedFieldTakesNothingElseWithIt: what is gated can be null, so a refusal ends where it happens.
func TestADeniedFieldTakesNothingElseWithIt(t *testing.T) {
	w := testkit.NewWorld(t)
	manager, member := w.Member(graph.RoleManager), w.Member(graph.RoleMember)
	a := w.Asset(manager, w.Datasource(manager, "warehouse", graph.Viewer), "shop.orders")
	suite := w.Suite(manager, a.ID, "held")
	w.Share(manager, suite, member, graph.ShareView)
	answer := testkit.NewGateway(t, w).As(member.Email).Query(t.Context(),
		fmt.Sprintf(`{ suite(id: %q) { name shares { id } } members(first: 1) { edges { node { role viewerAccess } } } }`, suite), nil, nil)
	assert.Equal(t, []string{"FORBIDDEN", "FORBIDDEN"}, answer.Codes())
	assert.JSONEq(t, `{"suite": {"name": "held", "shares": null}, "members": {"edges": [{"node": {"role": "MANAGER", "viewerAccess": null}}]}}`, string(answer.Data))
}

func TestAShareRevokedBetweenTwoPages(t *testing.T) {
	w := testkit.NewWorld(t)
	manager, member := w.Member(graph.RoleManager), w.Member(graph.RoleMember)
	a := w.Asset(manager, w.Datasource(manager, "warehouse", graph.Viewer), "shop.orders")
	shares := map[string]string{}
	for _, name := range []string{"a", "b", "c"} {
		shares[name] = w.Share(manager, w.Suite(manager, a.ID, name), member, graph.ShareView)
	}
	g := testkit.NewGateway(t, w).As(member.Email)
	type page struct {
		Suites struct {
			TotalCount int
			PageInfo   struct{ EndCursor *string }
			Edges      []struct{ Node struct{ Name string } }
		}
	}
	read := func(after *string) page {
		var got page
		g.Query(t.Context(), `query($after: String) { suites(first: 1, after: $after) { totalCount pageInfo { endCursor } edges { node { name } } } }`,
			map[string]any{"after": after}, &got).RequireNoErrors(t)
		return got
	}
	first := read(nil)
	require.Equal(t, 3, first.Suites.TotalCount)
	w.Revoke(manager, shares["b"])
	second := read(first.Suites.PageInfo.EndCursor)
	assert.Equal(t, 2, second.Suites.TotalCount, "exact at once")
	require.Len(t, second.Suites.Edges, 1)
	assert.Equal(t, "c", second.Suites.Edges[0].Node.Name, "what was revoked is left out, and the page is full")
	w.Revoke(manager, shares["a"])
	assert.Equal(t, "c", read(first.Suites.PageInfo.EndCursor).Suites.Edges[0].Node.Name, "behind a suite that is not theirs any more")
}
