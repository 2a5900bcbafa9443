package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

func (c connections) assertAs(email string, in graph.Assert) (graph.AssertSummary, error) {
	return c.store.AssertEdges(c.t.Context(), c.as(email, authz.EditDatasources), in)
}

// fact is an edge of a model of what producers assert.
type fact struct {
	active, retired bool
	// by are the producers that assert it, with whether they took it back.
	by map[string]bool
}

// facts is the model: edges by id.
type facts map[string]*fact

func (f facts) at(id string) *fact {
	if f[id] == nil {
		f[id] = &fact{by: map[string]bool{}}
	}
	return f[id]
}

func (x *fact) asserted() bool {
	for _, retracted := range x.by {
		if !retracted {
			return true
		}
	}
	return false
}

// assert applies what a producer says, and returns how many edges are created, unchanged and retracted.
func (f facts) assert(by string, c graph.EdgeCategory, ids []string, complete bool) [3]int {
	var out [3]int
	listed := map[string]bool{}
	for _, id := range ids {
		if listed[id] {
			continue
		}
		listed[id] = true
		x := f.at(id)
		retracted, known := x.by[by]
		if known && !retracted && x.active {
			out[1]++
			continue
		}
		out[0]++
		x.by[by], x.active, x.retired = false, true, false
	}
	for id, x := range f {
		if retracted, known := x.by[by]; !complete || listed[id] || !known || retracted {
			continue
		}
		out[2]++
		if c.Retires() {
			x.by[by] = true
		} else {
			delete(x.by, by)
		}
		if x.active && !x.asserted() {
			x.active, x.retired = false, c.Retires()
		}
	}
	return out
}

func (f facts) delete(id string, c graph.EdgeCategory) {
	x := f.at(id)
	if c.Retires() {
		x.active, x.retired = false, true
		return
	}
	*x = fact{by: map[string]bool{}}
}

// lines is the model as text, one line for each edge and assertion.
func (f facts) lines() []string {
	out := []string{}
	for id, x := range f {
		if x.active {
			out = append(out, id+" active")
		}
		if x.retired {
			out = append(out, id+" retired")
		}
		for by, retracted := range x.by {
			out = append(out, fmt.Sprintf("%s by %s %t", id, by, retracted))
		}
	}
	slices.Sort(out)
	return out
}

// stored is what the store has, in the same form.
func (c connections) stored(ids []string) []string {
	out := []string{}
	for _, r := range c.rows(`UNWIND $ids AS id MATCH ()-[r:FEEDS|FED {id: id, workspace: $workspace}]->() RETURN id, type(r)`, map[string]any{"ids": ids}) {
		out = append(out, r[0].(string)+map[string]string{"FEEDS": " active", "FED": " retired"}[r[1].(string)])
	}
	for _, r := range c.rows(`UNWIND $ids AS id MATCH (x:Assertion {edge: id, workspace: $workspace}) RETURN id, x.producer, x.retractedAt IS NOT NULL`, map[string]any{"ids": ids}) {
		out = append(out, fmt.Sprintf("%s by %s %t", r[0], strings.ReplaceAll(r[1].(string), "\n", "/"), r[2]))
	}
	slices.Sort(out)
	return out
}

// drawnPair is an edge between two of the assets of a round.
type drawnPair struct {
	from, to int
	category graph.EdgeCategory
}

func (p drawnPair) id(assets []string) string {
	return graph.EdgeID(assets[p.from], assets[p.to], p.category)
}

