package graph_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

func (w *world) asset(datasource, name string, tags ...string) *graph.Asset {
	a, err := w.store.CreateAsset(w.t.Context(), w.as(w.email(graph.RoleAdmin), authz.EditDatasources),
		graph.NewAsset{Datasource: datasource, Name: name, Type: graph.TypeTable, Tags: tags})
	require.NoError(w.t, err)
	return a
}

func (w *world) ownSuite(owner, asset, name string) string {
	id, err := w.store.CreateSuite(w.t.Context(), w.as(owner, authz.CreateSuite), graph.NewSuite{Asset: asset, Name: name})
	require.NoError(w.t, err)
	return id
}

// restrict hides an asset from restricted viewers.
func (w *world) restrict(asset string) { w.setRestricted(asset, true) }

func (w *world) setRestricted(asset string, to bool) {
	_, err := w.store.UpdateAsset(w.t.Context(), w.as(w.email(graph.RoleAdmin), authz.UpdateAsset), asset,
		graph.AssetChange{IsRestricted: graph.Change[bool]{Set: true, Value: to}})
	require.NoError(w.t, err)
}

func (w *world) restrictedViewer() string {
	email := "restricted@" + w.workspace + ".test"
	_, err := w.store.EnsureMember(w.t.Context(), w.workspace, email, graph.RoleViewer, graph.Restricted)
	require.NoError(w.t, err)
	return email
}

func TestLadderInCypherAndInGoAgree(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "shop", Kind: "DUCKDB"})
	a := w.asset(d.ID, "orders")
	emails := []string{w.email(graph.RoleAdmin), w.email(graph.RoleManager), w.email(graph.RoleMember), w.email(graph.RoleViewer)}
	ids := map[string]string{}
	for _, e := range emails {
		ids[e] = w.caller(e).User.ID
	}
	suites := map[string]bool{}
	for i := range 12 {
		suites[w.ownSuite(emails[i%3], a.ID, fmt.Sprintf("suite %02d", i))] = true
	}
	groups := []string{w.group("a"), w.group("b"), w.group("c")}
	rapid.Check(t, func(rt *rapid.T) {
		w.fill(rt, groups, slices.Collect(maps.Values(ids)))
		holders := append(slices.Clone(groups), slices.Collect(maps.Values(ids))...)
		slices.Sort(holders)
		var grants []any
		for id := range maps.Keys(suites) {
			owner := rapid.SampledFrom(emails).Draw(rt, "owner")
			shares := []any{}
			for _, h := range rapid.SliceOfNDistinct(rapid.SampledFrom(holders), 0, 3, rapid.ID).Draw(rt, "shared with") {
				shares = append(shares, map[string]any{"holder": h, "level": rapid.SampledFrom([]string{"VIEW", "EDIT"}).Draw(rt, "level")})
			}
			grants = append(grants, map[string]any{"suite": id, "owner": ids[owner], "shares": shares})
		}
		w.rows(`UNWIND $grants AS g MATCH (s:Suite {id: g.suite}) SET s.owner = g.owner
			WITH g, s OPTIONAL MATCH ()-[old:SHARE]->(s) WITH g, s, collect(old) AS olds FOREACH (o IN olds | DELETE o)
			WITH g, s UNWIND g.shares AS x MATCH (u:User|Group {id: x.holder})
			CREATE (u)-[:SHARE {id: randomUUID(), permission: x.level, at: 0}]->(s)`, map[string]any{"grants": grants})
		for _, e := range emails {
			c := w.caller(e)
			page, err := w.store.SuiteList(t.Context(), c.Scope(), graph.SuiteFilter{}, graph.Position{First: 200, Total: true})
			require.NoError(rt, err)
			listed := map[string]bool{}
			for _, s := range page.Items {
				listed[s.ID] = true
			}
			all, err := w.store.Suites(t.Context(), c.Scope(), slices.Collect(maps.Keys(suites)))
			require.NoError(rt, err)
			require.Len(rt, all, len(suites))
			visible := 0
			for id, s := range all {
				level, _ := authz.LevelOn(c, s.SuiteFacts)
				require.Equal(rt, level.AtLeast(authz.SuiteView), listed[id], "%s on %s", e, id)
				if listed[id] {
					visible++
				}
			}
			require.Equal(rt, visible, page.Total, "the total counts what is listed")
			on, err := w.store.SuitesOnAssets(t.Context(), c.Scope(), []graph.SuitesOf{{Asset: a.ID, First: 200}})
			require.NoError(rt, err)
			for _, found := range on {
				require.Equal(rt, visible, found.Total)
				require.Len(rt, found.Items, visible)
				require.Equal(rt, len(suites), found.All)
			}
		}
	})
}

