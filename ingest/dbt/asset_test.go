package dbt_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/ingest"
)

func ptr(s string) *string { return &s }

func TestAnAssetIsItsRelation(t *testing.T) {
	p := newProject()
	p.model("orders", nil, object{"alias": "order_facts"})
	p.model("customers_v2", nil, object{"name": "customers", "alias": "customers_v2", "version": 2, "unique_id": "model.shop.customers.v2"})
	p.model("no_database", nil, object{"database": nil})
	p.source("nowhere", object{"database": nil, "schema": nil})
	p.model("quoted", nil, object{"alias": `Order "Lines"`})
	p.source("events", object{"identifier": "EVENTS_2026"})
	p.node("seed", "countries", object{"database": "db", "schema": "ref", "alias": "countries", "path": "countries.csv"}, nil)
	p.node("snapshot", "history", object{"database": "db", "schema": "snap", "alias": "history", "path": "h.sql"}, nil)
	p.model("through", nil, object{"config": object{"materialized": "ephemeral"}})
	p.model("off", nil, object{"config": object{"enabled": false}})
	p.node("analysis", "look", object{"database": "db", "schema": "marts", "alias": "look"}, nil)
	p.node("operation", "hook", object{"database": "db", "schema": "marts", "alias": "hook"}, nil)
	got := p.read(t)
	assert.Equal(t, map[string]string{
		"model.shop.orders":       "db.marts.order_facts",
		"model.shop.customers.v2": "db.marts.customers_v2",
		"model.shop.no_database":  "marts.no_database",
		"source.shop.raw.nowhere": "source.shop.raw.nowhere",
		"model.shop.quoted":       `db.marts.Order "Lines"`,
		"source.shop.raw.events":  "db.raw.EVENTS_2026",
		"seed.shop.countries":     "db.ref.countries",
		"snapshot.shop.history":   "db.snap.history",
	}, names(got))
	assert.Equal(t, ingest.Place{Kind: "POSTGRESQL", Database: "db", Schema: "raw"}, asset(t, got, "source.shop.raw.events").Place)
	assert.Empty(t, got.Warnings)
	assert.Equal(t, []string{"shop", "dbt:shop", "dbt: shop"}, []string{got.Project, got.Speaker, got.SuiteName})
}

func TestWhatAnAssetSays(t *testing.T) {
	p := newProject()
	p.manifest["groups"] = object{"group.shop.sales": object{"name": "sales", "package_name": "shop", "owner": object{"email": "sales@demo.test", "name": "Sales"}}}
	p.model("orders", nil, object{
		"description": " Orders. ", "tags": []string{"Core", "pii", "core"}, "group": "sales", "meta": object{"owner": []string{"data@demo.test", "sales@demo.test"}},
		"columns": object{
			"id":   object{"name": "id", "description": "Key.", "data_type": "bigint"},
			"note": object{"name": "note", "description": ""},
		},
	})
	p.model("view", nil, object{"tags": "one", "meta": object{"owner": object{"name": "Ops"}}, "config": object{"materialized": "materialized_view", "group": nil}})
	p.source("events", object{"source_meta": object{"owner": "events@demo.test"}, "meta": nil})
	got := p.read(t)
	assert.Equal(t, graph.IngestAsset{
		Key: "model.shop.orders", Name: "db.marts.orders", Type: graph.TypeTable, Builds: true, Namespace: ptr("db.marts"), SourceDescription: ptr("Orders."),
		SourceOwners: []string{"data@demo.test", "sales@demo.test"}, Tags: []string{"core", "pii"},
		Columns: []graph.IngestColumn{{Name: "id", Type: ptr("bigint"), Description: ptr("Key.")}, {Name: "note"}},
		SeenAt:  time.Date(2026, 3, 1, 8, 0, 0, 500_000_000, time.UTC),
	}, asset(t, got, "model.shop.orders").IngestAsset)
	view := asset(t, got, "model.shop.view")
	assert.Equal(t, graph.TypeView, view.Type)
	assert.Equal(t, []string{"one"}, view.Tags)
	assert.Equal(t, []string{"Ops"}, view.SourceOwners)
	assert.Nil(t, view.SourceDescription)
	events := asset(t, got, "source.shop.raw.events")
	assert.False(t, events.Builds)
	assert.Equal(t, []string{"events@demo.test"}, events.SourceOwners)
}

