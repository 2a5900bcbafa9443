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

// pair is a change set of the project shop: two tables of a database, of which one feeds the other.
func pair(database, from, to string) ingest.ChangeSet {
	set := table(database)
	set.Assets = nil
	for _, name := range []string{from, to} {
		set.Assets = append(set.Assets, ingest.Asset{
			IngestAsset: graph.IngestAsset{Key: name, Name: database + ".s." + name, Type: graph.TypeTable, Builds: true},
			Place:       ingest.Place{Kind: "DUCKDB", Database: database, Schema: "s"},
		})
	}
	set.Edges = []graph.IngestEdge{{Source: from, Target: to}}
	return set
}

// own makes a datasource of a database, called by its owner and database.
func own(t *testing.T, w *testkit.World, owner testkit.Member, name, database string) *graph.Datasource {
	t.Helper()
	d, err := w.Store.CreateDatasource(t.Context(), w.Writer(owner, authz.CreateDatasource), graph.NewDatasource{Name: name, Kind: "DUCKDB", Database: &database})
	require.NoError(t, err)
	return d
}

func TestProjectsOfOneNameKeepTheirOwn(t *testing.T) {
	w := testkit.NewWorld(t)
	manager := w.Member(graph.RoleManager)
	for _, name := range []string{"sales", "stock"} {
		own(t, w, manager, name, name)
	}
	apply := func(set ingest.ChangeSet) graph.IngestSummary {
		summary, err := ingest.Apply(t.Context(), w.Store, w.Writer(manager, authz.Ingest), set, "")
		require.NoError(t, err)
		return summary
	}
	assert.Equal(t, graph.IngestSummary{AssetsCreated: 2, EdgesCreated: 1}, apply(pair("sales", "a", "b")))
	second := apply(pair("stock", "a", "b"))
	assert.Equal(t, []int{1, 0}, []int{second.EdgesCreated, second.EdgesRemoved})
	require.Len(t, second.Warnings, 1)
	assert.Contains(t, second.Warnings[0], "there is a project shop already, which builds its relations in another datasource")
	for _, database := range []string{"sales", "stock"} {
		assert.Equal(t, graph.IngestSummary{AssetsUnchanged: 2, EdgesUnchanged: 1}, apply(pair(database, "a", "b")), "each is known again")
	}

	supplants := apply(pair("sales", "c", "d"))
	assert.Equal(t, 1, supplants.EdgesRemoved)
	require.Len(t, supplants.Warnings, 1, "one of the same home, too, does not go silently")
	assert.Contains(t, supplants.Warnings[0], "the project shop built 2 relations of this datasource before, and builds none of them any more")
	assert.Empty(t, apply(pair("sales", "c", "e")).Warnings, "a part of it may go")
}

// TestAnotherProjectOfTheNameTakesNothing: whoever may edit a datasource of their own can neither send
// another's project there nor touch what it has.
func TestAnotherProjectOfTheNameTakesNothing(t *testing.T) {
	w := testkit.NewWorld(t)
	owner, other := w.Member(graph.RoleManager), w.Enrol("other", graph.RoleManager, graph.Unrestricted)
	production := own(t, w, owner, "production", "shop")
	own(t, w, other, "mine", "shop")
	apply := func(as testkit.Member, set ingest.ChangeSet, name string) (graph.IngestSummary, error) {
		return ingest.Apply(t.Context(), w.Store, w.Writer(as, authz.Ingest), set, name)
	}
	_, err := apply(owner, pair("shop", "a", "b"), "production")
	require.NoError(t, err)
	_, err = apply(other, pair("shop", "a", "b"), "")
	require.Equal(t, fault.CodeBadUserInput, fault.CodeOf(err), "what is kept for another's is not theirs to use")
	summary, err := apply(other, pair("shop", "x", "y"), "mine")
	require.NoError(t, err)
	assert.Zero(t, summary.EdgesRemoved)

	summary, err = apply(owner, pair("shop", "a", "b"), "")
	require.NoError(t, err)
	assert.Equal(t, graph.IngestSummary{AssetsUnchanged: 2, EdgesUnchanged: 1}, summary)
	w.AssetNamed(owner, production, "shop.s.a")
}
