package graph_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// connections is a world with two datasources. The manager owns both; every member may edit the first.
type connections struct {
	*world
	orders, customers, revenue *graph.Asset
	open, closed               *graph.Datasource
}

func newConnections(t *testing.T) connections {
	c := connections{world: newWorld(t)}
	c.open = c.datasource(graph.NewDatasource{Name: "shop", Kind: "DUCKDB", Everyone: graph.Editor})
	c.closed = c.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	c.orders, c.customers = c.asset(c.open.ID, "shop.orders"), c.asset(c.open.ID, "shop.customers")
	c.revenue = c.asset(c.closed.ID, "lake.revenue")
	return c
}

// upstream is what feeds an asset: another asset, or something external.
type upstream struct {
	Asset, UpstreamAsset string
	UpstreamExternal     *graph.NewExternal
}

func (u upstream) edge() graph.NewEdge {
	return graph.NewEdge{Source: graph.EdgeEnd{Asset: u.UpstreamAsset, External: u.UpstreamExternal}, Target: graph.EdgeEnd{Asset: u.Asset}}
}

func (c connections) draw(email string, in upstream) (graph.DrawnEdge, error) {
	return c.store.AddEdge(c.t.Context(), c.as(email, authz.EditDatasources), in.edge())
}

func (c connections) erase(email, edge string) (graph.DeletedEdge, error) {
	return c.store.DeleteEdge(c.t.Context(), c.as(email, authz.EditDatasources), edge)
}

// written is everything that a change of connections could leave behind.
func (c connections) written() map[string]int {
	return map[string]int{
		"edges":      c.count(`MATCH ()-[r:FEEDS {workspace: $workspace}]->() RETURN count(r)`),
		"externals":  c.count(`MATCH (x:External {workspace: $workspace}) RETURN count(x)`),
		"assertions": c.count(`MATCH (x:Assertion {workspace: $workspace}) RETURN count(x)`),
		"events":     len(c.events()),
	}
}

func TestDrawingAnEdge(t *testing.T) {
	c := newConnections(t)
	manager := c.email(graph.RoleManager)
	before := c.versions()
	in := upstream{Asset: c.revenue.ID, UpstreamAsset: c.orders.ID}
	drawn, err := c.draw(manager, in)
	require.NoError(t, err)
	assert.Equal(t, graph.DrawnEdge{
		Edge:             graph.Edge{ID: graph.EdgeID(c.orders.ID, c.revenue.ID, graph.EdgeManual), Source: c.orders.ID, Target: c.revenue.ID, Category: graph.EdgeManual},
		SourceDatasource: c.open.ID, TargetDatasource: c.closed.ID,
	}, drawn)
	after := c.versions()
	assert.NotEqual(t, before[graph.FamilyLineage], after[graph.FamilyLineage])
	assert.Equal(t, before[graph.FamilyCatalog], after[graph.FamilyCatalog])
	assert.Equal(t, [][]any{{drawn.ID, nil, `{"category":"MANUAL","source":"` + c.orders.ID + `","target":"` + c.revenue.ID + `"}`, false}},
		c.rows(`MATCH (e:AuditEvent {workspace: $workspace, action: 'edge.add'}) RETURN e.resource, e.before, e.after, e.adminOverride`, nil))

	written := c.written()
	again, err := c.draw(manager, in)
	require.NoError(t, err)
	assert.Equal(t, drawn, again)
	assert.Equal(t, written, c.written(), "drawing it again changes nothing")
	assert.Equal(t, after, c.versions())

	_, err = c.draw(c.email(graph.RoleAdmin), upstream{Asset: c.revenue.ID, UpstreamAsset: c.customers.ID})
	require.NoError(t, err)
	assert.Equal(t, 1, c.count(`MATCH (e:AuditEvent {workspace: $workspace, action: 'edge.add', adminOverride: true}) RETURN count(e)`))
}

func TestDrawingRefusesWhatMakesNoEdge(t *testing.T) {
	c := newConnections(t)
	link, password, script := "ftp://reports.test/1", "https://me:secret@reports.test/1", "javascript:alert(1)"
	long := string(make([]rune, 1001))
	for field, inputs := range map[string][]upstream{
		"input": {
			{Asset: c.orders.ID},
			{Asset: c.orders.ID, UpstreamAsset: c.revenue.ID, UpstreamExternal: &graph.NewExternal{System: "s", Model: "m"}},
			{Asset: c.orders.ID, UpstreamAsset: c.orders.ID},
		},
		"input.external.system": {{Asset: c.orders.ID, UpstreamExternal: &graph.NewExternal{Model: "m"}}, {Asset: c.orders.ID, UpstreamExternal: &graph.NewExternal{System: long, Model: "m"}}},
		"input.external.model":  {{Asset: c.orders.ID, UpstreamExternal: &graph.NewExternal{System: "s"}}, {Asset: c.orders.ID, UpstreamExternal: &graph.NewExternal{System: "s", Model: long}}},
		"input.external.url": {
			{Asset: c.orders.ID, UpstreamExternal: &graph.NewExternal{System: "s", Model: "m", URL: &link}},
			{Asset: c.orders.ID, UpstreamExternal: &graph.NewExternal{System: "s", Model: "m", URL: &password}},
			{Asset: c.orders.ID, UpstreamExternal: &graph.NewExternal{System: "s", Model: "m", URL: &script}},
		},
	} {
		for _, in := range inputs {
			_, err := c.draw(c.email(graph.RoleManager), in)
			require.Equal(t, fault.CodeBadUserInput, fault.CodeOf(err))
			assert.Equal(t, field, fault.Of(err).Field)
		}
	}
	assert.Zero(t, c.written()["edges"])
}

