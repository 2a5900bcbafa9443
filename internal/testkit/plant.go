package testkit

import (
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
)

// Datasource makes a datasource that a member owns; the team everyone gets a permission, "" for none.
func (w *World) Datasource(owner Member, name string, everyone graph.TeamPermission) *graph.Datasource {
	w.t.Helper()
	d, err := w.Store.CreateDatasource(w.t.Context(), w.Writer(owner, authz.CreateDatasource), graph.NewDatasource{
		Name: name, Kind: "POSTGRESQL", Everyone: everyone,
	})
	require.NoError(w.t, err)
	return d
}

// Asset makes a table.
func (w *World) Asset(by Member, d *graph.Datasource, name string, tags ...string) *graph.Asset {
	w.t.Helper()
	a, err := w.Store.CreateAsset(w.t.Context(), w.Writer(by, authz.EditDatasources), graph.NewAsset{
		Datasource: d.ID, Name: name, Type: graph.TypeTable, Tags: tags,
	})
	require.NoError(w.t, err)
	return a
}

// Feeds draws an edge by hand: source feeds target.
func (w *World) Feeds(by Member, source, target string) graph.DrawnEdge {
	w.t.Helper()
	edge, err := w.Store.AddEdge(w.t.Context(), w.Writer(by, authz.EditDatasources), graph.NewEdge{Source: graph.EdgeEnd{Asset: source}, Target: graph.EdgeEnd{Asset: target}})
	require.NoError(w.t, err)
	return edge
}

// Column gives an asset a column and returns its id.
func (w *World) Column(asset, name string) string {
	w.t.Helper()
	id := graph.DerivedID(graph.KindColumn, asset, name)
	w.plant(`MATCH (a:Asset {id: $asset, workspace: $workspace})
		SET a.columnCount = a.columnCount + 1
		CREATE (a)-[:HAS_COLUMN]->(c:Column {id: $id, name: $name, ordinal: a.columnCount}) RETURN c.id`, map[string]any{"asset": asset, "id": id, "name": name})
	return id
}

// Depends states dependencies of columns of an edge, by hand.
func (w *World) Depends(by Member, edge string, pairs ...graph.NewColumnPair) {
	w.t.Helper()
	_, err := w.Store.UpdateEdge(w.t.Context(), w.Writer(by, authz.EditDatasources), edge,
		graph.EdgeChange{ColumnPairs: graph.Change[[]graph.NewColumnPair]{Set: true, Value: pairs}})
	require.NoError(w.t, err)
}

// FedBy draws an edge by hand from something outside the catalog.
func (w *World) FedBy(by Member, target, system, model string) graph.DrawnEdge {
	w.t.Helper()
	edge, err := w.Store.AddEdge(w.t.Context(), w.Writer(by, authz.EditDatasources), graph.NewEdge{
		Source: graph.EdgeEnd{External: &graph.NewExternal{System: system, Model: model}}, Target: graph.EdgeEnd{Asset: target},
	})
	require.NoError(w.t, err)
	return edge
}

// Graph makes, in one transaction, the tables that the edges name and the edges: "a>b" says that a feeds
// b, "a" alone is a table without edges. It returns their ids by name. Calls add up as long as each is
// for a project of its own.
func (w *World) Graph(by Member, d *graph.Datasource, project string, edges ...string) map[string]string {
	w.t.Helper()
	in := graph.Ingest{Project: project, Producer: "test:" + project, Category: graph.EdgeCollected, SuiteName: project}
	seen := map[string]bool{}
	for _, e := range edges {
		source, target, isEdge := strings.Cut(e, ">")
		for _, name := range []string{source, target} {
			if name != "" && !seen[name] {
				seen[name] = true
				in.Assets = append(in.Assets, graph.IngestAsset{Key: name, Datasource: d.ID, Name: name, Type: graph.TypeTable, Builds: true})
			}
		}
		if isEdge {
			in.Edges = append(in.Edges, graph.IngestEdge{Source: source, Target: target})
		}
	}
	w.Ingest(by, in)
	ids := make(map[string]string, len(seen))
	for name := range seen {
		ids[name] = w.AssetNamed(by, d, name).ID
	}
	return ids
}

// Ingest applies what a project states, its datasources named by id.
func (w *World) Ingest(by Member, in graph.Ingest) graph.IngestSummary {
	w.t.Helper()
	summary, err := w.Store.ApplyIngest(w.t.Context(), w.Writer(by, authz.Ingest), in.Producer, func(graph.Landing) (graph.Ingest, error) { return in, nil })
	require.NoError(w.t, err)
	return summary
}

// AssetNamed is the asset of a name, as a member sees it.
func (w *World) AssetNamed(as Member, d *graph.Datasource, name string) *graph.Asset {
	w.t.Helper()
	a, err := w.Store.AssetNamed(w.t.Context(), w.Caller(as).Audience, d.ID, name)
	require.NoError(w.t, err)
	require.NotNil(w.t, a, name)
	return a
}
