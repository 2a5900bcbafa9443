package dbt_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/ingest/dbt"
)

const oneModel = `{"model.shop.a": {"resource_type": "model", "package_name": "shop", "name": "a", "alias": "a", "schema": "s"}}`

func version(kind, v string) string {
	return `{"metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/` + kind + "/" + v + `.json", "project_name": "shop"}, "nodes": ` + oneModel + `}`
}

func TestFilesThatAreNotWhatTheyShouldBe(t *testing.T) {
	manifest := version("manifest", "v12")
	reader := func(s string) io.Reader { return strings.NewReader(s) }
	with := func(manifest string) dbt.Files { return dbt.Files{Manifest: reader(manifest)} }
	tests := []struct {
		name  string
		files dbt.Files
		field string
		says  string
	}{
		{"no manifest", dbt.Files{}, "manifest", "Give the manifest.json"},
		{"empty", with(""), "manifest", "The file ends in the middle."},
		{"not JSON", with("name: shop"), "manifest", "The file is not the JSON object that dbt writes."},
		{"gzip", with("\x1f\x8b\x08\x00rest"), "manifest", "The file is compressed by gzip: unpack it first. manifest.json is expected here"},
		{"zstd", with("\x28\xb5\x2f\xfdrest"), "manifest", "compressed by zstd"},
		{"zip", with("PK\x03\x04rest"), "manifest", "is a zip archive"},
		{"a byte order mark", with("\xef\xbb\xbf" + manifest), "manifest", "begins with a byte order mark: save it as UTF-8 without one"},
		{"UTF-16", with("\xff\xfe{\x00"), "manifest", "is text in UTF-16: save it as UTF-8"},
		{"UTF-16 without a mark", dbt.Files{Manifest: reader(manifest), Catalog: reader("{\x00}\x00")}, "catalog", "is text in UTF-16"},
		{"a list", with("[]"), "manifest", "The file is not the JSON object"},
		{"truncated", with(`{"nodes": {"model.shop.a": {"name": "a", "depends_on": {"nodes": ["mod`), "manifest", "The file ends in the middle. Copy it again"},
		{"more behind it", with(manifest + "{}"), "manifest", "The file is not the JSON object"},
		{"no artifact of dbt", with(`{"nodes": {}}`), "manifest", "it has no metadata.dbt_schema_version"},
		{"a catalog as manifest", with(version("catalog", "v1")), "manifest", "This is dbt's catalog, and manifest.json is expected here."},
		{"run results as catalog", dbt.Files{Manifest: reader(manifest), Catalog: reader(version("run-results", "v6"))}, "catalog", "This is dbt's run-results, and catalog.json is expected here."},
		{"a manifest as run results", dbt.Files{Manifest: reader(manifest), RunResults: reader(manifest)}, "runResults", "This is dbt's manifest, and run_results.json is expected here."},
		{"too old", with(version("manifest", "v8")), "manifest", "This is a manifest of schema v8, which is not supported. Supported is v9 to v12, as dbt 1.5 and later write it."},
		{"too new", with(version("manifest", "v13")), "manifest", "schema v13"},
		{"a huge version", with(version("manifest", "v99999999999999999999")), "manifest", "which is not supported"},
		{"old results", dbt.Files{Manifest: reader(manifest), RunResults: reader(version("run-results", "v3"))}, "runResults", "Supported is v4 to v6"},
		{"another shape", with(`{"metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json"}, "nodes": {"a": {"depends_on": {"nodes": "b"}}}}`), "manifest", "depends_on.nodes holds a JSON string"},
		{"no nodes", with(strings.Replace(manifest, `"nodes": `+oneModel, `"sources": {}`, 1)), "manifest", "The manifest has no nodes, which dbt always writes."},
		{"null for nodes", with(strings.Replace(manifest, oneModel, `null`, 1)), "manifest", "The manifest has no nodes"},
		{"empty nodes", with(strings.Replace(manifest, oneModel, `{}`, 1)), "manifest", "delete its connections by deleteEdge"},
		{"disabled nodes", with(strings.Replace(manifest, `"name": "a"`, `"config": {"enabled": false}`, 1)), "manifest", "has no models, seeds, snapshots or tests that are enabled"},
		{"nodes that are no lineage", with(strings.Replace(manifest, `"model"`, `"analysis"`, 1)), "manifest", "has no models, seeds, snapshots or tests"},
		{"sources alone", with(strings.Replace(manifest, oneModel, `{}, "sources": {"source.shop.r.t": {"name": "t", "schema": "r"}}`, 1)), "manifest", "has no models, seeds"},
		{"a project name with a home", with(strings.Replace(manifest, `"shop"`, `"shop@asset"`, 1)), "manifest", "project name holds characters that dbt does not allow"},
		{"a project name of two lines", with(strings.Replace(manifest, `"shop"`, `"shop\nfinance"`, 1)), "manifest", "project name holds characters"},
		{"no alias and no name", with(strings.Replace(manifest, `"name": "a", "alias": "a"`, `"name": null, "alias": null`, 1)), "manifest", `"model.shop.a" has neither an alias nor a name`},
		{"no schema", with(strings.Replace(manifest, `"schema": "s"`, `"schema": null, "database": "d"`, 1)), "manifest", `"model.shop.a" stands in no schema, which dbt never writes.`},
		{"a line in an alias", with(strings.Replace(manifest, `"alias": "a"`, `"alias": "a\nb"`, 1)), "manifest", `"model.shop.a" has no visible name for its relation`},
		{"a blank schema", with(strings.Replace(manifest, `"schema": "s"`, `"schema": " "`, 1)), "manifest", "no visible name for its schema"},
		{"a formatting character in a database", with(strings.Replace(manifest, `"schema": "s"`, `"schema": "s", "database": "d\u202e"`, 1)), "manifest", "no visible name for its database"},
		{"a control character in an id", with(strings.Replace(manifest, `"model.shop.a"`, `"model.shop.a\u0007"`, 1)), "manifest", `"model.shop.a\a" has control`},
		{"no project", with(`{"metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v9.json"}}`), "manifest", "does not name its project"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := dbt.Read(t.Context(), tt.files)
			f := fault.Of(err)
			require.NotNil(t, f, "%v", err)
			assert.Equal(t, fault.CodeBadUserInput, f.Code)
			assert.Equal(t, tt.field, f.Field)
			assert.Contains(t, f.Message, tt.says)
		})
	}
}

