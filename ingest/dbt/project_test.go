package dbt_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/ingest"
	"github.com/strata-gateway/strata/ingest/dbt"
)

type object = map[string]any

// project writes the artifacts of a made-up project called shop.
type project struct {
	manifest, catalog object
	results           []any
}

func newProject() *project {
	return &project{
		manifest: object{
			"metadata": object{
				"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json", "generated_at": "2026-03-01T08:00:00.5Z",
				"adapter_type": "postgres", "project_name": "shop",
			},
			"nodes": object{}, "sources": object{}, "exposures": object{}, "metrics": object{}, "semantic_models": object{},
			"saved_queries": object{}, "functions": object{}, "groups": object{}, "disabled": object{},
			"macros": object{"macro.dbt.run": object{"macro_sql": strings.Repeat("x", 1000)}}, "a_newer_section": []any{1, object{"a": nil}},
		},
		catalog: object{
			"metadata": object{"dbt_schema_version": "https://schemas.getdbt.com/dbt/catalog/v1.json", "generated_at": "2026-03-01T09:00:00Z"},
			"nodes":    object{}, "sources": object{}, "errors": nil,
		},
	}
}

// set changes members of a node: a nested object is merged, anything else replaced.
func set(n, changes object) object {
	for k, v := range changes {
		inner, isObject := v.(object)
		if before, ok := n[k].(object); ok && isObject {
			set(before, inner)
		} else {
			n[k] = v
		}
	}
	return n
}

func merged(changes []object) object {
	all := object{}
	for _, c := range changes {
		set(all, c)
	}
	return all
}

// model adds a model that is built in the schema marts from the parents.
func (p *project) model(name string, parents []string, changes ...object) string {
	return p.node("model", name, object{
		"database": "db", "schema": "marts", "alias": name, "path": name + ".sql", "original_file_path": "models/" + name + ".sql",
		"config": object{"materialized": "table", "enabled": true}, "depends_on": object{"nodes": parents},
	}, changes)
}

func (p *project) node(kind, name string, base object, changes []object) string {
	id := kind + ".shop." + name
	section := map[string]string{
		"source": "sources", "exposure": "exposures", "metric": "metrics", "semantic_model": "semantic_models", "saved_query": "saved_queries",
		"function": "functions",
	}[kind]
	if section == "" {
		section = "nodes"
	}
	n := set(object{"resource_type": kind, "package_name": "shop", "name": name, "unique_id": id, "a_newer_field": object{"x": 1}}, base)
	n = set(n, merged(changes))
	id = n["unique_id"].(string)
	p.manifest[section].(object)[id] = n
	return id
}

// source adds the source raw.<name>, which is raw.<name> in the database too.
func (p *project) source(name string, changes ...object) string {
	return p.node("source", "raw."+name, object{"name": name, "source_name": "raw", "database": "db", "schema": "raw", "identifier": name}, changes)
}

// test adds a test of a template on a column of a node.
func (p *project) test(template, on, column string, changes ...object) string {
	name := template + "_" + on[strings.LastIndex(on, ".")+1:] + "_" + column
	return p.node("test", name, object{
		"attached_node": on, "column_name": column, "depends_on": object{"nodes": []string{on}}, "config": object{"severity": "ERROR"},
		"test_metadata": object{"name": template, "namespace": nil, "kwargs": object{"column_name": column, "model": "{{ get_where_subquery(ref('x')) }}"}},
	}, changes)
}

// seen puts a relation with columns of type text into the catalog.
func (p *project) seen(id, kind string, columns ...string) {
	of, section := object{}, "nodes"
	for i, c := range columns {
		of[c] = object{"name": c, "type": "text", "index": i + 1, "comment": nil}
	}
	if strings.HasPrefix(id, "source.") {
		section = "sources"
	}
	p.catalog[section].(object)[id] = object{"metadata": object{"type": kind, "comment": nil}, "columns": of}
}

// result adds an outcome of a test, which took a second of the given minute.
func (p *project) result(id, status string, minute string, changes ...object) {
	p.results = append(p.results, set(object{
		"unique_id": id, "status": status, "failures": nil, "message": nil, "timing": []any{
			object{"name": "compile", "started_at": nil, "completed_at": nil},
			object{"name": "execute", "started_at": "2026-03-01T10:" + minute + ":00.25Z", "completed_at": "2026-03-01T10:" + minute + ":01.75Z"},
		},
	}, merged(changes)))
}

func text(t testing.TB, v any) []byte {
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return b
}

// read reads the project: its manifest, its catalog if something was seen, its results if there are any.
func (p *project) read(t testing.TB) ingest.ChangeSet {
	t.Helper()
	files := dbt.Files{Manifest: bytes.NewReader(text(t, p.manifest))}
	if len(p.catalog["nodes"].(object))+len(p.catalog["sources"].(object)) > 0 {
		files.Catalog = bytes.NewReader(text(t, p.catalog))
	}
	if p.results != nil {
		files.RunResults = bytes.NewReader(text(t, object{
			"metadata": object{"dbt_schema_version": "https://schemas.getdbt.com/dbt/run-results/v6.json", "generated_at": "2026-03-01T11:00:00Z", "invocation_id": "run-1"},
			"results":  p.results, "args": object{},
		}))
	}
	got, err := dbt.Read(t.Context(), files)
	require.NoError(t, err, "%v", fault.Of(err))
	return got
}

// names are those of the assets by key.
func names(s ingest.ChangeSet) map[string]string {
	out := map[string]string{}
	for _, a := range s.Assets {
		out[a.Key] = a.Name
	}
	return out
}

// asset is the one of a key.
func asset(t testing.TB, s ingest.ChangeSet, key string) ingest.Asset {
	t.Helper()
	for _, a := range s.Assets {
		if a.Key == key {
			return a
		}
	}
	require.Fail(t, "no asset", key)
	return ingest.Asset{}
}

// edges are `source > target` by key.
func edges(s ingest.ChangeSet) []string {
	out := []string{}
	for _, e := range s.Edges {
		out = append(out, e.Source+" > "+e.Target)
	}
	return out
}
