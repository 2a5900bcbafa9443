package demo

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/examples"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
)

// estateIn is the demo in the workspace of a world that nobody is in yet.
func estateIn(w *testkit.World) estate {
	return estate{store: w.Store, policy: w.Policy, workspace: w.Workspace, projects: examples.Projects(), log: slog.New(slog.DiscardHandler)}
}

// seenBy is what a member of the demo sees: its assets, and suites by owner. The organization's assets, which
// other tests make, are seen too and not counted.
func seenBy(t *testing.T, e estate, email string) (assets int, suites map[string]int) {
	t.Helper()
	as, err := e.signIn(t.Context(), email)
	require.NoError(t, err)
	scope, err := authz.ScopeFrom(as)
	require.NoError(t, err)
	order := graph.AssetOrder{Field: graph.OrderByName, Direction: graph.Ascending}
	for _, p := range e.projects {
		d, err := e.datasource(as, p)
		require.NoError(t, err)
		page, err := e.store.AssetList(as, scope, graph.AssetFilter{Datasource: d.ID}, order, graph.Position{First: 1, Total: true})
		require.NoError(t, err)
		assets += page.Total
	}
	held, err := e.store.SuiteList(as, scope, graph.SuiteFilter{}, graph.Position{First: 200})
	require.NoError(t, err)
	suites = map[string]int{}
	for _, s := range held.Items {
		suites[s.OwnerUser.Email]++
	}
	return assets, suites
}

// epochs are the versions of the workspace, which every change raises.
func epochs(t *testing.T, e estate) graph.Epochs {
	t.Helper()
	_, epochs, err := e.store.Caller(t.Context(), Admin, e.workspace)
	require.NoError(t, err)
	return epochs
}

func TestLoadIsDoneOnce(t *testing.T) {
	e := estateIn(testkit.NewWorld(t))
	require.NoError(t, e.load(t.Context()))
	for email, suites := range map[string]map[string]int{
		Admin: {Owner: 33, Admin: 16}, Owner: {Owner: 33}, Member: {}, Viewer: {Admin: 1}, Restricted: {},
	} {
		assets, held := seenBy(t, e, email)
		want := 45
		if email == Restricted {
			want = 44 // one is hidden
		}
		assert.Equal(t, want, assets, email)
		assert.Equal(t, suites, held, email)
	}
	facts, _, err := e.store.Caller(t.Context(), Restricted, e.workspace)
	require.NoError(t, err)
	membership, _ := facts.In(e.workspace)
	assert.Equal(t, graph.RoleViewer, membership.Role)
	assert.Equal(t, graph.Restricted, membership.ViewerAccess)

	before := epochs(t, e)
	require.NoError(t, e.load(t.Context()))
	assert.Equal(t, before, epochs(t, e), "the second time changes nothing")
}

func TestAJobOfTheDemoExports(t *testing.T) {
	e := estateIn(testkit.NewWorld(t))
	require.NoError(t, e.load(t.Context()))
	as, err := e.signIn(t.Context(), Member)
	require.NoError(t, err)
	audience, err := authz.AudienceFrom(as)
	require.NoError(t, err)
	for suffix, retired := range map[string]bool{exported: false, withheld: true} {
		asset, err := e.assetEndingIn(as, suffix)
		require.NoError(t, err)
		target := graph.ExternalID(storage, export+"/"+suffix[1:]+".parquet")
		edge := graph.EdgeID(asset.ID, target, graph.EdgeOpenLineage)
		gone, err := e.store.RetiredEdges(t.Context(), audience, []string{asset.ID, target}, graph.WalkFilter{})
		require.NoError(t, err)
		assert.Equal(t, retired, len(gone) == 1 && gone[0].ID == edge)
		said, err := e.store.Assertions(t.Context(), audience, []string{edge})
		require.NoError(t, err)
		require.Len(t, said[edge], 1)
		assert.Equal(t, exporter, said[edge][0].Producer)
		assert.Equal(t, retired, said[edge][0].RetractedAt != nil)
	}
}

func TestAJobOfTheDemoSaysWhichColumns(t *testing.T) {
	e := estateIn(testkit.NewWorld(t))
	require.NoError(t, e.load(t.Context()))
	as, err := e.signIn(t.Context(), Member)
	require.NoError(t, err)
	audience, err := authz.AudienceFrom(as)
	require.NoError(t, err)
	from, err := e.assetEndingIn(as, staged)
	require.NoError(t, err)
	to, err := e.assetEndingIn(as, built)
	require.NoError(t, err)
	edge := graph.EdgeID(from.ID, to.ID, graph.EdgeOpenLineage)
	pairs, err := e.store.ColumnPairs(t.Context(), audience, []string{edge})
	require.NoError(t, err)
	require.NotEmpty(t, pairs[edge])
	for _, p := range pairs[edge] {
		assert.Equal(t, p.Source.Name, p.Target.Name)
	}
}

func TestLoadFindsItsGroupAmongOthers(t *testing.T) {
	e := estateIn(testkit.NewWorld(t))
	require.NoError(t, e.load(t.Context()))
	as, err := e.signIn(t.Context(), Admin)
	require.NoError(t, err)
	for _, name := range []string{"auditor", "auditor-team", "auditors of finance"} {
		_, err := e.setGroup(as, graph.GroupChange{Name: &name})
		require.NoError(t, err)
	}
	done, err := e.loaded(t.Context())
	require.NoError(t, err)
	assert.True(t, done)
	require.NoError(t, e.load(t.Context()))
}

func TestLoadCompletesWhatWasInterrupted(t *testing.T) {
	e := estateIn(testkit.NewWorld(t))
	interrupted := e
	interrupted.projects = e.projects[:1]
	require.ErrorContains(t, interrupted.load(t.Context()), "journal_entries", "cut short before the second project")
	as, err := e.signIn(t.Context(), Admin)
	require.NoError(t, err)
	_, err = e.datasource(as, e.projects[1]) // and cut short between the datasource and its assets
	require.NoError(t, err)
	assets, _ := seenBy(t, e, Admin)
	require.Equal(t, 33, assets)

	require.NoError(t, e.load(t.Context()))
	assets, suites := seenBy(t, e, Admin)
	assert.Equal(t, 45, assets)
	assert.Equal(t, map[string]int{Owner: 33, Admin: 16}, suites)
}

// TestNamesAreTheExamples: the constants fit the projects that are embedded.
func TestNamesAreTheExamples(t *testing.T) {
	who := map[string]string{}
	for _, p := range examples.Projects() {
		who[p.Name] = ingester(p.Name)
	}
	assert.Equal(t, map[string]string{"shop": Owner, "finance": Admin}, who)
}