func TestEverySupportedVersion(t *testing.T) {
	for _, v := range []string{"v9", "v10", "v11", "v12"} {
		set, err := dbt.Read(t.Context(), dbt.Files{Manifest: strings.NewReader(version("manifest", v))})
		require.NoError(t, err)
		assert.Equal(t, "shop", set.Project)
	}
}

func TestTheProjectOfAnOldManifest(t *testing.T) {
	p := newProject()
	delete(p.manifest["metadata"].(object), "project_name")
	p.model("a", nil, object{"package_name": "big"})
	p.model("b", nil, object{"package_name": "big"})
	p.model("c", nil)
	assert.Equal(t, "big", p.read(t).Project, "the package of most nodes")
	p.manifest["metadata"].(object)["project_id"] = "fb54f3c5992b96d001bb16e8e92d968d" // the MD5 sum of shop
	assert.Equal(t, "shop", p.read(t).Project)
}

// endless is JSON that never ends.
type endless struct{ started bool }

func (e *endless) Read(p []byte) (int, error) {
	if !e.started {
		e.started = true
		return copy(p, `{"nodes": {"a": "`), nil
	}
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestFilesAreBounded(t *testing.T) {
	_, err := dbt.Read(t.Context(), dbt.Files{Manifest: &endless{}})
	f := fault.Of(err)
	require.NotNil(t, f)
	assert.Equal(t, fault.CodeLimitExceeded, f.Code)
	assert.Equal(t, 413, f.HTTPStatus())

	many := strings.NewReader(`{"nodes": {` + strings.Repeat(`"a":{},`, 260_000) + `"a":{}}}`)
	_, err = dbt.Read(t.Context(), dbt.Files{Manifest: many})
	assert.Equal(t, fault.CodeLimitExceeded, fault.CodeOf(err))
}

func TestReadingStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := dbt.Read(ctx, dbt.Files{Manifest: strings.NewReader("{}")})
	require.ErrorIs(t, err, context.Canceled)

	broken := errors.New("the wire broke")
	_, err = dbt.Read(t.Context(), dbt.Files{Manifest: iotest.ErrReader(broken)})
	require.ErrorIs(t, err, broken)
	assert.Nil(t, fault.Of(err), "no fault of who asked")
}

func FuzzManifest(f *testing.F) {
	p := newProject()
	raw := p.source("events")
	orders := p.model("orders", []string{raw}, ephemeral(), object{"refs": [][]string{{"shop", "x"}}, "columns": object{"id": object{"name": "id"}}})
	p.test("relationships", p.model("out", []string{orders}), "id", object{"test_metadata": object{"kwargs": object{"to": "ref('orders')"}}})
	p.node("exposure", "board", object{"url": "https://bi.demo.test", "depends_on": object{"nodes": []string{orders}}}, nil)
	f.Add(text(f, p.manifest))
	f.Add([]byte(version("manifest", "v9")))
	f.Add([]byte(`{"metadata": null, "nodes": {"model.a.b": {"resource_type": "model", "tags": {}, "meta": [], "columns": {"a": null, "b": 1}}}}`))
	catalog := []byte(`{"metadata":{"dbt_schema_version":"https://schemas.getdbt.com/dbt/catalog/v1.json"},"nodes":{"model.shop.out":{"columns":{"ID":{"index":1,"type":"int"}}}}}`)
	f.Fuzz(func(t *testing.T, manifest []byte) {
		set, err := dbt.Read(t.Context(), dbt.Files{Manifest: bytes.NewReader(manifest), Catalog: bytes.NewReader(catalog)})
		if err != nil {
			return
		}
		known := map[string]bool{}
		for _, a := range set.Assets {
			assert.NotEmpty(t, a.Name)
			assert.False(t, known[a.Key])
			known[a.Key] = true
		}
		for _, x := range set.Externals {
			known[x.Key] = true
		}
		for _, e := range set.Edges {
			assert.True(t, known[e.Source] && known[e.Target], "%v", e)
		}
		for _, s := range set.Suites {
			assert.True(t, known[s.Asset])
		}
	})
}