func TestTheCatalogGivesColumnsAndTypes(t *testing.T) {
	p := newProject()
	documented := func(names ...string) object {
		columns := object{}
		for _, n := range names {
			columns[n] = object{"name": n, "description": "About " + n + "."}
		}
		return object{"columns": columns}
	}
	orders := p.model("orders", nil, documented("id", "status", "gone"))
	twins := p.model("twins", nil, documented("Id", "name"))
	p.seen(orders, "VIEW", "STATUS", "ID", "EXTRA")
	p.seen(twins, "BASE TABLE", "id", "ID", "NAME")
	p.seen("model.shop.unknown", "VIEW", "x")
	got := p.read(t)
	a := asset(t, got, orders)
	assert.Equal(t, graph.TypeView, a.Type, "as the warehouse has it")
	assert.True(t, a.Observed)
	assert.Equal(t, []graph.IngestColumn{
		{Name: "STATUS", Type: ptr("text"), Description: ptr("About status.")}, {Name: "ID", Type: ptr("text"), Description: ptr("About id.")},
		{Name: "EXTRA", Type: ptr("text")},
	}, a.Columns, "in the warehouse's order and spelling")
	assert.Equal(t, time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), a.SeenAt)
	assert.Equal(t, []graph.IngestColumn{
		{Name: "id", Type: ptr("text")}, {Name: "ID", Type: ptr("text")}, {Name: "NAME", Type: ptr("text"), Description: ptr("About name.")},
	}, asset(t, got, twins).Columns, "Id could be either")
	assert.Equal(t, []string{
		"model.shop.orders documents a column gone that the catalog does not show: it was left out",
		"model.shop.twins documents a column Id that the catalog does not show: it was left out",
	}, got.Warnings)
}

func TestASourceStubYieldsToTheModelBehindIt(t *testing.T) {
	p := newProject()
	orders := p.model("orders", nil, object{"description": "The model."})
	p.source("stub", object{"schema": "marts", "identifier": "orders", "description": "The stub."})
	p.model("later", []string{"source.shop.raw.stub"})
	got := p.read(t)
	assert.Len(t, got.Assets, 2)
	a := asset(t, got, orders)
	assert.True(t, a.Builds)
	assert.Equal(t, ptr("The model."), a.SourceDescription)
	assert.Equal(t, []string{"model.shop.orders > model.shop.later"}, edges(got))
}

func TestModelsOfAnotherProjectAreStubs(t *testing.T) {
	p := newProject()
	upstream := p.model("upstream", []string{"model.shop.older"}, object{"package_name": "platform", "path": "", "original_file_path": ""})
	p.model("older", nil, object{"package_name": "platform", "path": "", "original_file_path": ""})
	packaged := p.model("packaged", []string{upstream}, object{"package_name": "a_package"})
	got := p.read(t)
	assert.False(t, asset(t, got, upstream).Builds)
	assert.True(t, asset(t, got, packaged).Builds, "a package is built here")
	assert.Equal(t, []string{"model.shop.upstream > model.shop.packaged"}, edges(got), "its own parents are its project's to state")
}

func TestTwoModelsOfOneRelation(t *testing.T) {
	p := newProject()
	p.model("a", nil, object{"alias": "same"})
	p.model("b", nil, object{"alias": "same"})
	got := p.read(t)
	assert.Equal(t, map[string]string{"model.shop.a": "db.marts.same"}, names(got))
	assert.Equal(t, []string{"model.shop.a and model.shop.b build the same relation db.marts.same: the first was taken for it"}, got.Warnings)
}
