package agreement

import (
	"fmt"
	"strings"
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

func TestAMalformedIDSpoilsNothingBesideIt(t *testing.T) {
	w := testkit.NewWorld(t)
	admin := w.Member(graph.RoleAdmin)
	a := w.Asset(admin, w.Datasource(admin, "warehouse", graph.Viewer), "orders")
	g := testkit.NewGateway(t, w).As(admin.Email)
	gone := graph.RandomIDs{}.New(graph.KindAsset)
	answer := g.Query(t.Context(), `query($ids: [ID!]!) { viewer { role } some: nodes(ids: $ids) { id } }`, map[string]any{"ids": []string{"junk", a.ID, gone, ""}}, nil)
	assert.JSONEq(t, fmt.Sprintf(`{"viewer": {"role": "ADMIN"}, "some": [null, {"id": %q}, null, null]}`, a.ID), string(answer.Data))
	require.Len(t, answer.Errors, 2)
	for i, at := range []int{0, 3} {
		assert.Equal(t, []any{"some", float64(at)}, answer.Errors[i].Path)
		assert.Equal(t, "BAD_USER_INPUT", answer.Errors[i].Extensions.Code)
		assert.Equal(t, fmt.Sprintf("ids[%d]", at), answer.Errors[i].Extensions.Field)
	}
	// A connection is non-null by contract (docs/operations.md).
	answer = g.Query(t.Context(), `{ viewer { role } assets(first: 0) { totalCount } }`, nil, nil)
	answer.AssertCode(t, "BAD_USER_INPUT")
	assert.Equal(t, "null", string(answer.Data))
	assert.Equal(t, []any{"assets"}, answer.Errors[0].Path)
}

func TestEmptyTextsAreNone(t *testing.T) {
	w := testkit.NewWorld(t)
	admin := w.Member(graph.RoleAdmin)
	d := w.Datasource(admin, "warehouse", graph.Viewer)
	a := w.Asset(admin, d, "orders")
	g := testkit.NewGateway(t, w).As(admin.Email)
	update := func(changes string) testkit.Answer {
		return g.Query(t.Context(), fmt.Sprintf(`mutation { updateAsset(input: {id: %q, %s}) { asset { description ownerEmail } } }`, a.ID, changes), nil, nil)
	}
	update(`description: "Orders.\nAll of them.", ownerEmail: "owner@demo.test"`).RequireNoErrors(t)
	answer := update(`description: "", ownerEmail: ""`)
	answer.RequireNoErrors(t)
	assert.JSONEq(t, `{"updateAsset": {"asset": {"description": null, "ownerEmail": null}}}`, string(answer.Data))
	answer = g.Query(t.Context(), fmt.Sprintf(`mutation { createAsset(input: {datasource: %q, name: "items", type: TABLE, env: ""}) { asset { env } }
		createDatasource(input: {name: "other", kind: OTHER, host: "", database: ""}) { datasource { host database } } }`, d.ID), nil, nil)
	answer.RequireNoErrors(t)
	assert.JSONEq(t, `{"createAsset": {"asset": {"env": null}}, "createDatasource": {"datasource": {"host": null, "database": null}}}`, string(answer.Data))
}

func TestTextsHoldNoControlCharacters(t *testing.T) {
	w := testkit.NewWorld(t)
	admin := w.Member(graph.RoleAdmin)
	d := w.Datasource(admin, "warehouse", graph.Viewer)
	a := w.Asset(admin, d, "orders")
	g := testkit.NewGateway(t, w).As(admin.Email)
	for field, mutation := range map[string]string{
		"input.ownerEmail":  fmt.Sprintf(`updateAsset(input: {id: %q, ownerEmail: "a@b.test\u0007"}) { asset { id } }`, a.ID),
		"input.description": fmt.Sprintf(`updateAsset(input: {id: %q, description: "a\u001b[2J"}) { asset { id } }`, a.ID),
		"input.env":         fmt.Sprintf(`createAsset(input: {datasource: %q, name: "x", type: TABLE, env: "a\nb"}) { asset { id } }`, d.ID),
		"input.host":        `createDatasource(input: {name: "x", kind: OTHER, host: "a\u0000"}) { datasource { id } }`,
		"input.database":    `createDatasource(input: {name: "x", kind: OTHER, database: "  "}) { datasource { id } }`,
		"input.schemas":     `createDatasource(input: {name: "x", kind: OTHER, schemas: ["a", ""]}) { datasource { id } }`,
		"input.namespaces":  `createDatasource(input: {name: "x", kind: OTHER, namespaces: ["\u202e"]}) { datasource { id } }`,
	} {
		answer := g.Query(t.Context(), "mutation { "+mutation+" }", nil, nil)
		if answer.AssertCode(t, "BAD_USER_INPUT") {
			assert.Equal(t, field, answer.Errors[0].Extensions.Field)
		}
	}
}

func TestWalksOutOfBoundsAreRefused(t *testing.T) {
	w := testkit.NewWorld(t)
	admin := w.Member(graph.RoleAdmin)
	a := w.Asset(admin, w.Datasource(admin, "warehouse", graph.Viewer), "orders")
	g := testkit.NewGateway(t, w).As(admin.Email)
	for arguments, field := range map[string]string{
		`depth: 6`:                       "depth",
		`depth: -1`:                      "depth",
		`maxNodes: 0`:                    "maxNodes",
		`maxNodes: 5001`:                 "maxNodes",
		`filter: {datasource: "x"}`:      "filter.datasource",
		`filter: {tags: [""]}`:           "filter.tags",
		`filter: {systems: ["a\u0000"]}`: "filter.systems",
		`filter: {text: "` + strings.Repeat("x", 201) + `"}`:      "filter.text",
		`filter: {types: [` + strings.Repeat("TABLE ", 51) + `]}`: "filter.types",
	} {
		answer := g.Query(t.Context(), fmt.Sprintf(`{ lineage(node: %q, %s) { nodes { id } } }`, a.ID, arguments), nil, nil)
		answer.AssertCode(t, "BAD_USER_INPUT")
		assert.Equal(t, field, answer.Errors[0].Extensions.Field)
	}
	for _, arguments := range []string{`direction: BOTH`, `direction: UPSTREAM, first: 0`, `direction: UPSTREAM, after: "x"`, `direction: UPSTREAM, filter: {datasource: "x"}`} {
		g.Query(t.Context(), fmt.Sprintf(`{ expand(node: %q, %s) { totalCount } }`, a.ID, arguments), nil, nil).AssertCode(t, "BAD_USER_INPUT")
	}
}

// TestACursorOfAnExpansionIsGoodForItsFilterAlone: its order depends on what is counted.
func TestACursorOfAnExpansionIsGoodForItsFilterAlone(t *testing.T) {
	w := testkit.NewWorld(t)
	admin := w.Member(graph.RoleAdmin)
	d := w.Datasource(admin, "warehouse", graph.Viewer)
	hub := w.Asset(admin, d, "hub")
	g := testkit.NewGateway(t, w).As(admin.Email)
	for _, name := range []string{"a", "b", "c"} {
		g.Query(t.Context(), fmt.Sprintf(`mutation { addUpstream(input: {asset: %q, upstreamAsset: %q}) { edge { id } } }`, hub.ID, w.Asset(admin, d, name).ID), nil, nil).RequireNoErrors(t)
	}
	var page struct {
		Expand struct{ PageInfo struct{ EndCursor string } }
	}
	const query = `query($hub: ID!, $after: String, $filter: LineageFilter) { expand(node: $hub, direction: UPSTREAM, first: 1, after: $after, filter: $filter) { pageInfo { endCursor } } }`
	g.Query(t.Context(), query, map[string]any{"hub": hub.ID}, &page).RequireNoErrors(t)
	after := page.Expand.PageInfo.EndCursor
	g.Query(t.Context(), query, map[string]any{"hub": hub.ID, "after": after, "filter": map[string]any{}}, nil).RequireNoErrors(t)
	g.Query(t.Context(), query, map[string]any{"hub": hub.ID, "after": after, "filter": map[string]any{"categories": []string{"MANUAL"}}}, nil).AssertCode(t, "BAD_USER_INPUT")
}
