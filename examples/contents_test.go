package examples_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/strata-gateway/strata/examples"
)

func TestProjectsLoadShopFirst(t *testing.T) {
	projects := examples.Projects()
	if len(projects) != 2 || projects[0].Name != "shop" || projects[1].Name != "finance" {
		t.Fatalf("got %d projects, want shop and then finance", len(projects))
	}
	for _, p := range projects {
		var m manifest
		decode(t, p.Manifest, &m)
		if m.Metadata.ProjectName != p.Name {
			t.Errorf("project %s carries the manifest of %s", p.Name, m.Metadata.ProjectName)
		}
		if prefix := `"` + p.Datasource.Database + `".`; !everyOwnRelationStartsWith(m, prefix) {
			t.Errorf("project %s has relations outside of the database %s", p.Name, p.Datasource.Database)
		}
	}
}

func everyOwnRelationStartsWith(m manifest, prefix string) bool {
	for _, n := range m.Nodes {
		if n.RelationName != "" && !strings.HasPrefix(n.RelationName, prefix) {
			return false
		}
	}
	return true
}

func TestRelationCounts(t *testing.T) {
	projects := estate(t)
	for name, want := range map[string]int{"shop": 33, "finance": 12} {
		if got := len(projects[name].relations()); got != want {
			t.Errorf("%s has %d relations, README.md says %d", name, got, want)
		}
	}
}

func TestEveryRelationIsCataloguedAndDescribed(t *testing.T) {
	for project, d := range estate(t) {
		for id, n := range d.relations() {
			table, ok := d.catalog.Nodes[id]
			if !ok {
				table, ok = d.catalog.Sources[id]
			}
			if !ok || len(table.Columns) == 0 {
				t.Errorf("%s: %s is not in the catalog", project, id)
			}
			if n.Description == "" {
				t.Errorf("%s: %s has no description", project, id)
			}
			if n.ResourceType == "snapshot" {
				continue // dbt adds columns of its own
			}
			for column := range table.Columns {
				if n.Columns[column].Description == "" {
					t.Errorf("%s: column %q of %s has no description", project, column, id)
				}
			}
		}
	}
}

func TestKindsOfNode(t *testing.T) {
	projects := estate(t)
	shop, finance := projects["shop"].manifest, projects["finance"].manifest
	if n := shop.Nodes["model.shop.int_payments"]; n.Config.Materialized != "ephemeral" || n.RelationName != "" {
		t.Errorf("int_payments is %q with relation %q, want ephemeral and none", n.Config.Materialized, n.RelationName)
	}
	if n := shop.Nodes["snapshot.shop.products_history"]; n.RelationName == "" {
		t.Error("the snapshot products_history has no relation")
	}
	if n := shop.Nodes["model.shop.category_sales"]; n.RelationName != `"shop"."marts"."sales_by_category"` {
		t.Errorf("category_sales has relation %s, want its alias", n.RelationName)
	}
	for _, id := range []string{"model.shop.customer_lifetime_value.v1", "model.shop.customer_lifetime_value.v2"} {
		if n := shop.Nodes[id]; n.Version == nil {
			t.Errorf("%s has no version", id)
		}
	}
	if len(shop.Disabled["model.shop.orders_wide"]) != 1 {
		t.Error("orders_wide is not listed as disabled")
	}
	if _, ok := shop.Nodes["model.shop.delivery_performance"].Columns["On time %"]; !ok {
		t.Error("delivery_performance lost its quoted column")
	}
	if len(shop.Exposures) != 2 || len(finance.Exposures) != 1 {
		t.Errorf("%d and %d exposures, want 2 and 1", len(shop.Exposures), len(finance.Exposures))
	}
}

func TestEmailColumnsArePersonal(t *testing.T) {
	found := 0
	for _, d := range estate(t) {
		for id, n := range d.relations() {
			if column, ok := n.Columns["email"]; ok {
				found++
				if !slices.Contains(column.Tags, "pii") {
					t.Errorf("the e-mail column of %s is not tagged pii", id)
				}
			}
		}
	}
	if found < 4 {
		t.Errorf("%d relations have an e-mail column, want at least 4", found)
	}
}

func TestOwnersAreRoles(t *testing.T) {
	role := regexp.MustCompile(`^[a-z-]+@demo\.test$`)
	for project, d := range estate(t) {
		for id, n := range d.manifest.Nodes {
			if n.ResourceType != "test" && n.ResourceType != "snapshot" && d.manifest.Groups["group."+project+"."+n.Group].Owner.Email == "" {
				t.Errorf("%s belongs to no group with an owner", id)
			}
		}
		for id, owned := range d.manifest.Exposures {
			if !role.MatchString(owned.Owner.Email) {
				t.Errorf("%s is owned by %q", id, owned.Owner.Email)
			}
		}
	}
}

func TestArtifactsNameNoMachine(t *testing.T) {
	path := regexp.MustCompile(`.{0,40}/(tmp|home|root|work|Users|var)/.{0,40}`)
	for _, p := range examples.Projects() {
		for file, content := range map[string][]byte{"manifest": p.Manifest, "catalog": p.Catalog, "run_results": p.RunResults} {
			if found := path.Find(content); found != nil {
				t.Errorf("%s/%s.json holds a path of a machine: %s", p.Name, file, found)
			}
		}
	}
}
