package agreement

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
)

func TestFiltersThatAskForNothing(t *testing.T) {
	w := testkit.NewWorld(t)
	admin := w.Member(graph.RoleAdmin)
	w.Asset(admin, w.Datasource(admin, "warehouse", graph.Viewer), "orders")
	g := testkit.NewGateway(t, w).As(admin.Email)
	for filter, want := range map[string]int{
		`{}`: 1, `{not: {}}`: 0, `{not: {and: []}}`: 0, `{not: {or: [{}]}}`: 0, `{not: {tag: null}}`: 0, `{not: {not: {}}}`: 1,
		`{and: [{}, {}]}`: 1, `{or: [{not: {}}, {nameContains: "ORD"}]}`: 1, `{or: [{not: {}}, {}]}`: 1, `{and: [{not: {}}, {}]}`: 0,
	} {
		var out struct{ Assets struct{ TotalCount int } }
		g.Query(t.Context(), fmt.Sprintf(`{ assets(filter: %s) { totalCount } }`, filter), nil, &out).RequireNoErrors(t)
		assert.Equal(t, want, out.Assets.TotalCount, filter)
	}
	g.Query(t.Context(), `{ assets(filter: {or: [{datasource: "x"}]}) { totalCount } }`, nil, nil).AssertCode(t, "BAD_USER_INPUT")
}

func TestAnUpdateThatChangesNothingWritesNothing(t *testing.T) {
	w := testkit.NewWorld(t)
	admin := w.Member(graph.RoleAdmin)
	a := w.Asset(admin, w.Datasource(admin, "warehouse", graph.Viewer), "orders", "core")
	g := testkit.NewGateway(t, w)
	before := w.Events()
	for _, change := range []string{``, `, tags: ["core"]`, `, description: null`} {
		answer := g.As(admin.Email).Query(t.Context(), fmt.Sprintf(`mutation { updateAsset(input: {id: %q%s}) { asset { tags } } }`, a.ID, change), nil, nil)
		answer.RequireNoErrors(t)
		assert.JSONEq(t, `{"updateAsset": {"asset": {"tags": ["core"]}}}`, string(answer.Data))
	}
	assert.Equal(t, before, w.Events())
}

func TestNamesMustShow(t *testing.T) {
	w := testkit.NewWorld(t)
	admin := w.Member(graph.RoleAdmin)
	d := w.Datasource(admin, "warehouse", graph.Viewer)
	a := w.Asset(admin, d, "orders")
	g := testkit.NewGateway(t, w).As(admin.Email)
	for _, name := range []string{"", "   ", "\x00", "a\nb", "\u202eabc", "shop\u200b"} {
		for mutation, input := range map[string]map[string]any{
			`mutation($i: CreateDatasourceInput!) { createDatasource(input: $i) { datasource { id } } }`: {"name": name, "kind": "OTHER"},
			`mutation($i: CreateAssetInput!) { createAsset(input: $i) { asset { id } } }`:                {"datasource": d.ID, "name": name, "type": "TABLE"},
			`mutation($i: CreateSuiteInput!) { createSuite(input: $i) { suite { id } } }`:                {"asset": a.ID, "name": name},
			`mutation($i: UpdateAssetInput!) { updateAsset(input: $i) { asset { id } } }`:                {"id": a.ID, "tags": []string{name}},
		} {
			g.Query(t.Context(), mutation, map[string]any{"i": input}, nil).AssertCode(t, "BAD_USER_INPUT")
		}
	}
	answer := g.Query(t.Context(), fmt.Sprintf(`mutation { createSuite(input: {asset: %q, name: "s",
		checks: [{name: "c", expectation: "e", dimension: VALIDITY, severity: NONE}]}) { suite { id } } }`, a.ID), nil, nil)
	answer.AssertCode(t, "BAD_USER_INPUT")
	require.Equal(t, "input.checks.severity", answer.Errors[0].Extensions.Field)
}
