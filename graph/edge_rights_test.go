package graph_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// organizationAsset puts an asset of the organization into the store, whose name is its id.
func (w *world) organizationAsset(hiddenRank int) string {
	id := graph.RandomIDs{}.New(graph.KindAsset)
	w.rows(`MERGE (d:Datasource {id: 'datasource-of-' + $workspace, workspace: $organization, name: 'organization', owner: ''})
		CREATE (:Dataset:Asset {id: $id, workspace: $organization, datasource: d.id, name: $id, isRestricted: $rank > 0, hiddenRank: $rank,
		  columnCount: 0, suiteCount: 0})`, map[string]any{"id": id, "rank": hiddenRank, "organization": w.organization})
	return id
}

func TestExternalNamedLikeAnAssetNeedsItsDatasource(t *testing.T) {
	c := newConnections(t)
	elsewhere := c.sibling()
	hidden := c.organizationAsset(2)
	member := c.email(graph.RoleMember)
	draw := func(email, model string) (graph.DrawnEdge, error) {
		return c.draw(email, upstream{Asset: c.orders.ID, UpstreamExternal: &graph.NewExternal{System: "dbt", Model: model}})
	}
	_, err := draw(member, "lake.revenue")
	require.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
	assert.Equal(t, "EDITOR on the datasource lake", fault.Of(err).Needs)
	_, err = draw(member, "lake.Revenue")
	require.NoError(t, err, "names are compared exactly")
	_, err = draw(member, "shop.customers")
	require.NoError(t, err, "a datasource that they may edit")

	// Who may not know the asset must not learn of it by being refused.
	outsider := "outsider@" + c.workspace + ".test"
	c.enrol(graph.RoleMember, outsider)
	_, err = draw(outsider, hidden)
	require.Equal(t, fault.CodeForbidden, fault.CodeOf(err), "they see it, and may not edit its datasource")
	_, err = c.store.EnsureMember(t.Context(), elsewhere.workspace, outsider, graph.RoleViewer, graph.Restricted)
	require.NoError(t, err)
	require.Equal(t, graph.ClassOrgHidden, c.caller(outsider).Audience.Class)
	drawn, err := draw(outsider, hidden)
	require.NoError(t, err)

	_, err = c.erase(member, drawn.ID)
	require.Equal(t, fault.CodeForbidden, fault.CodeOf(err), "deleting asks the same")
	_, err = c.erase(outsider, drawn.ID)
	require.NoError(t, err)
}

func TestDeletingAnEdge(t *testing.T) {
	c := newConnections(t)
	manager := c.email(graph.RoleManager)
	for category, when := range map[graph.EdgeCategory]string{
		graph.EdgeManual: "", graph.EdgeDBT: "the next dbt ingest while its manifest has it", graph.EdgeDataCatalog: "the next sync of the data catalog",
		graph.EdgeCollected: "the next time a collector observes it", graph.EdgeManaged: "the next save or write of the computed container",
	} {
		id := graph.EdgeID(c.orders.ID, c.revenue.ID, category)
		c.rows(`MATCH (s:Dataset {id: $source, workspace: $workspace}) MATCH (t:Dataset {id: $target, workspace: $workspace})
			CREATE (s)-[:FEEDS {id: $id, workspace: $workspace, category: $category}]->(t)
			CREATE (:Assertion {edge: $id, workspace: $workspace, producer: 'dbt:a'}) CREATE (:Assertion {edge: $id, workspace: $workspace, producer: 'dbt:b'})
			CREATE (:Assertion {edge: 'other ' + $id, workspace: $workspace, producer: 'dbt:a'})`,
			map[string]any{"source": c.orders.ID, "target": c.revenue.ID, "id": id, "category": string(category)})
		before, written := c.versions(), c.written()
		deleted, err := c.erase(manager, id)
		require.NoError(t, err)
		want := graph.DeletedEdge{Edge: id, Outcome: graph.EdgeDeleted}
		if when != "" {
			want.ComesBackWhen = &when
		}
		assert.Equal(t, want, deleted)
		assert.NotEqual(t, before[graph.FamilyLineage], c.versions()[graph.FamilyLineage])
		left := c.written()
		assert.Equal(t, written["edges"]-1, left["edges"])
		assert.Equal(t, written["assertions"]-2, left["assertions"])
		assert.Equal(t, [][]any{{`{"category":"` + string(category) + `","source":"` + c.orders.ID + `","target":"` + c.revenue.ID + `"}`, nil}},
			c.rows(`MATCH (e:AuditEvent {workspace: $workspace, action: 'edge.delete', resource: $id}) RETURN e.before, e.after`, map[string]any{"id": id}))

		_, err = c.erase(manager, id)
		assert.Equal(t, fault.NotFound("edge"), fault.Of(err))
	}
}

func TestOnDeleteSaysWhetherAnEdgeComesBack(t *testing.T) {
	assert.Equal(t, "It stays gone until someone draws it again.", graph.EdgeManual.OnDelete())
	assert.Equal(t, "It comes back with the next dbt ingest while its manifest has it.", graph.EdgeDBT.OnDelete())
}

