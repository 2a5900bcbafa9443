package examples_test

import (
	"slices"
	"strings"
	"testing"
)

func TestResultsBelongToTheManifest(t *testing.T) {
	for name, d := range estate(t) {
		if got, want := d.results.Metadata.InvocationID, d.manifest.Metadata.InvocationID; got != want {
			t.Errorf("%s: results of invocation %s beside a manifest of %s", name, got, want)
		}
	}
}

// The estate is unwell on purpose, and in these places only.
func TestWhichTestsDoNotPass(t *testing.T) {
	tests := []struct {
		project, status string
		want            []string
	}{
		{"shop", "warn", []string{
			"accepted_values_stg_orders_status__placed__shipped__delivered__returned__cancelled",
			"assert_one_charge_per_order",
			"not_null_customer_lifetime_value_v2_email",
			"not_null_stg_customers_email",
		}},
		{"shop", "fail", []string{
			"delivery_not_before_hand_over",
			"relationships_fct_order_lines_product_id__product_id__ref_dim_products_",
		}},
		{"shop", "error", []string{"assert_conversion_rate_is_a_share"}},
		{"shop", "skipped", []string{
			"non_negative_category_sales_units_sold",
			"not_null_category_sales_category_code",
			"not_null_category_sales_sales_month",
		}},
		{"finance", "warn", []string{
			"assert_variance_within_tolerance",
			"every_line_has_a_cost",
			"source_not_null_shop_fct_orders_paid_at",
		}},
		{"finance", "fail", []string{
			"non_negative_receivables_open_amount",
			"source_no_missing_days_shop_daily_sales_order_date",
		}},
		{"finance", "error", nil},
		{"finance", "skipped", []string{
			"not_null_settlement_check_order_date",
			"settlement_agrees_to_the_cent",
			"unique_settlement_check_order_date",
		}},
	}
	projects := estate(t)
	for _, tt := range tests {
		if got := projects[tt.project].resultsOf(tt.status); !slices.Equal(got, tt.want) {
			t.Errorf("%s: tests with status %s:\n got %v\nwant %v", tt.project, tt.status, got, tt.want)
		}
	}
}

func TestTestCounts(t *testing.T) {
	projects := estate(t)
	for name, want := range map[string]int{"shop": 116, "finance": 59} {
		d := projects[name]
		total := 0
		for _, status := range []string{"pass", "warn", "fail", "error", "skipped"} {
			total += len(d.resultsOf(status))
		}
		if total != want {
			t.Errorf("%s has %d test results, README.md says %d", name, total, want)
		}
		if passed := len(d.resultsOf("pass")); passed*10 < total*8 {
			t.Errorf("%s: %d of %d tests pass, want most", name, passed, total)
		}
	}
}

func TestBothSeveritiesFail(t *testing.T) {
	severity := map[string]string{"warn": "WARN", "fail": "ERROR"}
	for name, d := range estate(t) {
		found := make(map[string]bool)
		for _, r := range d.results.Results {
			if n := d.manifest.Nodes[r.UniqueID]; severity[r.Status] != "" && r.Failures > 0 {
				found[r.Status] = found[r.Status] || strings.EqualFold(n.Config.Severity, severity[r.Status])
			}
		}
		if !found["warn"] || !found["fail"] {
			t.Errorf("%s: failing tests by severity: %v, want both", name, found)
		}
	}
}

func TestFinanceTestsTheShopsMarts(t *testing.T) {
	projects := estate(t)
	shop, finance := projects["shop"], projects["finance"].manifest
	marts := make(map[string]bool)
	for _, n := range shop.relations() {
		marts[n.RelationName] = n.Schema == "marts"
	}
	tested := make(map[string]bool)
	for _, n := range finance.Nodes {
		for _, id := range n.DependsOn.Nodes {
			if source, ok := finance.Sources[id]; ok && n.ResourceType == "test" {
				tested[source.RelationName] = true
			}
		}
	}
	for relation := range tested {
		if !marts[relation] {
			t.Errorf("finance tests %s, which is no mart of the shop", relation)
		}
	}
	if len(tested) != len(finance.Sources) {
		t.Errorf("finance tests %d of its %d sources", len(tested), len(finance.Sources))
	}
}