// TestAssertionsAreThoseOfTheModel lets two producers with two scopes each say things in two categories, and
// people delete edges, in any order.
func TestAssertionsAreThoseOfTheModel(t *testing.T) {
	c := newConnections(t)
	manager := c.email(graph.RoleManager)
	round := 0
	rapid.Check(t, func(t *rapid.T) {
		round++
		var assets []string
		for i := range 3 {
			assets = append(assets, c.asset(c.open.ID, fmt.Sprintf("shop.t%d_%d", round, i)).ID)
		}
		model := facts{}
		var every []drawnPair
		pair := func() drawnPair {
			return drawnPair{rapid.IntRange(0, 2).Draw(t, "from"), rapid.IntRange(0, 2).Draw(t, "to"), rapid.SampledFrom([]graph.EdgeCategory{graph.EdgeCollected, graph.EdgeOpenLineage}).Draw(t, "category")}
		}
		for range rapid.IntRange(1, 10).Draw(t, "steps") {
			if len(every) > 0 && rapid.IntRange(0, 3).Draw(t, "delete when 0") == 0 {
				deleted := rapid.SampledFrom(every).Draw(t, "edge")
				id := deleted.id(assets)
				_, err := c.erase(manager, id)
				if x := model.at(id); !x.active && !x.retired {
					require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
					continue
				}
				require.NoError(t, err)
				model.delete(id, deleted.category)
				continue
			}
			in := graph.Assert{
				Category: pair().category, Producer: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "producer"), Scope: fmt.Sprint(rapid.SampledFrom([]string{"x", "y"}).Draw(t, "scope"), round),
				Complete: rapid.Bool().Draw(t, "complete"),
			}
			var ids []string
			for range rapid.IntRange(0, 3).Draw(t, "edges") {
				p := pair()
				p.category = in.Category
				in.Edges = append(in.Edges, graph.AssertedEdge{Source: graph.EdgeEnd{Asset: assets[p.from]}, Target: graph.EdgeEnd{Asset: assets[p.to]}, EventKind: "TEST"})
				ids, every = append(ids, p.id(assets)), append(every, p)
			}
			got, err := c.assertAs(manager, in)
			require.NoError(t, err)
			want := model.assert(in.Producer+"/"+string(in.Category)+"/"+in.Scope, in.Category, ids, in.Complete)
			require.Equal(t, want, [3]int{got.Created, got.Unchanged, got.Retracted})
			require.Zero(t, got.Kept)
		}
		var ids []string
		for _, p := range every {
			ids = append(ids, p.id(assets))
		}
		slices.Sort(ids)
		ids = slices.Compact(ids)
		require.Equal(t, model.lines(), c.stored(ids))
	})
}

func TestAssertionsNeedEditorAtBothEnds(t *testing.T) {
	c := newConnections(t)
	member := c.email(graph.RoleMember)
	one := func(from, to string) graph.Assert {
		return graph.Assert{Category: graph.EdgeCollected, Producer: "p", Scope: "s", Edges: []graph.AssertedEdge{{Source: graph.EdgeEnd{Asset: from}, Target: graph.EdgeEnd{Asset: to}, EventKind: "TEST"}}}
	}
	written, versions := c.written(), c.versions()
	for _, in := range []graph.Assert{one(c.orders.ID, c.revenue.ID), one(c.revenue.ID, c.orders.ID)} {
		_, err := c.assertAs(member, in)
		assert.Equal(t, fault.Forbidden("EDITOR on the datasource lake"), fault.Of(err))
	}
	_, err := c.assertAs(member, one(c.orders.ID, "asset_00000000000000000000000000000000"))
	assert.Equal(t, fault.NotFound("asset"), fault.Of(err))
	external := graph.Assert{Category: graph.EdgeCollected, Producer: "p", Scope: "s", Edges: []graph.AssertedEdge{{
		Source: graph.EdgeEnd{External: &graph.NewExternal{System: "s3", Model: "lake.revenue"}}, Target: graph.EdgeEnd{Asset: c.orders.ID}, EventKind: "TEST",
	}}}
	_, err = c.assertAs(member, external)
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(err), "what is called like a catalogued asset stands for it")
	assert.Equal(t, written, c.written())
	assert.Equal(t, versions, c.versions())
	got, err := c.assertAs(member, one(c.orders.ID, c.customers.ID))
	require.NoError(t, err)
	assert.Equal(t, 1, got.Created)
	versions = c.versions()
	got, err = c.assertAs(member, one(c.orders.ID, c.customers.ID))
	require.NoError(t, err)
	assert.Equal(t, 1, got.Unchanged)
	assert.Equal(t, versions, c.versions(), "nothing changed")
}

