package graph_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
)

// assertions are `producer source>target` of the workspace, sorted.
func (w *world) assertions() []string {
	found := []string{}
	for _, r := range w.rows(`MATCH (x:Assertion {workspace: $workspace})
		MATCH (s:Dataset)-[r:FEEDS {id: x.edge, workspace: $workspace}]->(t:Dataset)
		RETURN x.producer + ' ' + coalesce(s.name, s.model) + '>' + coalesce(t.name, t.model) AS a ORDER BY a`, nil) {
		found = append(found, r[0].(string))
	}
	return found
}

func withEdges(in graph.Ingest, edges ...string) graph.Ingest {
	in.Edges = nil
	for _, e := range edges {
		in.Edges = append(in.Edges, graph.IngestEdge{Source: e[:1], Target: e[2:]})
	}
	return in
}

func TestIngestPurgesItsOwnEdgesOnly(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	shop, finance := stated("shop", d.ID, true, "a", "b", "c"), stated("finance", d.ID, false, "a", "b", "c")
	w.ingest(withEdges(shop, "a>b", "b>c", "a>a"))
	w.ingest(withEdges(finance, "a>b", "c>a"))
	w.rows(`MATCH (s:Asset {workspace: $workspace, name: 'b'}), (t:Asset {workspace: $workspace, name: 'c'})
		CREATE (s)-[:FEEDS {id: 'manual-' + $workspace, workspace: $workspace, category: 'MANUAL'}]->(t) RETURN 1`, nil)

	assert.Equal(t, 2, w.ingest(withEdges(shop, "a>a")).EdgesRemoved)
	assert.Equal(t, []string{"a>a", "a>b", "b>c", "c>a"}, w.edges(), "a>b is finance's too, and b>c was drawn by hand")
	assert.Equal(t, []string{"dbt:finance a>b", "dbt:finance c>a", "dbt:shop a>a"}, w.assertions())
	assert.Equal(t, 2, w.ingest(withEdges(finance)).EdgesRemoved)
	assert.Equal(t, []string{"a>a", "b>c"}, w.edges())
}

func TestDeletedEdgeComesBack(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	in := withEdges(stated("shop", d.ID, true, "a", "b"), "a>b")
	w.ingest(in)
	w.rows(`MATCH ()-[r:FEEDS {workspace: $workspace}]->() DELETE r RETURN 1`, nil)
	assert.Equal(t, 1, w.ingest(in).EdgesCreated)
	assert.Equal(t, []string{"dbt:shop a>b"}, w.assertions())
	w.rows(`MATCH ()-[r:FEEDS {workspace: $workspace}]->() MATCH (x:Assertion {workspace: $workspace}) DELETE r, x RETURN 1`, nil)
	assert.Equal(t, 1, w.ingest(in).EdgesCreated)
	assert.Equal(t, []string{"dbt:shop a>b"}, w.assertions())
}

func TestIngestPurgesWhatIsEditableAtBothEnds(t *testing.T) {
	w := newWorld(t)
	open := w.datasource(graph.NewDatasource{Name: "open", Kind: "DUCKDB", Everyone: graph.Editor})
	closed := w.datasource(graph.NewDatasource{Name: "closed", Kind: "DUCKDB"})
	in := stated("shop", open.ID, true, "a", "b")
	in.Assets = append(in.Assets, stated("shop", closed.ID, false, "c").Assets...)
	w.ingest(withEdges(in, "c>a", "a>b"))

	later := stated("shop", open.ID, true, "a", "b") // c is not named any more
	before := w.versions()[graph.FamilyLineage]
	summary, err := w.tryIngest(w.email(graph.RoleMember), withEdges(later))
	require.NoError(t, err)
	assert.Equal(t, 1, summary.EdgesRemoved)
	assert.Equal(t, []string{"1 connections that the project does not state any more were kept: you need EDITOR on the datasources at both of their ends to remove them"}, summary.Warnings)
	assert.Equal(t, []string{"c>a"}, w.edges())
	assert.NotEqual(t, before, w.versions()[graph.FamilyLineage])
	assert.Equal(t, 1, w.ingest(withEdges(later)).EdgesRemoved, "the manager may")
	assert.Empty(t, w.edges())
}

func TestExternalsGoWithTheirLastEdge(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	first, second := "https://bi.demo.test/1", "https://bi.demo.test/2"
	in := stated("shop", d.ID, true, "a")
	in.Externals = []graph.IngestExternal{{Key: "x", System: "dbt", Model: "shop.x", URL: &first}, {Key: "y", System: "dbt", Model: "shop.y"}}
	w.ingest(withEdges(in, "a>x", "a>y"))
	id := graph.ExternalID("dbt", "shop.x")
	external := func() *graph.External {
		found, err := w.store.Externals(t.Context(), w.audience(), []string{id})
		require.NoError(t, err)
		return found[id]
	}
	assert.Equal(t, &first, external().URL)
	before := w.versions()
	in.Externals[0].URL = &second
	w.ingest(withEdges(in, "a>x", "a>y"))
	assert.Equal(t, &second, external().URL)
	assert.NotEqual(t, before[graph.FamilyLineage], w.versions()[graph.FamilyLineage])
	assert.Equal(t, before[graph.FamilyCatalog], w.versions()[graph.FamilyCatalog])

	w.rows(`MATCH (x:External {id: $id, workspace: $workspace}), (a:Asset {workspace: $workspace})
		CREATE (x)-[:FEEDS {id: 'manual-' + $workspace, workspace: $workspace, category: 'MANUAL'}]->(a) RETURN 1`, map[string]any{"id": id})
	in.Externals = nil
	w.ingest(withEdges(in))
	assert.Equal(t, []string{"shop.x>a"}, w.edges(), "y is gone, x has an edge that was drawn by hand")
	assert.Equal(t, 1, w.count(`MATCH (x:External {workspace: $workspace}) RETURN count(x)`))
}
