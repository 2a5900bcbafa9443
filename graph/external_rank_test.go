package graph_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
)

// lineageVersion is the version of the lineage as a class sees it.
func (w *world) lineageVersion(c graph.Class) string {
	_, epochs, err := w.store.Caller(w.t.Context(), w.email(graph.RoleAdmin), w.workspace)
	require.NoError(w.t, err)
	return epochs.Version(graph.FamilyLineage, c)
}

// feedFrom draws an edge from an external model to an asset and returns both ids.
func (w *world) feedFrom(model, asset string) (external, edge string) {
	drawn, err := w.store.AddEdge(w.t.Context(), w.as(w.email(graph.RoleManager), authz.EditDatasources),
		upstream{Asset: asset, UpstreamExternal: &graph.NewExternal{System: "s3", Model: model}}.edge())
	require.NoError(w.t, err)
	return drawn.Source, drawn.ID
}

func TestAnExternalNodeIsHiddenWithItsNeighbours(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "shop", Kind: "DUCKDB"})
	open, payroll := w.asset(d.ID, "orders"), w.asset(d.ID, "payroll")
	w.restrict(payroll.ID)
	viewer := w.restrictedViewer()
	sees := func(email, external string) bool {
		found, err := w.store.Externals(t.Context(), w.caller(email).Audience, []string{external})
		require.NoError(t, err)
		return found[external] != nil
	}
	admin := w.email(graph.RoleAdmin)

	restricted, full := w.lineageVersion(graph.ClassRestricted), w.lineageVersion(graph.ClassFull)
	salaries, _ := w.feedFrom("salaries", payroll.ID)
	assert.False(t, sees(viewer, salaries), "only a hidden asset touches it")
	assert.True(t, sees(admin, salaries))
	assert.Equal(t, restricted, w.lineageVersion(graph.ClassRestricted), "nor is it seen to have come")
	assert.NotEqual(t, full, w.lineageVersion(graph.ClassFull))

	_, edge := w.feedFrom("salaries", open.ID)
	assert.True(t, sees(viewer, salaries), "it feeds an open asset too")
	assert.NotEqual(t, restricted, w.lineageVersion(graph.ClassRestricted))
	_, err := w.store.DeleteEdge(t.Context(), w.as(w.email(graph.RoleManager), authz.EditDatasources), edge)
	require.NoError(t, err)
	assert.False(t, sees(viewer, salaries))
	assert.True(t, sees(admin, salaries))

	restricted = w.lineageVersion(graph.ClassRestricted)
	w.setRestricted(payroll.ID, false)
	assert.True(t, sees(viewer, salaries), "its neighbour is not hidden any more")
	assert.NotEqual(t, restricted, w.lineageVersion(graph.ClassRestricted))
	restricted = w.lineageVersion(graph.ClassRestricted)
	w.setRestricted(payroll.ID, true)
	assert.False(t, sees(viewer, salaries))
	assert.NotEqual(t, restricted, w.lineageVersion(graph.ClassRestricted), "those who saw it learn that it went")
}

func TestIngestedExternalNodesAreHiddenWithTheirNeighbours(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	payroll := w.asset(d.ID, "payroll")
	w.restrict(payroll.ID)
	viewer := w.restrictedViewer()
	in := stated("shop", d.ID, true, "payroll", "orders")
	in.Externals = []graph.IngestExternal{{Key: "pay", System: "dbt", Model: "pay"}, {Key: "all", System: "dbt", Model: "all"}}
	in.Edges = []graph.IngestEdge{{Source: "payroll", Target: "pay"}, {Source: "payroll", Target: "all"}, {Source: "orders", Target: "all"}}
	seen := func() []string {
		found, err := w.store.Externals(t.Context(), w.caller(viewer).Audience, []string{"ext:dbt:pay", "ext:dbt:all"})
		require.NoError(t, err)
		ids := []string{}
		for id := range found {
			ids = append(ids, id)
		}
		return ids
	}
	w.ingest(in)
	assert.Equal(t, []string{"ext:dbt:all"}, seen())

	restricted := w.lineageVersion(graph.ClassRestricted)
	in.Externals[0].URL = new("https://bi.demo.test/pay")
	w.ingest(in)
	assert.Equal(t, restricted, w.lineageVersion(graph.ClassRestricted), "a hidden node changed")
	in.Edges, in.Externals = in.Edges[1:], in.Externals[1:]
	w.ingest(in)
	assert.Equal(t, restricted, w.lineageVersion(graph.ClassRestricted), "a hidden node went")
	in.Edges = in.Edges[:1]
	w.ingest(in)
	assert.Empty(t, seen(), "its last open neighbour is not stated any more")
	assert.NotEqual(t, restricted, w.lineageVersion(graph.ClassRestricted))
}

func TestOnlyAnAdminRestricts(t *testing.T) {
	w := newWorld(t)
	a := w.asset(w.datasource(graph.NewDatasource{Name: "shop", Kind: "DUCKDB"}).ID, "payroll")
	for _, role := range []graph.Role{graph.RoleManager, graph.RoleMember, graph.RoleViewer} {
		for _, to := range []bool{true, false} {
			_, err := w.store.UpdateAsset(t.Context(), w.as(w.email(role), authz.UpdateAsset), a.ID,
				graph.AssetChange{IsRestricted: graph.Change[bool]{Set: true, Value: to}})
			require.Error(t, err, "%s, %t", role, to)
		}
	}
	w.restrict(a.ID)
	assert.Equal(t, 1, w.count(`MATCH (a:Asset {workspace: $workspace}) WHERE a.isRestricted AND a.hiddenRank = 1 RETURN count(a)`))
}
