package ingest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/ingest"
	"github.com/strata-gateway/strata/internal/testkit"
)

// table is a change set of one table of a database.
func table(database string) ingest.ChangeSet {
	return ingest.ChangeSet{
		Project: "shop", Speaker: "dbt:shop", Category: graph.EdgeDBT, SuiteName: "dbt: shop",
		Assets: []ingest.Asset{{
			IngestAsset: graph.IngestAsset{Key: "a", Name: database + ".s.a", Type: graph.TypeTable, Builds: true},
			Place:       ingest.Place{Kind: "DUCKDB", Database: database, Schema: "s"},
		}},
	}
}

func TestTheDatasourceIsKeptForTheProject(t *testing.T) {
	w := testkit.NewWorld(t)
	manager, database := w.Member(graph.RoleManager), "shop"
	sources := map[string]*graph.Datasource{}
	for _, name := range []string{"production", "staging"} {
		d, err := w.Store.CreateDatasource(t.Context(), w.Writer(manager, authz.CreateDatasource), graph.NewDatasource{Name: name, Kind: "DUCKDB", Database: &database})
		require.NoError(t, err)
		sources[name] = d
	}
	apply := func(name string) error {
		_, err := ingest.Apply(t.Context(), w.Store, w.Writer(manager, authz.Ingest), table(database), name)
		return err
	}
	refused := func(err error, says string) {
		f := fault.Of(err)
		require.NotNil(t, f)
		assert.Equal(t, fault.CodeBadUserInput, f.Code)
		assert.Equal(t, "datasource", f.Field)
		assert.Contains(t, f.Message, says)
	}
	refused(apply(""), "fits several: production, staging")
	refused(apply("stagign"), `There is no datasource "stagign". Datasources here: production`)
	require.NoError(t, apply("staging"))
	require.NoError(t, apply(""), "it is kept")
	w.AssetNamed(manager, sources["staging"], "shop.s.a")
	missing, err := w.Store.AssetNamed(t.Context(), w.Caller(manager).Audience, sources["production"].ID, "shop.s.a")
	require.NoError(t, err)
	assert.Nil(t, missing)
	require.NoError(t, apply("production"), "another project of the name, unless it is the same elsewhere")
	w.AssetNamed(manager, sources["production"], "shop.s.a")
	refused(apply(""), "fits several: production, staging")
}

func TestARelationWithoutADatasourceStopsAll(t *testing.T) {
	w := testkit.NewWorld(t)
	_, err := ingest.Apply(t.Context(), w.Store, w.Writer(w.Member(graph.RoleManager), authz.Ingest), table("nowhere"), "")
	f := fault.Of(err)
	require.NotNil(t, f)
	assert.Equal(t, fault.CodeBadUserInput, f.Code)
	assert.Contains(t, f.Message, `DUCKDB database "nowhere" schema "s" (1 relations) belongs to none. There are no datasources in this workspace yet.`)
}
