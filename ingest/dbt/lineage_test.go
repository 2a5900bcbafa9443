package dbt_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/strata-gateway/strata/graph"
)

func ephemeral() object { return object{"config": object{"materialized": "ephemeral"}} }

func TestEdgesPassThroughWhatIsNoRelation(t *testing.T) {
	p := newProject()
	raw := p.source("events")
	one := p.model("one", []string{raw}, ephemeral())
	two := p.model("two", []string{one, raw}, ephemeral())
	p.model("out", []string{two, one})
	assert.Equal(t, []string{"source.shop.raw.events > model.shop.out"}, edges(p.read(t)))
}

func TestEphemeralCyclesEnd(t *testing.T) {
	p := newProject()
	raw := p.source("events")
	one := p.model("one", []string{"model.shop.two", raw}, ephemeral())
	p.model("two", []string{one}, ephemeral())
	p.model("out", []string{one})
	assert.Equal(t, []string{"source.shop.raw.events > model.shop.out"}, edges(p.read(t)))
}

func TestModelCyclesAreKept(t *testing.T) {
	p := newProject()
	p.model("a", []string{"model.shop.b", "model.shop.a"})
	p.model("b", []string{"model.shop.a", "model.shop.a"})
	assert.Equal(t, []string{"model.shop.b > model.shop.a", "model.shop.a > model.shop.a", "model.shop.a > model.shop.b"}, edges(p.read(t)))
}

func TestDirectParentsOfAClosure(t *testing.T) {
	p := newProject()
	raw := p.source("events")
	stage := p.model("stage", []string{raw}, object{"sources": [][]string{{"raw", "events"}}})
	hinted := p.model("hinted", nil)
	p.model("mart", []string{stage, raw, hinted}, object{"refs": []object{{"name": "stage", "package": nil, "version": nil}}})
	p.model("old_refs", []string{stage, raw}, object{"refs": [][]string{{"shop", "stage"}}, "sources": [][]string{{"raw", "events"}}})
	p.model("silent", []string{stage, raw})
	assert.Equal(t, []string{
		"model.shop.stage > model.shop.mart", "model.shop.hinted > model.shop.mart", // raw.events is behind stage
		"model.shop.stage > model.shop.old_refs", "source.shop.raw.events > model.shop.old_refs", // both are named
		"model.shop.stage > model.shop.silent", "source.shop.raw.events > model.shop.silent", // no code to go by
		"source.shop.raw.events > model.shop.stage",
	}, edges(p.read(t)))
}

func TestVersionsAreNamedApart(t *testing.T) {
	p := newProject()
	v1 := p.model("m1", nil, object{"name": "m", "version": 1, "unique_id": "model.shop.m.v1"})
	v2 := p.model("m2", []string{v1}, object{"name": "m", "version": 2, "unique_id": "model.shop.m.v2"})
	p.model("out", []string{v2, v1}, object{"refs": []object{{"name": "m", "version": 2}}})
	assert.Equal(t, []string{"model.shop.m.v1 > model.shop.m.v2", "model.shop.m.v2 > model.shop.out"}, edges(p.read(t)))
}

func TestMissingParentsAreReported(t *testing.T) {
	p := newProject()
	p.manifest["disabled"] = object{"model.shop.off": []any{object{"unique_id": "model.shop.off"}}}
	p.model("a", []string{"model.shop.gone", "model.shop.off"})
	p.model("b", []string{"model.shop.gone"})
	got := p.read(t)
	assert.Empty(t, got.Edges)
	assert.Equal(t, []string{
		"model.shop.a names model.shop.gone, which the manifest does not hold: that connection was left out",
		"model.shop.a names model.shop.off, which is disabled: that connection was left out",
	}, got.Warnings)
}

func TestExposuresConsume(t *testing.T) {
	p := newProject()
	orders := p.model("orders", nil)
	semantic := p.node("semantic_model", "orders_sm", object{"depends_on": object{"nodes": []string{orders}}}, nil)
	metric := p.node("metric", "revenue", object{"depends_on": object{"nodes": []string{semantic}}}, nil)
	query := p.node("saved_query", "q", object{"depends_on": object{"nodes": []string{metric}}}, nil)
	exposure := func(name, url string, parents []string, changes ...object) string {
		return p.node("exposure", name, object{"url": url, "depends_on": object{"nodes": parents}}, changes)
	}
	exposure("board", "https://bi.demo.test/1?a=b", []string{orders, metric})
	exposure("saved", "javascript:alert(1)", []string{query})
	exposure("private", "https://user:secret@bi.demo.test/", []string{orders})
	exposure("alone", "https://bi.demo.test/", nil)
	exposure("off", "", []string{orders}, object{"config": object{"enabled": false}})
	exposure("packaged", "", []string{orders}, object{"package_name": "pack"})
	got := p.read(t)
	assert.Equal(t, []graph.IngestExternal{
		{Key: "exposure.shop.board", System: "dbt", Model: "shop.board", URL: ptr("https://bi.demo.test/1?a=b")},
		{Key: "exposure.shop.packaged", System: "dbt", Model: "shop.pack.packaged"},
		{Key: "exposure.shop.private", System: "dbt", Model: "shop.private", URL: ptr("https://bi.demo.test/")},
		{Key: "exposure.shop.saved", System: "dbt", Model: "shop.saved"},
	}, got.Externals)
	assert.Equal(t, []string{
		"model.shop.orders > exposure.shop.board", "model.shop.orders > exposure.shop.packaged",
		"model.shop.orders > exposure.shop.private", "model.shop.orders > exposure.shop.saved",
	}, edges(got))
}

func TestFunctionsPassThrough(t *testing.T) {
	p := newProject()
	orders := p.model("orders", nil)
	udf := p.node("function", "udf", object{"depends_on": object{"nodes": []string{orders}}}, nil)
	p.model("out", []string{udf})
	assert.Equal(t, []string{"model.shop.orders > model.shop.out"}, edges(p.read(t)))
}
