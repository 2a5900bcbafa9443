package graph_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// stated is an ingest of a project with tables in a datasource, by name.
func stated(project, datasource string, builds bool, names ...string) graph.Ingest {
	in := graph.Ingest{Project: project, Producer: "dbt:" + project, Category: graph.EdgeDBT, SuiteName: "dbt: " + project}
	for _, n := range names {
		in.Assets = append(in.Assets, graph.IngestAsset{Key: n, Datasource: datasource, Name: n, Type: graph.TypeTable, Builds: builds, SeenAt: *at(1)})
	}
	return in
}

func (w *world) tryIngest(email string, in graph.Ingest) (graph.IngestSummary, error) {
	return w.store.ApplyIngest(w.t.Context(), w.as(email, authz.Ingest), in.Producer, func(graph.Landing) (graph.Ingest, error) { return in, nil })
}

// ingest applies an ingest as the manager, who owns the world's datasources.
func (w *world) ingest(in graph.Ingest) graph.IngestSummary {
	w.t.Helper()
	summary, err := w.tryIngest(w.email(graph.RoleManager), in)
	require.NoError(w.t, err)
	return summary
}

// named is the asset of a name.
func (w *world) named(datasource, name string) *graph.Asset {
	a, err := w.store.AssetNamed(w.t.Context(), w.audience(), datasource, name)
	require.NoError(w.t, err)
	require.NotNil(w.t, a, name)
	return a
}

// edges are `source>target` of the workspace by name or external model, sorted.
func (w *world) edges() []string {
	found := []string{}
	for _, r := range w.rows(`MATCH (s:Dataset)-[r:FEEDS {workspace: $workspace}]->(t:Dataset)
		RETURN coalesce(s.name, s.model) + '>' + coalesce(t.name, t.model) AS edge ORDER BY edge`, nil) {
		found = append(found, r[0].(string))
	}
	return found
}

func TestIngestMakesAssets(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	note, kind, url := "The orders.", "bigint", "https://bi.demo.test"
	in := stated("shop", d.ID, true, "db.s.orders", "db.s.items")
	in.Assets[0].SourceDescription, in.Assets[0].SourceOwners, in.Assets[0].Tags = &note, []string{"data@demo.test"}, []string{"core"}
	in.Assets[0].Columns = []graph.IngestColumn{{Name: "orderId", Type: &kind, Description: &note}, {Name: "b"}}
	in.Externals = []graph.IngestExternal{{Key: "x", System: "dbt", Model: "shop.board", URL: &url}}
	in.Edges = []graph.IngestEdge{{Source: "db.s.items", Target: "db.s.orders"}, {Source: "db.s.orders", Target: "x"}, {Source: "db.s.orders", Target: "x"}}
	assert.Equal(t, graph.IngestSummary{AssetsCreated: 2, EdgesCreated: 2}, w.ingest(in))

	a := w.named(d.ID, "db.s.orders")
	assert.Equal(t, &note, a.SourceDescription)
	assert.Nil(t, a.Description)
	assert.Equal(t, []string{"data@demo.test"}, a.SourceOwners)
	assert.Equal(t, []string{"core"}, a.Tags)
	assert.Equal(t, at(1), a.LastSeenAt)
	assert.Equal(t, 2, a.ColumnCount)
	columns, err := w.store.Columns(t.Context(), w.audience(), []graph.ColumnsOf{{Asset: a.ID, First: 10}})
	require.NoError(t, err)
	for _, page := range columns {
		require.Len(t, page.Items, 2)
		assert.Equal(t, "orderId", page.Items[0].Name)
		assert.Equal(t, &kind, page.Items[0].Type)
	}
	words := w.rows(`MATCH (a:Asset {id: $id}) RETURN a.searchText`, map[string]any{"id": a.ID})
	assert.Equal(t, "orders db s order id b core the", words[0][0])
	assert.Equal(t, []string{"db.s.items>db.s.orders", "db.s.orders>shop.board"}, w.edges())
	assert.Contains(t, w.events(), "dbt.ingest")
}

