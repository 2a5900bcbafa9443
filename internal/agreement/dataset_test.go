package agreement

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
)

func TestADatasetIsFoundByItsOpenLineageName(t *testing.T) {
	w := testkit.NewWorld(t)
	admin, viewer := w.Member(graph.RoleAdmin), w.Restricted()
	g := testkit.NewGateway(t, w)
	made := g.As(admin.Email)
	// Two datasources stand for one host; the first by name has the exact name in another case only.
	ids := map[string]string{}
	for _, d := range []struct{ name, kind, rest, asset string }{
		{"a", "POSTGRESQL", `, host: "db.example.test"`, "shop.main.orders"},
		{"b", "POSTGRESQL", `, host: "db.example.test"`, "Shop.Main.Orders"},
		{"c", "SNOWFLAKE", `, namespaces: ["warehouse"]`, "SHOP.MAIN.ORDERS"},
		{"d", "S3", `, host: "lake"`, "raw/orders"},
	} {
		var out struct {
			CreateDatasource struct{ Datasource struct{ ID string } }
		}
		made.Query(t.Context(), fmt.Sprintf(`mutation { createDatasource(input: {name: %q, kind: %s%s}) { datasource { id } } }`, d.name, d.kind, d.rest), nil, &out).RequireNoErrors(t)
		ids[d.name] = w.Asset(admin, &graph.Datasource{ID: out.CreateDatasource.Datasource.ID}, d.asset).ID
	}
	made.Query(t.Context(), fmt.Sprintf(`mutation { addUpstream(input: {asset: %q, upstreamExternal: {system: "kafka://broker:9092", model: "orders"}}) { edge { id } } }`, ids["a"]), nil, nil).RequireNoErrors(t)
	find := func(c *testkit.Client, namespace, name string) string {
		var out struct{ Dataset *struct{ ID string } }
		c.Query(t.Context(), `query($n: String!, $m: String!) { dataset(namespace: $n, name: $m) { id } }`, map[string]any{"n": namespace, "m": name}, &out).RequireNoErrors(t)
		if out.Dataset == nil {
			return ""
		}
		return out.Dataset.ID
	}
	const postgres = "postgres://db.example.test:5432"
	for _, c := range []struct{ namespace, name, want string }{
		{postgres, "shop.main.orders", ids["a"]}, {postgres, "Shop.Main.Orders", ids["b"]}, {postgres, "SHOP.main.orders", ids["a"]},
		{"warehouse", "shop.main.orders", ids["c"]}, {"s3a://lake", "/raw/orders/", ids["d"]}, {"s3://other", "raw/orders", ""},
		{"kafka://broker:9092", "orders", "ext:kafka%3A//broker%3A9092:orders"}, {"kafka://broker:9092", "Orders", ""}, {postgres, "nothing", ""},
	} {
		assert.Equal(t, c.want, find(made, c.namespace, c.name), "%s %s", c.namespace, c.name)
	}
	made.Query(t.Context(), fmt.Sprintf(`mutation { addEdge(input: {source: {asset: %q}, target: {external: {system: "mysql://me:hunter2@reports:3306?password=hunter2", model: "kpi"}}}) { edge { id } } }`, ids["b"]), nil, nil).RequireNoErrors(t)
	assert.Equal(t, "ext:mysql%3A//reports%3A3306:kpi", find(made, "mysql://me:hunter2@reports:3306", "kpi"), "by the name that its producer uses")
	w.Restrict(ids["a"])
	assert.Empty(t, find(g.As(viewer.Email), postgres, "shop.main.orders"), "hidden: as if it were not there")
	assert.Empty(t, find(g.As(viewer.Email), "kafka://broker:9092", "orders"), "so is what only it touches")
	assert.Equal(t, ids["b"], find(g.As(viewer.Email), postgres, "Shop.Main.Orders"))
	assert.Equal(t, ids["a"], find(made, postgres, "shop.main.orders"))
	for _, bad := range []string{`namespace: "", name: "x"`, `namespace: "x", name: ""`, `namespace: "a\nb", name: "x"`} {
		made.Query(t.Context(), `{ dataset(`+bad+`) { id } }`, nil, nil).AssertCode(t, "BAD_USER_INPUT")
	}
}
