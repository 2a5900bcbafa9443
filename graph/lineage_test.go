package graph_test

import (
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// fed seeds edges "a>b" between nodes that it makes as they are named; ids begin with the workspace's
// name. A name that is given twice is one node.
func (w *world) fed(edges ...[2]string) {
	names, rows := map[string]bool{}, []any{}
	for _, e := range edges {
		names[e[0]], names[e[1]] = true, true
		rows = append(rows, map[string]any{
			"source": w.at(e[0]), "target": w.at(e[1]), "id": graph.EdgeID(w.at(e[0]), w.at(e[1]), graph.EdgeManual),
		})
	}
	w.rows(`UNWIND $names AS name
		CREATE (:Dataset:Asset {id: $workspace + ' ' + name, name: 'db.' + $workspace + '.' + name, workspace: $workspace, datasource: 'ds',
		  hiddenRank: 0, columnCount: 2})`, map[string]any{"names": slices.Sorted(maps.Keys(names))})
	w.rows(`UNWIND $rows AS e
		MATCH (s:Dataset {id: e.source, workspace: $workspace}) MATCH (t:Dataset {id: e.target, workspace: $workspace})
		CREATE (s)-[:FEEDS {id: e.id, workspace: $workspace, category: 'MANUAL'}]->(t)`, map[string]any{"rows": rows})
}

// at is the id of a node that fed made.
func (w *world) at(name string) string { return w.workspace + " " + name }

// each is an edge from one node to each of n others, "prefix0" and so on.
func each(from, prefix string, n int) [][2]string {
	out := make([][2]string, n)
	for i := range out {
		out[i] = [2]string{from, prefix + strconv.Itoa(i)}
	}
	return out
}

func (w *world) reach(q graph.ReachQuery) graph.Reached {
	w.t.Helper()
	q.Node = w.at(q.Node)
	reached, err := w.store.Reach(w.t.Context(), w.audience(), q)
	require.NoError(w.t, err)
	return reached
}

func idsIn(t graph.Topology) []string {
	var out []string
	for _, n := range t.Nodes {
		out = append(out, n.ID)
	}
	slices.Sort(out)
	return out
}

func TestReachKeepsToItsLimit(t *testing.T) {
	w := newWorld(t)
	w.fed(each("hub", "leaf", 20)...)
	for depth := 1; depth <= 2; depth++ {
		whole := w.reach(graph.ReachQuery{Node: "hub", Direction: graph.Downstream, Depth: depth, Limit: 21})
		assert.Len(t, whole.Nodes, 21)
		assert.Len(t, whole.Edges, 20)
		assert.False(t, whole.Exceeded)
		over := w.reach(graph.ReachQuery{Node: "hub", Direction: graph.Both, Depth: depth, Limit: 20})
		assert.Equal(t, graph.Reached{Exceeded: true}, over)
	}
	assert.Equal(t, graph.TopologyNode{ID: w.at("hub"), Name: "db." + w.workspace + ".hub", Datasource: "ds", ColumnCount: 2, Fits: true},
		w.reach(graph.ReachQuery{Node: "hub", Direction: graph.Both, Limit: 5}).Nodes[0])
	assert.Empty(t, w.reach(graph.ReachQuery{Node: "nothing", Direction: graph.Both, Depth: 3, Limit: 5}).Nodes)
	for _, q := range []graph.ReachQuery{{Depth: 6, Direction: graph.Both}, {Depth: -1, Direction: graph.Both}, {Depth: 1, Direction: "SIDEWAYS"}, {}} {
		_, err := w.store.Reach(t.Context(), w.audience(), q)
		assert.Equal(t, fault.CodeBadUserInput, fault.CodeOf(err))
	}
}

// A hub lists only some of its edges; those to nodes of the answer are there all the same.
func TestHubsKeepTheEdgesThatMatter(t *testing.T) {
	w := newWorld(t)
	edges := append(each("hub", "leaf", 400), [2]string{"leaf7", "focus"}, [2]string{"leaf300", "focus"}, [2]string{"focus", "next"}, [2]string{"hub", "focus"}, [2]string{"hub", "next"})
	w.fed(edges...)
	want := []string{w.at("focus"), w.at("hub"), w.at("leaf300"), w.at("leaf7"), w.at("next")}
	ctx, session := graph.WithSession(t.Context())
	reached, err := w.store.Reach(ctx, w.audience(), graph.ReachQuery{Node: w.at("focus"), Direction: graph.Both, Depth: 2, Limit: 500})
	require.NoError(t, err)
	assert.Equal(t, want, idsIn(reached.Topology))
	assert.Len(t, reached.Edges, 7)
	assert.False(t, reached.Beyond, "what else the hub feeds lies in a direction that is not walked from it")
	assert.LessOrEqual(t, session.Statements(), 3)

	topology, err := w.store.Topology(t.Context(), w.audience(), want, graph.WalkFilter{})
	require.NoError(t, err)
	assert.Equal(t, want, idsIn(topology))
	assert.ElementsMatch(t, reached.Edges, topology.Edges)
}

func TestBeyondIsWhetherAWalkWouldGoOn(t *testing.T) {
	w := newWorld(t)
	edges := append(each("hub", "leaf", 300), each("wide", "same", 250)...)
	edges = append(edges, each("back", "same", 250)...)
	for i := range 250 {
		edges = append(edges, [2]string{"same" + strconv.Itoa(i), "wide"})
	}
	w.fed(append(edges, [2]string{"a", "b"}, [2]string{"b", "c"}, [2]string{"c", "c"}, [2]string{"x", "hub"})...)
	for _, c := range []struct {
		node  string
		d     graph.Direction
		depth int
		want  bool
	}{
		{"a", graph.Downstream, 1, true}, {"a", graph.Downstream, 2, false}, {"a", graph.Upstream, 0, false}, {"a", graph.Downstream, 0, true},
		{"c", graph.Upstream, 1, true}, {"c", graph.Upstream, 2, false}, {"c", graph.Downstream, 0, false}, {"c", graph.Upstream, 0, true},
		{"b", graph.Both, 1, false}, {"b", graph.Both, 0, true},
		{"x", graph.Downstream, 1, true}, {"hub", graph.Upstream, 0, true},
		{"wide", graph.Downstream, 1, false}, {"back", graph.Downstream, 1, true}, {"back", graph.Downstream, 2, false},
		{"same0", graph.Downstream, 1, true}, {"wide", graph.Upstream, 1, true},
	} {
		reached := w.reach(graph.ReachQuery{Node: c.node, Direction: c.d, Depth: c.depth, Limit: 500})
		assert.False(t, reached.Exceeded)
		assert.Equal(t, c.want, reached.Beyond, "%s %s %d", c.node, c.d, c.depth)
	}
}

func TestNeighboursKeepThoseThatLeadOn(t *testing.T) {
	w := newWorld(t)
	edges := append(each("hub", "leaf", 8), [2]string{"hub", "hub"}, [2]string{"leaf5", "x"}, [2]string{"leaf5", "y"}, [2]string{"z", "leaf3"}, [2]string{"leaf2", "leaf2"})
	w.fed(edges...)
	got, err := w.store.Neighbours(t.Context(), w.audience(), graph.NeighboursQuery{Nodes: []string{w.at("hub"), w.at("leaf3"), "nothing"}, Direction: graph.Downstream, FanOut: 3})
	require.NoError(t, err)
	assert.Equal(t, map[string][]graph.Neighbour{
		w.at("hub"):   {{ID: w.at("leaf5"), Degree: 3, Fits: true}, {ID: w.at("leaf3"), Degree: 2, Fits: true}, {ID: w.at("leaf0"), Degree: 1, Fits: true}},
		w.at("leaf3"): {},
	}, got)
	got, err = w.store.Neighbours(t.Context(), w.audience(), graph.NeighboursQuery{Nodes: []string{w.at("leaf3")}, Direction: graph.Upstream, FanOut: 3})
	require.NoError(t, err)
	assert.Equal(t, map[string][]graph.Neighbour{w.at("leaf3"): {{ID: w.at("hub"), Degree: 8, Fits: true}, {ID: w.at("z"), Degree: 1, Fits: true}}}, got)
	totals, err := w.store.NeighbourTotals(t.Context(), w.audience(), []string{w.at("hub"), w.at("x"), "nothing"}, graph.Downstream, graph.WalkFilter{})
	require.NoError(t, err)
	assert.Equal(t, map[string]int{w.at("hub"): 8, w.at("x"): 0}, totals)
}

// sibling is another workspace of the same organization, with an admin.
func (w *world) sibling() *world {
	other := *w
	other.workspace += "-b"
	require.NoError(w.t, w.store.EnsureWorkspace(w.t.Context(), other.workspace))
	other.enrol(graph.RoleAdmin, other.email(graph.RoleAdmin))
	return &other
}

func TestEdgesOfAnotherWorkspaceAreNotWalked(t *testing.T) {
	w := newWorld(t)
	other := w.sibling()
	one, two := w.organizationAsset(0), w.organizationAsset(0)
	drawn, err := w.store.AddEdge(t.Context(), w.as(w.email(graph.RoleAdmin), authz.EditDatasources), upstream{Asset: two, UpstreamAsset: one}.edge())
	require.NoError(t, err)
	q := graph.ReachQuery{Node: one, Direction: graph.Both, Depth: 2, Limit: 500}
	reached, err := w.store.Reach(t.Context(), w.audience(), q)
	require.NoError(t, err)
	assert.Equal(t, []graph.Edge{drawn.Edge}, reached.Edges)

	for depth := range graph.MaxDepth + 1 {
		q.Depth = depth
		reached, err = other.store.Reach(t.Context(), other.audience(), q)
		require.NoError(t, err)
		assert.Equal(t, []string{one}, idsIn(reached.Topology), "who did not draw it does not see that they connect")
		assert.False(t, reached.Beyond)
	}
	topology, err := other.store.Topology(t.Context(), other.audience(), []string{one, two}, graph.WalkFilter{})
	require.NoError(t, err)
	assert.Len(t, topology.Nodes, 2)
	assert.Empty(t, topology.Edges)
	neighbours, err := other.store.Neighbours(t.Context(), other.audience(), graph.NeighboursQuery{Nodes: []string{one}, Direction: graph.Downstream, FanOut: 9})
	require.NoError(t, err)
	assert.Empty(t, neighbours[one])
	totals, err := other.store.NeighbourTotals(t.Context(), other.audience(), []string{two}, graph.Upstream, graph.WalkFilter{})
	require.NoError(t, err)
	assert.Equal(t, map[string]int{two: 0}, totals)
	_, err = other.store.DeleteEdge(t.Context(), other.as(other.email(graph.RoleAdmin), authz.EditDatasources), drawn.ID)
	assert.Equal(t, fault.NotFound("edge"), fault.Of(err))

	// The other workspace may draw the same edge for itself, and each deletes its own.
	again, err := other.store.AddEdge(t.Context(), other.as(other.email(graph.RoleAdmin), authz.EditDatasources), upstream{Asset: two, UpstreamAsset: one}.edge())
	require.NoError(t, err)
	assert.Equal(t, drawn, again)
	_, err = w.store.DeleteEdge(t.Context(), w.as(w.email(graph.RoleAdmin), authz.EditDatasources), drawn.ID)
	require.NoError(t, err)
	reached, err = other.store.Reach(t.Context(), other.audience(), graph.ReachQuery{Node: one, Direction: graph.Both, Depth: 2, Limit: 500})
	require.NoError(t, err)
	assert.Equal(t, []graph.Edge{drawn.Edge}, reached.Edges)
}