func TestDrawingAnswersAlikeForHiddenAndMissing(t *testing.T) {
	c := newConnections(t)
	viewer := c.restrictedViewer()
	c.restrict(c.revenue.ID)
	nothing := "asset_00000000000000000000000000000000"
	for _, ends := range []func(x string) upstream{
		func(x string) upstream { return upstream{Asset: x, UpstreamAsset: c.orders.ID} },
		func(x string) upstream { return upstream{Asset: c.orders.ID, UpstreamAsset: x} },
		func(x string) upstream {
			return upstream{Asset: x, UpstreamExternal: &graph.NewExternal{System: "s", Model: "m"}}
		},
	} {
		_, hidden := c.draw(viewer, ends(c.revenue.ID))
		_, missing := c.draw(viewer, ends(nothing))
		_, known := c.draw(viewer, ends(c.customers.ID))
		assert.Equal(t, fault.NotFound("asset"), fault.Of(missing))
		assert.Equal(t, fault.Of(missing), fault.Of(hidden))
		assert.Equal(t, fault.CodeForbidden, fault.CodeOf(known))
	}
	drawn, err := c.draw(c.email(graph.RoleManager), upstream{Asset: c.revenue.ID, UpstreamAsset: c.orders.ID})
	require.NoError(t, err)
	_, hidden := c.erase(viewer, drawn.ID)
	_, missing := c.erase(viewer, graph.EdgeID("a", "b", graph.EdgeManual))
	assert.Equal(t, fault.NotFound("edge"), fault.Of(missing))
	assert.Equal(t, fault.Of(missing), fault.Of(hidden))
}

func TestRefusedDrawingWritesNothing(t *testing.T) {
	c := newConnections(t)
	member := c.email(graph.RoleMember)
	drawn, err := c.draw(c.email(graph.RoleManager), upstream{Asset: c.revenue.ID, UpstreamAsset: c.orders.ID})
	require.NoError(t, err)
	written, versions := c.written(), c.versions()
	for _, in := range []upstream{
		{Asset: c.revenue.ID, UpstreamAsset: c.customers.ID},
		{Asset: c.customers.ID, UpstreamAsset: c.revenue.ID},
		{Asset: c.revenue.ID, UpstreamExternal: &graph.NewExternal{System: "airflow", Model: "load"}},
	} {
		_, err := c.draw(member, in)
		require.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
		assert.Equal(t, "EDITOR on the datasource lake", fault.Of(err).Needs)
	}
	_, err = c.erase(member, drawn.ID)
	require.Equal(t, fault.CodeForbidden, fault.CodeOf(err))

	refusing := c.as(c.email(graph.RoleAdmin), authz.EditDatasources)
	refusing.Permit = func(graph.Facts) (graph.Right, error) { return graph.Right{}, fault.Forbidden("another planet") }
	_, err = c.store.AddEdge(t.Context(), refusing, upstream{Asset: c.customers.ID, UpstreamExternal: &graph.NewExternal{System: "s", Model: "m"}}.edge())
	require.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
	_, err = c.store.DeleteEdge(t.Context(), refusing, drawn.ID)
	require.Equal(t, fault.CodeForbidden, fault.CodeOf(err))

	assert.Equal(t, written, c.written())
	assert.Equal(t, versions, c.versions())

	_, err = c.draw(member, upstream{Asset: c.customers.ID, UpstreamAsset: c.orders.ID})
	assert.NoError(t, err, "where they may, they may")
}

func TestExternalNodesAreAWorkspacesOwn(t *testing.T) {
	c := newConnections(t)
	other := c.sibling()
	manager, link, otherLink := c.email(graph.RoleManager), "https://bi.test/7", "https://bi.test/8"
	draw := func(asset, url string) graph.DrawnEdge {
		drawn, err := c.draw(manager, upstream{Asset: asset, UpstreamExternal: &graph.NewExternal{System: "bi:x", Model: "sales: 7", URL: &url}})
		require.NoError(t, err)
		return drawn
	}
	first := draw(c.orders.ID, link)
	second := draw(c.revenue.ID, otherLink)
	id := "ext:bi%3Ax:sales: 7"
	assert.Equal(t, id, first.Source)
	assert.Equal(t, id, second.Source)
	assert.Empty(t, first.SourceDatasource)
	found, err := c.store.Externals(t.Context(), c.audience(), []string{id, "ext:bi:nothing", c.orders.ID})
	require.NoError(t, err)
	assert.Equal(t, map[string]*graph.External{id: {ID: id, Workspace: c.workspace, System: "bi:x", Model: "sales: 7", URL: &link}}, found, "it stays as it was made")
	found, err = other.store.Externals(t.Context(), other.audience(), []string{id})
	require.NoError(t, err)
	assert.Empty(t, found)

	_, err = c.erase(manager, first.ID)
	require.NoError(t, err)
	assert.Equal(t, 1, c.written()["externals"], "another edge holds it")
	_, err = c.erase(manager, second.ID)
	require.NoError(t, err)
	assert.Zero(t, c.written()["externals"], "the last edge takes it along")
}
