package ingest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/ingest"
	"github.com/strata-gateway/strata/ingest/dbt"
	"github.com/strata-gateway/strata/internal/testkit"
)

type object = map[string]any

// artifacts writes those of a project of n models, each of which reads two others and has ten columns, two
// tests and code of the usual length.
func artifacts(tb testing.TB, n int) (manifest, catalog, results []byte) {
	nodes, tables, outcomes := object{}, object{}, []any{}
	code := string(bytes.Repeat([]byte("select a, b, c from t where x > 1\n"), 60))
	about := func(kind, version string) object {
		return object{
			"dbt_schema_version": "https://schemas.getdbt.com/dbt/" + kind + "/" + version + ".json", "generated_at": "2026-03-01T08:00:00Z",
			"adapter_type": "duckdb", "project_name": "large", "invocation_id": "run-1",
		}
	}
	for i := range n {
		name := "model_" + strconv.Itoa(i)
		id := "model.large." + name
		columns, seen := object{}, object{}
		for c := range 10 {
			column := fmt.Sprintf("column_%d", c)
			columns[column] = object{"name": column, "description": "What the column means to who reads it.", "data_type": nil}
			seen[column] = object{"name": column, "type": "VARCHAR", "index": c + 1}
		}
		parents := []string{}
		for _, p := range []int{i / 2, i - 7} {
			if p >= 0 && p < i {
				parents = append(parents, "model.large.model_"+strconv.Itoa(p))
			}
		}
		nodes[id] = object{
			"resource_type": "model", "package_name": "large", "name": name, "database": "large", "schema": "marts", "alias": name, "path": name + ".sql",
			"config": object{"materialized": "table"}, "description": "A model.", "columns": columns, "depends_on": object{"nodes": parents},
			"raw_code": code, "compiled_code": code, "tags": []string{"large"},
		}
		tables[id] = object{"metadata": object{"type": "BASE TABLE"}, "columns": seen}
		for _, kind := range []string{"not_null", "unique"} {
			test := "test.large." + kind + "_" + name
			nodes[test] = object{
				"resource_type": "test", "package_name": "large", "name": kind + "_" + name, "attached_node": id, "column_name": "column_0",
				"depends_on": object{"nodes": []string{id}}, "config": object{"severity": "ERROR"},
				"test_metadata": object{"name": kind, "kwargs": object{"column_name": "column_0"}}, "raw_code": code[:200],
			}
			outcomes = append(outcomes, object{"unique_id": test, "status": "pass", "failures": 0, "timing": []any{
				object{"name": "execute", "started_at": "2026-03-01T08:00:01Z", "completed_at": "2026-03-01T08:00:02Z"},
			}})
		}
	}
	encode := func(v any) []byte {
		b, err := json.Marshal(v)
		require.NoError(tb, err)
		return b
	}
	return encode(object{"metadata": about("manifest", "v12"), "nodes": nodes}), encode(object{"metadata": about("catalog", "v1"), "nodes": tables}),
		encode(object{"metadata": about("run-results", "v6"), "results": outcomes})
}

const large = 5_000

// BenchmarkRead reads the artifacts of 5,000 models.
func BenchmarkRead(b *testing.B) {
	manifest, catalog, results := artifacts(b, large)
	b.SetBytes(int64(len(manifest) + len(catalog) + len(results)))
	b.ReportAllocs()
	for b.Loop() {
		_, err := dbt.Read(b.Context(), dbt.Files{Manifest: bytes.NewReader(manifest), Catalog: bytes.NewReader(catalog), RunResults: bytes.NewReader(results)})
		require.NoError(b, err)
	}
}

// BenchmarkApply applies the change set of 5,000 models to an empty workspace, and BenchmarkApplyAgain
// once more to one that has it.
func BenchmarkApply(b *testing.B) {
	set := largeSet(b)
	for b.Loop() {
		b.StopTimer()
		w, manager := largeWorld(b)
		b.StartTimer()
		summary, err := ingest.Apply(b.Context(), w.Store, w.Writer(manager, authz.Ingest), set, "")
		require.NoError(b, err)
		require.Equal(b, large, summary.AssetsCreated)
		require.Equal(b, large, summary.RunsCreated)
	}
}

func BenchmarkApplyAgain(b *testing.B) {
	set := largeSet(b)
	w, manager := largeWorld(b)
	_, err := ingest.Apply(b.Context(), w.Store, w.Writer(manager, authz.Ingest), set, "")
	require.NoError(b, err)
	for b.Loop() {
		summary, err := ingest.Apply(b.Context(), w.Store, w.Writer(manager, authz.Ingest), set, "")
		require.NoError(b, err)
		require.Equal(b, large, summary.AssetsUnchanged)
	}
}

func largeSet(b *testing.B) ingest.ChangeSet {
	manifest, catalog, results := artifacts(b, large)
	set, err := dbt.Read(b.Context(), dbt.Files{Manifest: bytes.NewReader(manifest), Catalog: bytes.NewReader(catalog), RunResults: bytes.NewReader(results)})
	require.NoError(b, err)
	return set
}

func largeWorld(b *testing.B) (*testkit.World, testkit.Member) {
	w := testkit.NewWorld(b)
	manager, database := w.Member(graph.RoleManager), "large"
	_, err := w.Store.CreateDatasource(b.Context(), w.Writer(manager, authz.CreateDatasource), graph.NewDatasource{Name: "large", Kind: "DUCKDB", Database: &database})
	require.NoError(b, err)
	return w, manager
}
