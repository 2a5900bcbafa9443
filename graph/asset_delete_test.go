package graph_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

func TestDeletingAnAssetLeavesNothingOfIt(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	manager := w.email(graph.RoleManager)
	in := stated("shop", d.ID, true, "a", "b")
	in.Assets[0].Columns = []graph.IngestColumn{{Name: "id"}}
	in.Externals = []graph.IngestExternal{{Key: "bi", System: "dbt", Model: "bi"}, {Key: "both", System: "dbt", Model: "both"}}
	in.Edges = []graph.IngestEdge{{Source: "a", Target: "b"}, {Source: "a", Target: "bi"}, {Source: "a", Target: "both"}, {Source: "b", Target: "both"}}
	in.Suites = []graph.IngestSuite{oneCheck("a", "t1", graph.CheckFailed)}
	w.ingest(in)
	before := w.versions()
	require.NoError(t, w.store.DeleteAsset(t.Context(), w.as(manager, authz.DeleteAsset), w.named(d.ID, "a").ID))
	assert.Empty(t, w.remains())
	assert.Equal(t, 1, w.count(`MATCH (e:AuditEvent {workspace: $workspace, action: 'suite.delete'}) RETURN count(e)`), "the trail names the suites that went with it")
	assert.Equal(t, []string{"b>both"}, w.edges())
	assert.Len(t, w.assertions(), 1, "what the producer asserted of its edges went with them")
	assert.Equal(t, 2, w.count(`MATCH (n:Dataset {workspace: $workspace}) RETURN count(n)`), "an external node that nothing else holds is gone")
	assert.Zero(t, w.count(`MATCH (c:Column {workspace: $workspace}) RETURN count(c)`))
	for family, version := range w.versions() {
		if family != graph.FamilyPolicy {
			assert.NotEqual(t, before[family], version, family)
		}
	}
	summary := w.ingest(in)
	assert.Equal(t, 1, summary.AssetsCreated, "what the project states of it comes back")
	assert.Equal(t, []string{"a>b", "a>bi", "a>both", "b>both"}, w.edges())
}

func TestWhoDeletesAnAsset(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB", Everyone: graph.Editor})
	stranger := "stranger@" + w.workspace + ".test"
	w.enrol(graph.RoleManager, stranger)
	for name, c := range map[string]struct {
		as       string
		want     fault.Code
		override bool
	}{
		"an editor does not":          {w.email(graph.RoleMember), fault.CodeForbidden, false},
		"another manager does not":    {stranger, fault.CodeForbidden, false},
		"a viewer does not":           {w.email(graph.RoleViewer), fault.CodeForbidden, false},
		"the datasource's owner does": {w.email(graph.RoleManager), "", false},
		"an admin does":               {w.email(graph.RoleAdmin), "", true},
	} {
		a := w.asset(d.ID, name)
		err := w.store.DeleteAsset(t.Context(), w.as(c.as, authz.DeleteAsset), a.ID)
		if c.want != "" {
			assert.Equal(t, c.want, fault.CodeOf(err), name)
			continue
		}
		require.NoError(t, err, name)
		rows := w.rows(`MATCH (e:AuditEvent {action: 'asset.delete', resource: $id}) RETURN e.adminOverride`, map[string]any{"id": a.ID})
		assert.Equal(t, [][]any{{c.override}}, rows, name)
	}
}

func TestDeletingAHiddenAssetIsNotSeenToHaveHappened(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"})
	payroll := w.asset(d.ID, "payroll")
	w.restrict(payroll.ID)
	w.feedFrom("salaries", payroll.ID)
	restricted := w.lineageVersion(graph.ClassRestricted)
	require.NoError(t, w.store.DeleteAsset(t.Context(), w.as(w.email(graph.RoleManager), authz.DeleteAsset), payroll.ID))
	assert.Equal(t, restricted, w.lineageVersion(graph.ClassRestricted))
	assert.Zero(t, w.count(`MATCH (n:Dataset {workspace: $workspace}) RETURN count(n)`))
}
