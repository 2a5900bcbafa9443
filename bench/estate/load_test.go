package estate

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/teststack"
	"github.com/strata-gateway/strata/lineage"
)

// loaded is an estate in the real store, and the store as the gateway opens it.
type loaded struct {
	t      *testing.T
	params Params
	report Report
	config graph.Config
	store  *graph.Store
}

func load(t *testing.T) loaded {
	t.Helper()
	var b [6]byte
	_, _ = rand.Read(b[:])
	uri, user, password := teststack.Neo4j(t)
	l := loaded{t: t, params: Params{Workspace: "t-" + hex.EncodeToString(b[:]), Seed: 5, Assets: MinAssets}}
	l.config = graph.Config{URI: uri, User: user, Password: password, Log: slog.New(slog.DiscardHandler)}
	var err error
	l.report, err = Load(t.Context(), l.config, l.params)
	require.NoError(t, err)
	l.store, err = graph.Open(t.Context(), l.config)
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.store.Close(context.WithoutCancel(t.Context())) })
	return l
}

// caller is one of the estate's callers, as the gateway finds them.
func (l loaded) caller(who string) *authz.Caller {
	facts, _, err := l.store.Caller(l.t.Context(), l.params.Email(who), "")
	require.NoError(l.t, err)
	c, err := authz.NewPolicy().Caller(facts)
	require.NoError(l.t, err)
	return c
}

func TestLoadedEstate(t *testing.T) {
	l := load(t)
	t.Run("counts", l.hasTheStatedCounts)
	t.Run("assets", l.isReadAsAssets)
	t.Run("search", l.isFoundByName)
	t.Run("lineage", l.isWalked)
	t.Run("suites", l.showsEachCallerTheirSuites)
	t.Run("verdicts", l.keepsTheVerdictsOfItsRuns)
	t.Run("again", l.isNotMadeTwice)
}

func (l loaded) hasTheStatedCounts(t *testing.T) {
	want := Counts{
		Assets: MinAssets, Edges: edgesPerAsset * MinAssets, Columns: columnsMean * MinAssets, Suites: MinAssets / assetsPerSuite,
		Members: len(l.params.people()), Datasources: datasources,
	}
	suites := l.params.Suites()
	want.Monitored = len(verdicts(suites))
	for _, s := range suites {
		want.Checks += len(s.Checks)
		want.Runs += len(s.Runs)
		want.Shares += len(s.Shares)
		for _, r := range s.Runs {
			want.Results += len(r.Passed)
		}
	}
	assert.Equal(t, want, l.report.Counts)
	assert.Positive(t, l.report.Took)
}

func (l loaded) isReadAsAssets(t *testing.T) {
	const index = 199 // restricted
	want := l.params.Asset(index)
	require.True(t, want.Restricted)
	all, hidden := 0, 0
	for i := range l.params.Assets {
		if a := l.params.Asset(i); a.Datasource == want.Datasource {
			all++
			if a.Restricted {
				hidden++
			}
		}
	}
	admin := l.caller(Admin)
	got, err := l.store.Assets(t.Context(), admin.Audience, []string{want.ID})
	require.NoError(t, err)
	a := got[want.ID]
	require.NotNil(t, a)
	assert.Equal(t, []any{want.Name, want.Type, want.Columns, want.Tags, true}, []any{a.Name, a.Type, a.ColumnCount, a.Tags, a.IsRestricted})
	assert.Equal(t, *newDatasource(want.Datasource).Host, *a.Datasource.Host)

	// Of one datasource: whatever else is in the store is not of this estate.
	for who, count := range map[string]int{Admin: all, RestrictedViewer: all - hidden} {
		page, err := l.store.AssetList(t.Context(), l.caller(who).Scope(), graph.AssetFilter{Datasource: a.Datasource.ID},
			graph.AssetOrder{Field: graph.OrderByName, Direction: graph.Ascending}, graph.Position{First: 10, Total: true})
		require.NoError(t, err)
		assert.Equal(t, count, page.Total, who)
		assert.Len(t, page.Items, 10)
	}

	key := graph.ColumnsOf{Asset: want.ID, First: 200}
	columns, err := l.store.Columns(t.Context(), admin.Audience, []graph.ColumnsOf{key})
	require.NoError(t, err)
	require.Len(t, columns[key].Items, want.Columns)
	for at, c := range columns[key].Items {
		assert.Equal(t, []any{at + 1, columnAt(index, at).Name}, []any{c.Ordinal, c.Name})
	}
}