func TestIngestOfTheSameChangesNothing(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	in := stated("shop", d.ID, true, "a", "b")
	in.Assets[0].Columns, in.Assets[0].Tags = []graph.IngestColumn{{Name: "id"}}, []string{"core"}
	in.Edges = []graph.IngestEdge{{Source: "a", Target: "b"}}
	in.Suites = []graph.IngestSuite{oneCheck("b", "t1", graph.CheckFailed)}
	first := w.ingest(in)
	assert.Equal(t, graph.IngestSummary{AssetsCreated: 2, EdgesCreated: 1, SuitesCreated: 1, RunsCreated: 1}, first)
	versions, events := w.versions(), len(w.events())
	assert.Equal(t, graph.IngestSummary{AssetsUnchanged: 2, EdgesUnchanged: 1}, w.ingest(in))
	assert.Equal(t, versions, w.versions())
	assert.Len(t, w.events(), events)

	in.Assets[0].SeenAt = *at(2)
	assert.Equal(t, graph.IngestSummary{AssetsUnchanged: 2, EdgesUnchanged: 1}, w.ingest(in), "seen again is no change")
	assert.Equal(t, at(2), w.named(d.ID, "a").LastSeenAt)
	assert.NotEqual(t, versions[graph.FamilyCatalog], w.versions()[graph.FamilyCatalog], "but it shows")
	assert.Equal(t, versions[graph.FamilyLineage], w.versions()[graph.FamilyLineage])
	assert.Equal(t, versions[graph.FamilyVerdict], w.versions()[graph.FamilyVerdict])
	in.Assets[0].SeenAt = *at(1)
	w.ingest(in)
	assert.Equal(t, at(2), w.named(d.ID, "a").LastSeenAt, "an older manifest turns no clock back")
}

func TestIngestKeepsWhatPeopleWrote(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	in := stated("shop", d.ID, true, "a")
	source, typed, owner := "From the source.", "Typed.", "owner@demo.test"
	in.Assets[0].SourceDescription, in.Assets[0].Tags = &source, []string{"core", "raw"}
	w.ingest(in)
	id := w.named(d.ID, "a").ID
	_, err := w.store.UpdateAsset(t.Context(), w.as(w.email(graph.RoleAdmin), authz.UpdateAsset), id, graph.AssetChange{
		Description: graph.Change[*string]{Set: true, Value: &typed}, OwnerEmail: graph.Change[*string]{Set: true, Value: &owner},
		Tags: graph.Change[[]string]{Set: true, Value: []string{"mine", "core"}}, // raw was taken away
	})
	require.NoError(t, err)
	later := "Changed at the source."
	in.Assets[0].SourceDescription, in.Assets[0].Tags = &later, []string{"raw", "new"}
	assert.Equal(t, 1, w.ingest(in).AssetsChanged)
	a := w.named(d.ID, "a")
	assert.Equal(t, &typed, a.Description)
	assert.Equal(t, &owner, a.OwnerEmail)
	assert.Equal(t, &later, a.SourceDescription)
	assert.Equal(t, []string{"mine", "new"}, a.Tags)
}

func TestIngestOfAStubLeavesTheModelAlone(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	model, stub := stated("shop", d.ID, true, "a"), stated("finance", d.ID, false, "a")
	said, guessed := "The model.", "The stub."
	model.Assets[0].SourceDescription, model.Assets[0].Columns = &said, []graph.IngestColumn{{Name: "id"}}
	stub.Assets[0].SourceDescription, stub.Assets[0].Tags, stub.Assets[0].Type = &guessed, []string{"guess"}, graph.TypeView
	stub.Assets[0].Columns = []graph.IngestColumn{{Name: "other"}}

	w.ingest(stub)
	assert.Equal(t, &guessed, w.named(d.ID, "a").SourceDescription, "as long as nobody knows better")
	assert.Equal(t, 1, w.ingest(model).AssetsChanged)
	before := w.named(d.ID, "a")
	assert.Equal(t, &said, before.SourceDescription)
	assert.Equal(t, graph.TypeTable, before.Type)
	assert.Empty(t, before.Tags, "the stub's tags went with its word")
	assert.Equal(t, graph.IngestSummary{AssetsUnchanged: 1}, w.ingest(stub))
	assert.Equal(t, before, w.named(d.ID, "a"))

	other := stated("copy", d.ID, true, "a")
	summary := w.ingest(other)
	assert.Equal(t, []string{"a is built by the project dbt:shop too, which stated it first: its description, tags and columns were left as they are"}, summary.Warnings)
	assert.Equal(t, before, w.named(d.ID, "a"))
	w.ingest(stated("shop", d.ID, true, "b")) // the shop lets go of a
	assert.Empty(t, w.ingest(other).Warnings)
	assert.Nil(t, w.named(d.ID, "a").SourceDescription, "whoever builds it now has the word")
}