func TestDrawnEdgeTellsWhetherItClosesACycle(t *testing.T) {
	c := newConnections(t)
	manager := c.email(graph.RoleManager)
	forth, err := c.draw(manager, upstream{Asset: c.customers.ID, UpstreamAsset: c.orders.ID})
	require.NoError(t, err)
	assert.False(t, forth.ClosesCycle)
	back, err := c.draw(manager, upstream{Asset: c.orders.ID, UpstreamAsset: c.customers.ID})
	require.NoError(t, err, "it is accepted and marked")
	assert.True(t, back.ClosesCycle)

	// Forty layers of two, each node feeding both of the next: 2^40 paths from the first to the last.
	c.rows(`UNWIND range(0, 39) AS layer UNWIND [0, 1] AS side
		CREATE (:Dataset:Asset {id: $workspace + ' ' + layer + ' ' + side, name: $workspace + ' ' + layer + ' ' + side, workspace: $workspace,
		  datasource: $datasource, hiddenRank: 0, columnCount: 0, layer: layer})
		WITH count(*) AS made
		MATCH (s:Asset {workspace: $workspace}) MATCH (t:Asset {workspace: $workspace}) WHERE t.layer = s.layer + 1
		CREATE (s)-[:FEEDS {id: s.id + '>' + t.id, workspace: $workspace, category: 'MANUAL'}]->(t)`, map[string]any{"datasource": c.open.ID})
	closing, err := c.draw(manager, upstream{Asset: c.workspace + " 0 0", UpstreamAsset: c.workspace + " 39 1"})
	require.NoError(t, err)
	assert.True(t, closing.ClosesCycle)
}

func TestEdgeToHiddenNodeRaisesNoVersionOfThoseItIsHiddenFrom(t *testing.T) {
	c := newConnections(t)
	c.restrict(c.revenue.ID)
	versions := func() map[graph.Class]string {
		_, epochs, err := c.store.Caller(t.Context(), c.email(graph.RoleAdmin), c.workspace)
		require.NoError(t, err)
		out := map[graph.Class]string{}
		for _, class := range []graph.Class{graph.ClassFull, graph.ClassOrgHidden, graph.ClassRestricted} {
			out[class] = epochs.Version(graph.FamilyLineage, class)
		}
		return out
	}
	// Drawing and deleting another edge first: counters that do not exist yet read as other ones.
	_, err := c.draw(c.email(graph.RoleManager), upstream{Asset: c.customers.ID, UpstreamAsset: c.orders.ID})
	require.NoError(t, err)
	before := versions()
	drawn, err := c.draw(c.email(graph.RoleManager), upstream{Asset: c.revenue.ID, UpstreamAsset: c.orders.ID})
	require.NoError(t, err)
	added := versions()
	_, err = c.erase(c.email(graph.RoleManager), drawn.ID)
	require.NoError(t, err)
	deleted := versions()
	assert.NotEqual(t, before[graph.ClassFull], added[graph.ClassFull])
	assert.NotEqual(t, added[graph.ClassFull], deleted[graph.ClassFull])
	assert.NotEqual(t, before[graph.ClassOrgHidden], added[graph.ClassOrgHidden], "the asset is of the workspace")
	assert.Equal(t, before[graph.ClassRestricted], added[graph.ClassRestricted])
	assert.Equal(t, before[graph.ClassRestricted], deleted[graph.ClassRestricted])
}

func TestEdgesAreDrawnAndDeletedOneAfterAnother(t *testing.T) {
	c := newConnections(t)
	manager := c.email(graph.RoleManager)
	in := upstream{Asset: c.orders.ID, UpstreamExternal: &graph.NewExternal{System: "s", Model: "m"}}
	id := graph.EdgeID(graph.ExternalID("s", "m"), c.orders.ID, graph.EdgeManual)
	writer := c.as(manager, authz.EditDatasources)
	var all sync.WaitGroup
	errs := make(chan error, 200)
	for i := range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for j := range 10 {
				var err error
				if (i+j)%2 == 0 {
					_, err = c.store.AddEdge(t.Context(), writer, in.edge())
				} else if _, err = c.store.DeleteEdge(t.Context(), writer, id); fault.CodeOf(err) == fault.CodeNotFound {
					err = nil // another was faster
				}
				errs <- err
			}
		}()
	}
	all.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
	events := c.events()
	added := len(slices.DeleteFunc(slices.Clone(events), func(a string) bool { return a != "edge.add" }))
	deleted := len(slices.DeleteFunc(slices.Clone(events), func(a string) bool { return a != "edge.delete" }))
	left := c.written()
	assert.Equal(t, added-deleted, left["edges"], "every change has its event, and nothing happened twice")
	assert.Equal(t, left["edges"], left["externals"])
	assert.Contains(t, []int{0, 1}, left["edges"])
}