func (l loaded) isFoundByName(t *testing.T) {
	want := l.params.Asset(l.params.Assets - 1)
	eventually(t, func() error { // the full-text index follows in the background
		hits, err := l.store.Search(t.Context(), l.caller(Member).Scope(), want.Name, graph.Position{First: 5})
		switch {
		case err != nil:
			return err
		case len(hits.Items) == 0:
			return fmt.Errorf("%s is not found", want.Name)
		}
		assert.Equal(t, want.ID, hits.Items[0].Asset.ID)
		assert.Equal(t, graph.MatchExact, hits.Items[0].Match)
		return nil
	})
}

func eventually(t *testing.T, try func() error) {
	t.Helper()
	require.EventuallyWithT(t, func(c *assert.CollectT) { require.NoError(c, try()) }, 20*time.Second, 20*time.Millisecond)
}

func (l loaded) isWalked(t *testing.T) {
	topology := l.params.Topology()
	index := map[string]int{}
	for i := range l.params.Assets {
		index[l.params.AssetID(i)] = i
	}
	for _, kind := range []Kind{Typical, Busy, Hubs} {
		starts := l.params.Starts(topology, kind)
		require.NotEmpty(t, starts)
		for _, start := range starts[:min(len(starts), 3)] {
			nodes, edges := topology.Neighbourhood(index[start], startDepth)
			g, err := lineage.Walk(t.Context(), l.store, l.caller(Member).Audience,
				lineage.Query{Node: start, Direction: graph.Both, Depth: startDepth}, lineage.DefaultBudgets().Untimed(), "1")
			require.NoError(t, err)
			require.NotNil(t, g)
			assert.Equal(t, []int{nodes, edges}, []int{len(g.Nodes), len(g.Edges)}, "%s %s", kind, start)
		}
	}
}

func (l loaded) showsEachCallerTheirSuites(t *testing.T) {
	suites, visible := l.params.Suites(), 0
	for _, s := range suites {
		mine := s.Owner == memberAt
		for _, g := range s.Shares {
			mine = mine || g.User == memberAt
		}
		if mine {
			visible++
		}
	}
	require.Positive(t, visible)
	for who, want := range map[string]int{Admin: len(suites), Member: visible} {
		page, err := l.store.SuiteList(t.Context(), l.caller(who).Scope(), graph.SuiteFilter{}, graph.Position{First: 200, Total: true})
		require.NoError(t, err)
		assert.Equal(t, want, page.Total, who)
	}
	everything, admin := map[string][]*graph.Check{}, l.caller(Admin).Scope()
	for _, s := range suites {
		checks, err := l.store.Checks(t.Context(), admin, []string{s.ID})
		require.NoError(t, err)
		everything[s.ID] = checks[s.ID]
	}
	for _, s := range suites {
		assert.Len(t, everything[s.ID], len(s.Checks))
	}
	d, err := l.store.DatasourceList(t.Context(), l.caller(Member).Scope(), graph.Viewer, graph.Position{First: 200})
	require.NoError(t, err)
	assert.NotEmpty(t, d.Items, "teams give the member rights")
	assert.Less(t, len(d.Items), datasources)
}

func (l loaded) isNotMadeTwice(t *testing.T) {
	_, err := Load(t.Context(), l.config, l.params)
	require.Error(t, err)
}