func TestIngestNeedsEditorAndEdit(t *testing.T) {
	w := newWorld(t)
	open := w.datasource(graph.NewDatasource{Name: "open", Kind: "DUCKDB", Everyone: graph.Editor})
	closed := w.datasource(graph.NewDatasource{Name: "closed", Kind: "DUCKDB", Everyone: graph.Author})
	member, manager := w.email(graph.RoleMember), w.email(graph.RoleManager)
	both := stated("shop", open.ID, true, "a")
	both.Assets = append(both.Assets, stated("shop", closed.ID, true, "b").Assets...)
	denied := func(email string, in graph.Ingest) string {
		before := w.count(`MATCH (n {workspace: $workspace}) RETURN count(n)`)
		_, err := w.tryIngest(email, in)
		f := fault.Of(err)
		require.NotNil(t, f, "%v", err)
		assert.Equal(t, fault.CodeForbidden, f.Code)
		assert.Equal(t, before, w.count(`MATCH (n {workspace: $workspace}) RETURN count(n)`), "nothing was written")
		return f.Needs
	}
	assert.Equal(t, "EDITOR on the datasource closed", denied(member, both))
	denied(w.email(graph.RoleViewer), stated("shop", open.ID, true, "a"))

	in := stated("shop", open.ID, true, "a")
	in.Suites = []graph.IngestSuite{oneCheck("a", "t1", graph.CheckPassed)}
	w.ingest(in) // the suite is the manager's
	_, err := w.tryIngest(member, in)
	require.NoError(t, err, "nothing changes on the suite")
	in.Suites[0].Runs[0].RunID = "run-2"
	assert.Contains(t, denied(member, in), "EDIT on every suite")
	in.Suites = nil
	assert.Contains(t, denied(member, in), "EDIT on every suite", "its test is gone, which takes its check away")

	suite := w.rows(`MATCH (s:Suite {workspace: $workspace}) RETURN s.id`, nil)[0][0].(string)
	_, err = w.store.ShareSuite(t.Context(), w.as(manager, authz.ShareSuite), graph.NewShare{Suite: suite, User: w.caller(member).User.ID, Permission: graph.ShareEdit})
	require.NoError(t, err)
	_, err = w.tryIngest(member, in)
	require.NoError(t, err)
}

// oneCheck is a suite with one check and one run of it.
func oneCheck(asset, key string, status graph.CheckStatus) graph.IngestSuite {
	state := map[graph.CheckStatus]graph.RunState{graph.CheckPassed: graph.RunSucceeded, graph.CheckFailed: graph.RunFailed, graph.CheckErrored: graph.RunErrored}[status]
	return graph.IngestSuite{
		Asset:  asset,
		Checks: []graph.IngestCheck{{Key: key, NewCheck: graph.NewCheck{Name: key, Expectation: "unique", Severity: graph.SeverityCritical, Dimension: "UNIQUENESS", Config: map[string]any{"b": 1, "a": []any{"x"}}}}},
		Runs:   []graph.IngestRun{{RunID: "run-1", State: state, FinishedAt: at(3), Results: []graph.ReportedResult{{CheckID: key, Status: status}}}},
	}
}

func TestIngestIsAllOrNothing(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	in := stated("shop", d.ID, true, "a")
	in.Suites = []graph.IngestSuite{oneCheck("a", "t1", graph.CheckPassed)}
	in.Suites[0].Runs[0].Results[0].CheckID = "no such check"
	before := w.count(`MATCH (n {workspace: $workspace}) RETURN count(n)`)
	_, err := w.tryIngest(w.email(graph.RoleManager), in) // fails in its last step but one
	require.Error(t, err)
	assert.Equal(t, before, w.count(`MATCH (n {workspace: $workspace}) RETURN count(n)`))
}

func TestIngestTime(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	in := stated("shop", d.ID, true, "a")
	in.Assets[0].SeenAt = time.Time{}
	w.ingest(in)
	assert.Nil(t, w.named(d.ID, "a").LastSeenAt, "the project did not say")
}
