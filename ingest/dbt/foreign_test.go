package dbt_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWhatAnotherProjectStatesIsNamed(t *testing.T) {
	p := newProject()
	injected := func(name string) object {
		return object{"package_name": "upstream", "unique_id": "model.upstream." + name, "path": "", "original_file_path": ""}
	}
	raw := p.model("raw_orders", nil, injected("raw_orders"))
	staged := p.model("stg_orders", []string{raw}, injected("stg_orders"))
	p.model("both", []string{raw, staged}, injected("both"))
	p.model("orders", []string{staged})
	got := p.read(t)
	assert.Equal(t, []string{"model.upstream.stg_orders > model.shop.orders"}, edges(got))
	assert.Equal(t, []string{
		"3 connections into relations that the project upstream builds were left out: they are for that project to state, so ingest its manifest too",
	}, got.Warnings)
}