func TestDatasourceRankInCypherAndInGoAgree(t *testing.T) {
	w := newWorld(t)
	emails := []string{w.email(graph.RoleAdmin), w.email(graph.RoleManager), w.email(graph.RoleMember), w.email(graph.RoleViewer)}
	var ids []string
	for i, p := range []graph.TeamPermission{"", graph.Reporter, graph.Viewer, graph.Drafter, graph.Author, graph.Editor} {
		ids = append(ids, w.datasource(graph.NewDatasource{Name: fmt.Sprintf("d%d", i), Kind: "POSTGRESQL", Everyone: p}).ID)
	}
	owned := w.caller(w.email(graph.RoleViewer)).User.ID
	w.rows(`MATCH (d:Datasource {id: $id}) SET d.owner = $owner`, map[string]any{"id": ids[0], "owner": owned})
	for _, e := range emails {
		c := w.caller(e)
		facts, err := w.store.DatasourceFacts(t.Context(), c.Scope(), ids)
		require.NoError(t, err)
		for _, least := range []graph.TeamPermission{graph.Reporter, graph.Viewer, graph.Drafter, graph.Author, graph.Editor} {
			page, err := w.store.DatasourceList(t.Context(), c.Scope(), least, graph.Position{First: 200})
			require.NoError(t, err)
			var want, got []string
			for _, id := range ids {
				if authz.HoldsOn(c, facts[id], least) {
					want = append(want, id)
				}
			}
			for _, d := range page.Items {
				got = append(got, d.ID)
			}
			assert.Equal(t, want, got, "%s at %s", e, least)
			assert.Equal(t, len(want), page.Total)
		}
	}
}

func TestDegreesDoNotCountHiddenNeighbours(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "shop", Kind: "DUCKDB"})
	hub, open, hidden := w.asset(d.ID, "hub"), w.asset(d.ID, "open"), w.asset(d.ID, "hidden")
	for _, target := range []*graph.Asset{open, hidden} {
		for _, category := range []graph.EdgeCategory{graph.EdgeManual, graph.EdgeDBT} {
			w.rows(`MATCH (a:Asset {id: $a}), (b:Asset {id: $b}) CREATE (a)-[:FEEDS {id: $id, workspace: $workspace, category: $category}]->(b)`,
				map[string]any{"a": hub.ID, "b": target.ID, "id": graph.EdgeID(hub.ID, target.ID, category), "category": string(category)})
		}
	}
	w.restrict(hidden.ID)
	count := func(email string) graph.NeighbourCounts {
		n, err := w.store.NeighbourCounts(t.Context(), w.caller(email).Audience, []string{hub.ID})
		require.NoError(t, err)
		return n[hub.ID]
	}
	assert.Equal(t, graph.NeighbourCounts{Downstream: 2}, count(w.email(graph.RoleMember)), "a pair counts once")
	assert.Equal(t, graph.NeighbourCounts{Downstream: 1}, count(w.restrictedViewer()))
}

