package dbt_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/ingest"
)

// suites are the names of the checks by asset.
func suites(s ingest.ChangeSet) map[string][]string {
	out := map[string][]string{}
	for _, x := range s.Suites {
		for _, c := range x.Checks {
			out[x.Asset] = append(out[x.Asset], c.Key)
		}
	}
	return out
}

func TestATestBelongsToOneRelation(t *testing.T) {
	template := func(name, model, to string) object {
		kwargs := object{"model": model}
		if to != "" {
			kwargs["to"] = to
		}
		return object{"attached_node": nil, "test_metadata": object{"name": name, "kwargs": kwargs}}
	}
	p := newProject()
	orders, customers, raw := p.model("orders", nil), p.model("customers", nil), p.source("events")
	v1 := p.model("m1", nil, object{"name": "m", "version": 1, "unique_id": "model.shop.m.v1"})
	v2 := p.model("m2", nil, object{"name": "m", "version": 2, "unique_id": "model.shop.m.v2"})
	through := p.model("through", []string{orders}, ephemeral())
	test := func(name string, parents []string, changes ...object) {
		p.node("test", name, object{"depends_on": object{"nodes": parents}}, changes)
	}
	test("a_attached", []string{customers, orders}, object{"attached_node": orders, "test_metadata": object{"name": "relationships", "kwargs": object{"to": "ref('customers')"}}})
	test("b_template", []string{customers, orders}, template("relationships", "{{ get_where_subquery(ref('orders')) }}", "ref('customers')"))
	test("c_package", []string{customers, orders}, template("relationships", `{{ get_where_subquery(ref("shop", "orders")) }}`, `ref("customers")`))
	test("d_source", []string{customers, raw}, template("relationships", "{{ get_where_subquery(source('raw', 'events')) }}", "ref('customers')"))
	test("e_file_key", []string{customers, orders}, template("equal", "", ""), object{"file_key_name": "models.orders"})
	test("f_not_to", []string{customers, orders}, template("relationships", "", "ref('customers')"))
	test("g_itself", []string{orders}, template("relationships", "", "ref('orders')"))
	test("h_versions", []string{v1, v2}, template("not_null", "", ""), object{"attached_node": v2})
	test("i_singular", []string{through, customers, orders})
	test("j_ephemeral", []string{through}, object{"attached_node": through})
	test("k_alone", nil)
	test("l_off", []string{orders}, object{"config": object{"enabled": false}})
	got := p.read(t)
	assert.Equal(t, map[string][]string{
		orders:    {"test.shop.a_attached", "test.shop.b_template", "test.shop.c_package", "test.shop.e_file_key", "test.shop.f_not_to", "test.shop.g_itself"},
		raw:       {"test.shop.d_source"},
		v2:        {"test.shop.h_versions"},
		customers: {"test.shop.i_singular"},
	}, suites(got))
	assert.Equal(t, []string{
		"test.shop.j_ephemeral tests no relation that the manifest holds: it was left out",
		"test.shop.k_alone tests no relation that the manifest holds: it was left out",
	}, got.Warnings)
	assert.Empty(t, got.Edges, "tests make no edges")
}

func TestWhatACheckSays(t *testing.T) {
	p := newProject()
	orders := p.model("orders", nil)
	p.seen(orders, "BASE TABLE", "ORDER_ID", "On time %")
	p.test("not_null", orders, "order_id", object{"config": object{"severity": "warn", "warn_if": ">10", "error_if": "!= 0", "where": "x > 1", "limit": 5, "fail_calc": "count(*)"}})
	p.test("in_range", orders, "pct", object{
		"column_name": `"On time %"`, "test_metadata": object{"namespace": "dbt_utils", "kwargs": object{"min": 0, "max": nil, "column_name": "x", "model": "y"}},
	})
	p.test("expression", orders, "", object{"column_name": nil, "test_metadata": object{"kwargs": object{"column_name": "a || b"}}})
	p.node("test", "assert_total", object{"depends_on": object{"nodes": []string{orders}}, "config": object{"severity": "ERROR"}}, nil)
	p.test("huge", orders, "z", object{"test_metadata": object{"kwargs": object{"values": strings.Repeat("v", 9000)}}})
	got := p.read(t)
	require.Len(t, got.Suites, 1)
	checks := map[string]graph.NewCheck{}
	for _, c := range got.Suites[0].Checks {
		checks[c.Name] = c.NewCheck
	}
	assert.Equal(t, map[string]graph.NewCheck{
		"not_null_orders_order_id": {
			Name: "not_null_orders_order_id", Expectation: "not_null", Column: ptr("ORDER_ID"), Severity: graph.SeverityWarning, Dimension: "COMPLETENESS",
			Config: map[string]any{"warn_if": ">10", "where": "x > 1", "limit": "5"},
		},
		"in_range_orders_pct": {
			Name: "in_range_orders_pct", Expectation: "dbt_utils.in_range", Column: ptr("On time %"), Severity: graph.SeverityCritical, Dimension: "VALIDITY",
			Config: map[string]any{"min": 0.0},
		},
		"expression_orders_": {Name: "expression_orders_", Expectation: "expression", Column: ptr("a || b"), Severity: graph.SeverityCritical, Dimension: "ACCURACY"},
		"assert_total":       {Name: "assert_total", Expectation: "assert_total", Severity: graph.SeverityCritical, Dimension: "ACCURACY"},
		"huge_orders_z":      {Name: "huge_orders_z", Expectation: "huge", Column: ptr("z"), Severity: graph.SeverityCritical, Dimension: "ACCURACY"},
	}, checks)
	assert.Equal(t, []string{"the settings of test.shop.huge_orders_z have more than 8192 bytes: they were left out"}, got.Warnings)
}

