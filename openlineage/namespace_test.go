package openlineage_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/openlineage"
)

func TestNamespacesMeanDatasources(t *testing.T) {
	at := func(kind graph.DatasourceKind, host string, stated ...string) *graph.Datasource {
		d := &graph.Datasource{Kind: kind, Namespaces: stated}
		if host != "" {
			d.Host = &host
		}
		return d
	}
	for _, c := range []struct {
		namespace string
		d         *graph.Datasource
		want      bool
	}{
		{"postgres://db.example.test:5432", at("POSTGRESQL", "db.example.test"), true},
		{"postgresql://DB.example.test", at("POSTGRESQL", "db.example.test:5432"), true},
		{"postgres://db.example.test:5433", at("POSTGRESQL", "db.example.test"), false},
		{"postgres://db.example.test:5433", at("POSTGRESQL", "db.example.test:5433"), true},
		{"mysql://db.example.test", at("POSTGRESQL", "db.example.test"), false},
		{"snowflake://org-account", at("SNOWFLAKE", "ORG-ACCOUNT"), true},
		{"bigquery", at("BIGQUERY", ""), true},
		{"s3a://lake", at("S3", "lake"), true},
		{"s3n://lake/", at("OTHER", "", "s3://lake"), true},
		{"s3://lake/raw", at("S3", "lake"), false},
		{"duckdb:///data/shop.db", at("DUCKDB", "/data/shop.db"), true},
		{"warehouse", at("OTHER", "", "warehouse"), true},
		{"Warehouse", at("OTHER", "", "warehouse"), true},
		{"warehouse", at("OTHER", "warehouse"), false},
		{"", at("OTHER", ""), false},
		{"postgres://", at("POSTGRESQL", ""), true},
		{"file", at("FILE", ""), true},
		{"postgres://[::1]:5432", at("POSTGRESQL", "[::1]"), true},
	} {
		assert.Equal(t, c.want, openlineage.Means(c.namespace, c.d), "%s and %s", c.namespace, c.d.Kind)
	}
}

func TestSpellingsFoldByKind(t *testing.T) {
	for kind, want := range map[graph.DatasourceKind][]string{
		"SNOWFLAKE": {"Shop.main.Orders", "SHOP.MAIN.ORDERS"}, "POSTGRESQL": {"Shop.main.Orders", "shop.main.orders"},
		"BIGQUERY": {"Shop.main.Orders"}, "OTHER": {"Shop.main.Orders"},
	} {
		assert.Equal(t, want, openlineage.Spellings("Shop.main.Orders", kind))
	}
	assert.Equal(t, []string{"/raw/orders/", "/raw/orders", "raw/orders"}, openlineage.Spellings("/raw/orders/", "S3"))
	assert.Equal(t, []string{"orders"}, openlineage.Spellings("orders", "POSTGRESQL"))
	assert.Empty(t, openlineage.Spellings("", "SNOWFLAKE"))
}