func TestACompleteScopeKeepsWhatIsNotTheCallersToEdit(t *testing.T) {
	c := newConnections(t)
	in := graph.Assert{Category: graph.EdgeOpenLineage, Producer: "p", Scope: "s", Complete: true, Edges: []graph.AssertedEdge{
		{Source: graph.EdgeEnd{Asset: c.orders.ID}, Target: graph.EdgeEnd{Asset: c.revenue.ID}, EventKind: "TEST"},
		{Source: graph.EdgeEnd{Asset: c.orders.ID}, Target: graph.EdgeEnd{Asset: c.customers.ID}, EventKind: "TEST"},
		{Source: graph.EdgeEnd{External: &graph.NewExternal{System: "s3", Model: "in"}}, Target: graph.EdgeEnd{Asset: c.customers.ID}, EventKind: "TEST"},
	}}
	_, err := c.assertAs(c.email(graph.RoleManager), in)
	require.NoError(t, err)
	in.Edges = nil
	got, err := c.assertAs(c.email(graph.RoleMember), in)
	require.NoError(t, err)
	assert.Equal(t, 2, got.Retracted)
	assert.Equal(t, 1, got.Kept)
	ids := []string{
		graph.EdgeID(c.orders.ID, c.revenue.ID, graph.EdgeOpenLineage), graph.EdgeID(c.orders.ID, c.customers.ID, graph.EdgeOpenLineage),
		graph.EdgeID(graph.ExternalID("s3", "in"), c.customers.ID, graph.EdgeOpenLineage),
	}
	want := []string{
		ids[0] + " active", ids[0] + " by p/OPENLINEAGE/s false", ids[1] + " retired", ids[1] + " by p/OPENLINEAGE/s true", ids[2] + " retired", ids[2] + " by p/OPENLINEAGE/s true",
	}
	slices.Sort(want)
	assert.Equal(t, want, c.stored(ids))
	assert.Equal(t, 1, c.count(`MATCH (x:External {workspace: $workspace}) RETURN count(x)`), "a retired edge holds what it leads from")
}

// TestARetiredEdgeIsTakenBackByWhoMayEditIt: a complete scope asks the same of edges that are retired, and says nothing
// of those that are hidden.
func TestARetiredEdgeIsTakenBackByWhoMayEditIt(t *testing.T) {
	c := newConnections(t)
	in := graph.Assert{Category: graph.EdgeOpenLineage, Producer: "p", Scope: "s", Complete: true, Edges: []graph.AssertedEdge{
		{Source: graph.EdgeEnd{Asset: c.orders.ID}, Target: graph.EdgeEnd{Asset: c.revenue.ID}, EventKind: "TEST"},
	}}
	done, err := c.assertAs(c.email(graph.RoleManager), in)
	require.NoError(t, err)
	edge := done.Edges[0].ID
	_, err = c.erase(c.email(graph.RoleManager), edge)
	require.NoError(t, err)
	in.Edges = nil
	kept := []string{edge + " by p/OPENLINEAGE/s false", edge + " retired"}
	got, err := c.assertAs(c.email(graph.RoleMember), in)
	require.NoError(t, err)
	assert.Equal(t, [2]int{0, 1}, [2]int{got.Retracted, got.Kept})
	assert.Equal(t, kept, c.stored([]string{edge}))

	c.rows(`MATCH (a:Asset {id: $id}) SET a.hiddenRank = 3 RETURN 1`, map[string]any{"id": c.revenue.ID}) // from everyone
	for _, email := range []string{c.email(graph.RoleMember), c.email(graph.RoleManager)} {
		got, err = c.assertAs(email, in)
		require.NoError(t, err)
		assert.Equal(t, [2]int{0, 0}, [2]int{got.Retracted, got.Kept})
	}
	assert.Equal(t, kept, c.stored([]string{edge}))
}