func TestDimensions(t *testing.T) {
	for template, want := range map[string]graph.Dimension{
		"not_null": "COMPLETENESS", "unique": "UNIQUENESS", "accepted_values": "VALIDITY", "relationships": "CONSISTENCY",
		"unique_combination_of_columns": "UNIQUENESS", "not_null_proportion": "COMPLETENESS", "at_least_one": "COMPLETENESS", "recency": "TIMELINESS",
		"cardinality_equality": "CONSISTENCY", "expect_column_values_to_be_between": "VALIDITY", "no_missing_days": "COMPLETENESS", "whatever": "ACCURACY",
		"totals_agree": "CONSISTENCY", "": "ACCURACY",
	} {
		p := newProject()
		p.test(template, p.model("orders", nil), "c", object{"name": "x", "unique_id": "test.shop.x"})
		assert.Equal(t, want, p.read(t).Suites[0].Checks[0].Dimension, template)
	}
}

func TestResultsBecomeRuns(t *testing.T) {
	p := newProject()
	orders, customers, raw, idle := p.model("orders", nil), p.model("customers", nil), p.source("events"), p.model("idle", nil)
	on := func(asset, column, status, minute string, changes ...object) string {
		id := p.test("not_null", asset, column)
		p.result(id, status, minute, changes...)
		return id
	}
	three := 3
	warned := on(orders, "a", "warn", "05", object{"failures": 3, "message": "Got 3 results"})
	passed := on(orders, "b", "pass", "04", object{"failures": 0})
	on(orders, "c", "skipped", "09")
	on(customers, "a", "pass", "01")
	on(raw, "a", "fail", "02")
	errored := on(raw, "b", "runtime error", "03", object{"message": "no such table"})
	on(idle, "a", "skipped", "01")
	p.result("test.shop.gone", "fail", "01")
	p.result("model.shop.orders", "error", "01")
	got := p.read(t)
	runs := map[string][]graph.IngestRun{}
	for _, s := range got.Suites {
		runs[s.Asset] = s.Runs
	}
	clock := func(minute, second, ms int) *time.Time {
		at := time.Date(2026, 3, 1, 10, minute, second, ms*1_000_000, time.UTC)
		return &at
	}
	zero := 0
	assert.Equal(t, []graph.IngestRun{{
		RunID: "run-1", State: graph.RunFailed, StartedAt: clock(4, 0, 250), FinishedAt: clock(5, 1, 750),
		Results: []graph.ReportedResult{
			{CheckID: warned, Status: graph.CheckFailed, Severity: graph.SeverityWarning, FailingCount: &three, Observed: map[string]any{"message": "Got 3 results"}},
			{CheckID: passed, Status: graph.CheckPassed, FailingCount: &zero},
		},
	}}, runs[orders])
	require.Len(t, runs[customers], 1)
	assert.Equal(t, graph.RunSucceeded, runs[customers][0].State)
	require.Len(t, runs[raw], 1)
	assert.Equal(t, graph.RunErrored, runs[raw][0].State)
	assert.Equal(t, graph.SeverityCritical, runs[raw][0].Results[0].Severity)
	assert.Equal(t, graph.ReportedResult{CheckID: errored, Status: graph.CheckErrored, Observed: map[string]any{"message": "no such table"}}, runs[raw][0].Results[1])
	assert.Empty(t, runs[idle], "nothing ran")
	assert.Equal(t, []string{"1 results are of tests that the manifest does not hold: they were left out"}, got.Warnings)
}

func TestResultsWithoutTimes(t *testing.T) {
	p := newProject()
	id := p.test("not_null", p.model("orders", nil), "a")
	p.result(id, "pass", "01", object{"timing": []any{}})
	run := p.read(t).Suites[0].Runs[0]
	assert.Nil(t, run.StartedAt)
	assert.Equal(t, time.Date(2026, 3, 1, 11, 0, 0, 0, time.UTC), *run.FinishedAt, "the file's own time")
}