const storedFactsQuery = `
MATCH (a:Asset {workspace: $workspace}) WHERE EXISTS { (a)<-[:CHECKS]-(:Suite) } OR a.suiteCount > 0
RETURN a.id, a.columnCount,
  COLLECT { MATCH (a)<-[:CHECKS]-(s:Suite) RETURN s.id } AS suites,
  COLLECT { MATCH (a)<-[:CHECKS]-(:Suite)-[:HAS_CHECK]->(c:Check) RETURN [c.dimension, coalesce(c.column, '')] } AS checks,
  COLLECT { MATCH (a)<-[:CHECKS]-(:Suite)-[:HAS_CONFIG]->(:ValidationConfig)-[:ACTIVE]->(r:Run) RETURN r.state } AS active,
  COLLECT { MATCH (a)<-[:CHECKS]-(:Suite)-[:HAS_CONFIG]->(k:ValidationConfig)-[:HAS_RUN]->(r:Run)
    WHERE r.finishedAt IS NOT NULL AND NOT EXISTS { MATCH (k)-[:HAS_RUN]->(o:Run) WHERE o.finishedAt > r.finishedAt }
    RETURN [r.state, r.finishedAt, EXISTS { (k)-[:LATEST]->(r) },
      COLLECT { MATCH (r)-[:HAS_RESULT]->(x:Result)-[:OF_CHECK]->(c:Check) RETURN [x.status, x.severity, c.dimension] },
      COLLECT { MATCH (k)<-[:HAS_CONFIG]-(:Suite)-[:HAS_CHECK]->(c:Check) RETURN ['ERRORED', c.severity, c.dimension] }] } AS latest`

// keepsTheVerdictsOfItsRuns computes every verdict anew, from the results in the store, and compares it
// with what the gateway reads.
func (l loaded) keepsTheVerdictsOfItsRuns(t *testing.T) {
	driver, err := neo4j.NewDriverWithContext(l.config.URI, neo4j.BasicAuth(l.config.User, l.config.Password, ""))
	require.NoError(t, err)
	defer func() { _ = driver.Close(context.WithoutCancel(t.Context())) }()
	result, err := neo4j.ExecuteQuery(t.Context(), driver, storedFactsQuery, map[string]any{"workspace": l.params.Workspace}, neo4j.EagerResultTransformer)
	require.NoError(t, err)
	require.NotEmpty(t, result.Records)
	audience, severities := l.caller(Viewer).Audience, map[graph.Severity]int{}
	for _, r := range result.Records {
		id := r.Values[0].(string)
		want := graph.ComputeVerdict(factsOf(t, r.Values))
		got, err := l.store.Verdicts(t.Context(), audience, []string{id})
		require.NoError(t, err)
		assert.Equal(t, &want, got[id], id)
		if want.WorstSeverity != nil {
			severities[*want.WorstSeverity]++
		}
	}
	assert.Greater(t, len(severities), 2, "good ones and bad ones: %v", severities)
}

func factsOf(t *testing.T, v []any) graph.VerdictFacts {
	f := graph.VerdictFacts{SuiteCount: len(v[2].([]any)), ColumnCount: int(v[1].(int64)), HasRunningRun: len(v[4].([]any)) > 0}
	for _, x := range v[3].([]any) {
		c := x.([]any)
		f.Checks = append(f.Checks, graph.CheckTarget{Dimension: graph.Dimension(c[0].(string)), Column: c[1].(string)})
	}
	for _, x := range v[5].([]any) {
		r := x.([]any)
		assert.Equal(t, true, r[2], "the run that finished last is the latest")
		run := graph.LatestRun{
			State: graph.RunState(r[0].(string)), FinishedAt: time.UnixMilli(r[1].(int64)).UTC(), Severity: graph.SeverityNone,
			ByDimension: make([]int, 2*len(graph.Dimensions())),
		}
		outcomes := r[3].([]any)
		if run.State == graph.RunErrored {
			assert.Empty(t, outcomes, "a run that was not carried out has no results")
			outcomes = r[4].([]any)
		}
		for _, y := range outcomes {
			count(&run, y.([]any))
		}
		f.Latest = append(f.Latest, run)
	}
	return f
}

// count adds one outcome, [status, severity, dimension], to a run.
func count(r *graph.LatestRun, outcome []any) {
	passed, severity := outcome[0] == "PASSED", graph.Severity(outcome[1].(string))
	r.Total++
	if passed {
		r.Passed++
	} else if severity.Rank() > r.Severity.Rank() {
		r.Severity = severity
	}
	for i, d := range graph.Dimensions() {
		if outcome[2] == string(d) {
			r.ByDimension[2*i+1]++
			if passed {
				r.ByDimension[2*i]++
			}
		}
	}
}