func TestAnEdgeKeepsWhatIsSaidOfIt(t *testing.T) {
	c := newConnections(t)
	manager, viewer := c.email(graph.RoleManager), c.restrictedViewer()
	c.restrict(c.revenue.ID)
	job, facets := "shop.load", map[string]any{"sql": "SELECT 1", "connection": map[string]any{"user": "me", "Password": "hunter2", "urls": []any{map[string]any{"accessToken": "t", "n": 1.0}}}}
	in := graph.Assert{Category: graph.EdgeOpenLineage, Producer: "airflow", Scope: "dag", Edges: []graph.AssertedEdge{
		{Source: graph.EdgeEnd{Asset: c.orders.ID}, Target: graph.EdgeEnd{Asset: c.revenue.ID}, EventKind: "COMPLETE", Details: graph.AssertionDetails{Job: &job, Facets: facets}},
	}}
	done, err := c.assertAs(manager, in)
	require.NoError(t, err)
	edge := done.Edges[0].ID
	meaning := "loaded every night"
	for range 2 {
		drawn, err := c.store.UpdateEdge(t.Context(), c.as(manager, authz.EditDatasources), edge, graph.EdgeChange{Description: graph.Change[*string]{Set: true, Value: &meaning}})
		require.NoError(t, err)
		assert.Equal(t, done.Edges[0], drawn)
	}
	assert.Equal(t, 1, c.count(`MATCH (e:AuditEvent {workspace: $workspace, action: 'edge.update'}) RETURN count(e)`), "the second change is none")
	_, err = c.store.UpdateEdge(t.Context(), c.as(c.email(graph.RoleMember), authz.EditDatasources), edge, graph.EdgeChange{})
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(err))

	gone, err := c.erase(manager, edge)
	require.NoError(t, err)
	assert.Equal(t, graph.EdgeRetired, gone.Outcome)
	again, err := c.erase(manager, edge)
	require.NoError(t, err)
	assert.Equal(t, gone, again)
	assert.Equal(t, 1, c.count(`MATCH (e:AuditEvent {workspace: $workspace, action: 'edge.retire'}) RETURN count(e)`))

	said, err := c.store.Assertions(t.Context(), c.audience(), []string{edge})
	require.NoError(t, err)
	require.Len(t, said[edge], 1)
	assert.Equal(t, "airflow", said[edge][0].Producer)
	assert.Equal(t, "COMPLETE", said[edge][0].EventKind)
	assert.Equal(t, graph.AssertionDetails{Scope: "dag", Job: &job, Facets: map[string]any{
		"sql": "SELECT 1", "connection": map[string]any{"user": "me", "Password": "***", "urls": []any{map[string]any{"accessToken": "***", "n": 1.0}}},
	}}, said[edge][0].Details)
	meanings, err := c.store.EdgeDescriptions(t.Context(), c.audience(), []string{edge})
	require.NoError(t, err)
	assert.Equal(t, map[string]*string{edge: &meaning}, meanings)

	hidden := c.caller(viewer).Audience
	said, err = c.store.Assertions(t.Context(), hidden, []string{edge})
	require.NoError(t, err)
	assert.Empty(t, said)
	meanings, err = c.store.EdgeDescriptions(t.Context(), hidden, []string{edge})
	require.NoError(t, err)
	assert.Empty(t, meanings)

	_, err = c.assertAs(manager, in)
	require.NoError(t, err)
	meanings, err = c.store.EdgeDescriptions(t.Context(), c.audience(), []string{edge})
	require.NoError(t, err)
	assert.Equal(t, map[string]*string{edge: &meaning}, meanings, "it comes back with what was said of it")
}

func TestAnEdgeByHandBetweenAnyEnds(t *testing.T) {
	c := newConnections(t)
	manager, meaning := c.email(graph.RoleManager), "by hand"
	out := graph.NewEdge{Source: graph.EdgeEnd{Asset: c.orders.ID}, Target: graph.EdgeEnd{External: &graph.NewExternal{System: "tableau", Model: "sales"}}, Description: &meaning}
	drawn, err := c.store.AddEdge(t.Context(), c.as(manager, authz.EditDatasources), out)
	require.NoError(t, err)
	assert.Equal(t, "ext:tableau:sales", drawn.Target)
	meanings, err := c.store.EdgeDescriptions(t.Context(), c.audience(), []string{drawn.ID})
	require.NoError(t, err)
	assert.Equal(t, map[string]*string{drawn.ID: &meaning}, meanings)
	out.Source = graph.EdgeEnd{External: &graph.NewExternal{System: "s3", Model: "in"}}
	_, err = c.store.AddEdge(t.Context(), c.as(manager, authz.EditDatasources), out)
	assert.Equal(t, fault.CodeBadUserInput, fault.CodeOf(err), "nothing of the catalog is at either end")
}