func TestSearchOrderIgnoresWhatIsHidden(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "shop", Kind: "DUCKDB"})
	for _, name := range []string{"shop.marts.orders", "shop.marts.orders_daily", "shop.raw.app_orders"} {
		w.asset(d.ID, name)
	}
	viewer := w.restrictedViewer()
	search := func(email, text string) (names []string, total int) {
		page, err := w.store.Search(t.Context(), w.caller(email).Scope(), text, graph.Position{First: 100})
		require.NoError(t, err)
		for _, h := range page.Items {
			names = append(names, string(h.Match)+" "+h.Asset.Name)
		}
		return names, page.Total
	}
	want := []string{"EXACT shop.marts.orders", "PREFIX shop.marts.orders_daily", "NAME shop.raw.app_orders"}
	names, total := search(viewer, "orders")
	assert.Equal(t, want, names)
	assert.Equal(t, 3, total)

	for i := range 30 { // hidden documents that would change every relevance score
		w.restrict(w.asset(d.ID, fmt.Sprintf("orders.orders.orders_%d", i), "orders").ID)
	}
	names, total = search(viewer, "orders")
	assert.Equal(t, want, names)
	assert.Equal(t, 3, total)
	_, total = search(w.email(graph.RoleMember), "orders")
	assert.Equal(t, 33, total)

	other := anotherWorld(t)
	names, total = func() ([]string, int) {
		page, err := other.store.Search(t.Context(), other.caller(other.email(graph.RoleAdmin)).Scope(), "orders", graph.Position{First: 100})
		require.NoError(t, err)
		return nil, page.Total
	}()
	assert.Empty(t, names)
	assert.Zero(t, total, "another workspace's assets are not candidates")
	for _, text := range []string{`*`, `orders AND workspace:x`, `"orders`, `+(`, `orders~ -x /a/`, `workspace:org`} {
		_, err := w.store.Search(t.Context(), w.caller(viewer).Scope(), text, graph.Position{First: 10})
		assert.NoError(t, err, text)
	}
}

func TestHiddenWritesRaiseNoVisibleEpoch(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "shop", Kind: "DUCKDB"})
	a := w.asset(d.ID, "payroll")
	w.restrict(a.ID)
	email := w.restrictedViewer()
	version := func(f graph.Family, c graph.Class) string {
		_, epochs, err := w.store.Caller(t.Context(), email, w.workspace)
		require.NoError(t, err)
		return epochs.Version(f, c)
	}
	families := []graph.Family{graph.FamilyLineage, graph.FamilyCatalog, graph.FamilyVerdict}
	before := map[graph.Family][2]string{}
	for _, f := range families {
		before[f] = [2]string{version(f, graph.ClassRestricted), version(f, graph.ClassFull)}
	}
	w.ownSuite(w.email(graph.RoleMember), a.ID, "payroll checks")
	_, err := w.store.UpdateAsset(t.Context(), w.as(w.email(graph.RoleAdmin), authz.UpdateAsset), a.ID,
		graph.AssetChange{Tags: graph.Change[[]string]{Set: true, Value: []string{"pii"}}})
	require.NoError(t, err)
	for _, f := range families {
		assert.Equal(t, before[f][0], version(f, graph.ClassRestricted), "a hidden write is not seen to have happened")
	}
	assert.NotEqual(t, before[graph.FamilyVerdict][1], version(graph.FamilyVerdict, graph.ClassFull))
	assert.NotEqual(t, before[graph.FamilyCatalog][1], version(graph.FamilyCatalog, graph.ClassFull))
}

func TestDemotedBetweenReadAndWrite(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "shop", Kind: "DUCKDB"})
	writer := w.as(w.email(graph.RoleAdmin), authz.EditDatasources) // read while still an admin
	w.rows(`MATCH (:User {email: $email})-[m:MEMBER]->(:Workspace {id: $workspace}) SET m.role = 'VIEWER'`,
		map[string]any{"email": w.email(graph.RoleAdmin)})
	_, err := w.store.CreateAsset(t.Context(), writer, graph.NewAsset{Datasource: d.ID, Name: "orders", Type: graph.TypeTable})
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
	w.rows(`MATCH (:User {email: $email})-[m:MEMBER]->(:Workspace {id: $workspace}) DELETE m`, map[string]any{"email": w.email(graph.RoleAdmin)})
	_, err = w.store.CreateAsset(t.Context(), writer, graph.NewAsset{Datasource: d.ID, Name: "orders", Type: graph.TypeTable})
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
	assert.Zero(t, w.count(`MATCH (a:Asset {workspace: $workspace}) RETURN count(a)`))
}
