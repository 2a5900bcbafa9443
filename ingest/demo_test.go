package ingest_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/examples"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/ingest"
	"github.com/strata-gateway/strata/ingest/dbt"
	"github.com/strata-gateway/strata/internal/testkit"
)

// ingestStatements is how many statements an ingest may take, however much it states in one batch.
const ingestStatements = 40

func read(t *testing.T, p examples.Project) ingest.ChangeSet {
	t.Helper()
	set, err := dbt.Read(t.Context(), dbt.Files{
		Manifest: bytes.NewReader(p.Manifest), Catalog: bytes.NewReader(p.Catalog), RunResults: bytes.NewReader(p.RunResults),
	})
	require.NoError(t, err)
	return set
}

// TestDemoEstate ingests real projects of real dbt, twice: the second time changes nothing.
func TestDemoEstate(t *testing.T) {
	w := testkit.NewWorld(t)
	manager := w.Member(graph.RoleManager)
	for _, p := range examples.Projects() {
		_, err := w.Store.CreateDatasource(t.Context(), w.Writer(manager, authz.CreateDatasource), graph.NewDatasource{
			Name: p.Datasource.Name, Kind: graph.DatasourceKind(p.Datasource.Kind), Database: &p.Datasource.Database,
		})
		require.NoError(t, err)
	}
	apply := func(p examples.Project) graph.IngestSummary {
		set, start := read(t, p), time.Now()
		ctx, session := graph.WithSession(t.Context())
		summary, err := ingest.Apply(ctx, w.Store, w.Writer(manager, authz.Ingest), set, "")
		require.NoError(t, err)
		t.Logf("%s in %s, %d statements", p.Name, time.Since(start).Round(time.Millisecond), session.Statements())
		assert.Less(t, session.Statements(), ingestStatements)
		return summary
	}
	shop, finance := apply(examples.Projects()[0]), apply(examples.Projects()[1])
	assert.Equal(t, graph.IngestSummary{AssetsCreated: 33, EdgesCreated: 42, SuitesCreated: 33, RunsCreated: 32}, shop)
	// Four of finance's sources are the shop's marts, which it describes no better than their own project.
	assert.Equal(t, graph.IngestSummary{AssetsCreated: 12, AssetsUnchanged: 4, EdgesCreated: 21, SuitesCreated: 16, RunsCreated: 15}, finance)

	before := w.Caller(manager).Epochs
	for i, p := range examples.Projects() {
		again := apply(p)
		assert.Zero(t, again.AssetsCreated+again.AssetsChanged+again.EdgesCreated+again.EdgesRemoved+again.SuitesCreated+again.RunsCreated)
		assert.Equal(t, []int{33, 16}[i], again.AssetsUnchanged)
		assert.Equal(t, []int{42, 21}[i], again.EdgesUnchanged)
	}
	assert.Equal(t, before, w.Caller(manager).Epochs, "no epoch was raised")
}
