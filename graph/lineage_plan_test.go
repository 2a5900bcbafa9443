package graph

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/internal/teststack"
)

// plan runs a statement and lists the operators that ran, each with its details. (EXPLAIN would not do:
// the driver repeats the last child of an operator there and hides the branches.)
func plan(t *testing.T, s *Store, statement string, params map[string]any) []string {
	t.Helper()
	all, err := s.conditioned(statement, Audience{Workspace: "t-plan", Class: ClassRestricted}, nil, params)
	require.NoError(t, err)
	return profile(t, s, s.text(statement), all)
}

// profile runs a statement and lists the operators of its plan.
func profile(t *testing.T, s *Store, statement string, params map[string]any) []string {
	t.Helper()
	session := s.driver.NewSession(t.Context(), neo4j.SessionConfig{})
	defer func() { _ = session.Close(t.Context()) }()
	result, err := session.Run(t.Context(), "PROFILE "+statement, params)
	require.NoError(t, err)
	summary, err := result.Consume(t.Context())
	require.NoError(t, err)
	return operatorsOf(summary.Profile())
}

// operatorsOf lists the operators of a plan, each with its details.
func operatorsOf(p neo4j.ProfiledPlan) []string {
	details, _ := p.Arguments()["Details"].(string)
	operators := []string{strings.TrimSuffix(p.Operator(), "@neo4j") + " | " + details}
	for _, child := range p.Children() {
		operators = append(operators, operatorsOf(child)...)
	}
	return operators
}

func openForPlans(t *testing.T) *Store {
	t.Helper()
	uri, user, password := teststack.Neo4j(t)
	s, err := Open(t.Context(), Config{URI: uri, User: user, Password: password})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close(t.Context()) })
	require.NoError(t, s.Migrate(t.Context()))
	return s
}

// having are the operators that begin with a name.
func having(operators []string, name string) []string {
	var out []string
	for _, o := range operators {
		if strings.HasPrefix(o, name) {
			out = append(out, o)
		}
	}
	return out
}

// assertNoScan fails if a plan looks at everything of a label.
func assertNoScan(t *testing.T, operators []string) {
	t.Helper()
	for _, o := range operators {
		assert.NotContains(t, o, "Scan", "looks at more than the nodes that it is about")
	}
}

// everyFilter sets every field that a walk can be narrowed by.
func everyFilter() WalkFilter {
	return WalkFilter{
		Categories: []EdgeCategory{EdgeOpenLineage}, Systems: []string{"test"}, Tags: []string{"pii"}, Types: []AssetType{TypeTable},
		WorstSeverityAtLeast: SeverityWarning, Text: "orders", OwnerEmail: "owner@demo.test", Datasource: "ds_of_nothing",
	}
}

func TestWalksArePlannedAsPruningSearch(t *testing.T) {
	s := openForPlans(t)
	for direction, arms := range map[Direction]int{Upstream: 1, Downstream: 1, Both: 2} {
		for depth := 2; depth <= MaxDepth; depth++ {
			for name, f := range map[string]WalkFilter{"": {}, " filtered": everyFilter()} {
				t.Run(string(direction)+" "+strconv.Itoa(depth)+name, func(t *testing.T) {
					operators := plan(t, s, f.narrowed(reachQuery(direction, depth)), f.with(map[string]any{"node": "asset_of_nothing", "depth": depth, "limit": 501, "edges": listedEdges + 1}))
					assertPruningSearches(t, operators, arms, f.Cuts())
				})
			}
		}
	}
}

// assertPruningSearches fails unless the conditions on nodes and edges are part of each search.
func assertPruningSearches(t *testing.T, operators []string, arms int, cuts bool) {
	t.Helper()
	searches := having(operators, "VarLengthExpand")
	assert.Len(t, searches, arms)
	for _, o := range searches {
		assert.True(t, strings.HasPrefix(o, "VarLengthExpand(Pruning,BFS,All) "), o)
		assert.Contains(t, o, "n.workspace IN $workspaces", "the condition is part of the search")
		assert.Contains(t, o, "n.hiddenRank", "the condition is part of the search")
		assert.Contains(t, o, "r.workspace IN $workspaces", "the condition is part of the search")
		assert.Equal(t, cuts, strings.Contains(o, "r.category"), "so is the filter's")
	}
	assert.NotEmpty(t, having(operators, "NodeUniqueIndexSeek"))
	assertNoScan(t, operators)
}

func TestImpactsArePlannedAsPruningSearch(t *testing.T) {
	s := openForPlans(t)
	for _, depth := range []int{2, 3, 20, MaxImpactDepth, MaxImpactDepth + 1} {
		for _, direction := range []Direction{Upstream, Downstream} {
			for name, f := range map[string]WalkFilter{"": {}, " filtered": everyFilter()} {
				t.Run(string(direction)+" "+strconv.Itoa(depth)+name, func(t *testing.T) {
					q := ImpactQuery{Direction: direction, Depth: depth, Filter: f, CountConsumers: depth == 20}
					operators := plan(t, s, impactQuery(q), f.with(map[string]any{"node": "asset_of_nothing", "limit": 501}))
					assertPruningSearches(t, operators, 1, f.Cuts())
				})
			}
		}
	}
}

func TestRankingsArePlannedAsPruningSearches(t *testing.T) {
	operators := plan(t, openForPlans(t), toDepth(rankingQuery, MaxImpactDepth), map[string]any{"datasources": []string{"datasource_of_nothing"}, "limit": 2})
	assertPruningSearches(t, operators, 1, false)
}

// A single hop would be planned as a search that reads all of a hub's edges before the first is of use.
func TestShortWalksArePlannedAsExpansion(t *testing.T) {
	s := openForPlans(t)
	for _, direction := range []Direction{Upstream, Downstream, Both} {
		for depth := 0; depth <= 1; depth++ {
			operators := plan(t, s, WalkFilter{}.narrowed(reachQuery(direction, depth)), map[string]any{"node": "asset_of_nothing", "depth": depth, "limit": 501, "edges": listedEdges + 1})
			assert.Empty(t, having(operators, "VarLengthExpand"))
			assert.NotEmpty(t, having(operators, "NodeUniqueIndexSeek"))
			assertNoScan(t, operators)
		}
	}
}

func TestLineageStatementsStartAtTheirNodes(t *testing.T) {
	s := openForPlans(t)
	ids := []string{"asset_of_nothing", "ext:of:nothing"}
	for name, c := range map[string]struct {
		statement string
		params    map[string]any
		operator  string
	}{
		"topology":   {WalkFilter{}.narrowed(topologyQuery), map[string]any{"ids": ids, "edges": 1}, "NodeUniqueIndexSeek"},
		"hub edges":  {hubEdgesQuery, map[string]any{"ids": ids, "hubs": ids}, "Expand(Into)"},
		"neighbours": {WalkFilter{}.narrowed(levelHead + levelArrow(Upstream) + levelTail), map[string]any{"ids": ids, "fanOut": 1}, "Top"},
		"totals":     {totalsHead + levelArrow(Downstream) + totalsTail, map[string]any{"ids": ids}, "NodeUniqueIndexSeek"},
		"externals":  {externalsQuery, map[string]any{"ids": ids}, "NodeUniqueIndexSeek"},
		"edge":       {edgeByIDQuery, map[string]any{"edge": "edge_of_nothing"}, "DirectedRelationshipUniqueIndexSeek"},
		"namesakes":  {namesakesQuery, map[string]any{"names": ids}, "NodeIndexSeek"},
		"retired":    {everyFilter().narrowed(retiredEdgesQuery), everyFilter().with(map[string]any{"ids": ids}), "NodeUniqueIndexSeek"},
		"expand":     {everyFilter().narrowed(expandQuery(Upstream, true)), everyFilter().with(map[string]any{"node": "asset_of_nothing", "afterDegree": 9, "afterID": "", "limit": 2}), "Top"},
		"dataset":    {datasetAtQuery, map[string]any{"places": []any{[]any{"ds_of_nothing", "a"}}, "external": ids[1]}, "NodeUniqueIndexSeek"},
		"canvas":     {canvasQuery, map[string]any{"datasources": ids, "limit": 2}, "NodeUniqueIndexSeek"},
		"between":    {betweenQuery, map[string]any{"datasources": ids, "other": "", "limit": 2}, "NodeUniqueIndexSeek"},
		"map":        {datasourceMapQuery, map[string]any{"datasources": ids, "limit": 2}, "NodeUniqueIndexSeek"},
		"assertions": {assertionsQuery, map[string]any{"ids": ids, "limit": 2}, "NodeUniqueIndexSeek"},
		"meanings":   {edgeDescriptionsQuery, map[string]any{"ids": ids, "organization": "org"}, "DirectedRelationshipUniqueIndexSeek"},
		"distances":  {distanceQuery(Downstream), map[string]any{"node": ids[0], "ends": ids}, "VarLengthExpand(Pruning,BFS,All)"},
		"far back":   {distanceQuery(Upstream), map[string]any{"node": ids[0], "ends": ids}, "VarLengthExpand(Pruning,BFS,All)"},
		"steps":      {WalkFilter{}.narrowed(stepsHead + levelUpstream + stepsTail), map[string]any{"ids": ids, "layer": ids, "first": 2}, "NodeUniqueIndexSeek"},
		"pairs":      {columnPairsQuery, map[string]any{"ids": ids}, "DirectedRelationshipIndexSeek"},
		"columns":    {columnLevelQuery(Downstream), map[string]any{"ids": ids, "limit": 2}, "NodeUniqueIndexSeek"},
		"columns up": {columnLevelQuery(Upstream), map[string]any{"ids": ids, "limit": 2}, "NodeUniqueIndexSeek"},
		"placed":     {placedColumnsQuery, map[string]any{"ids": ids}, "NodeUniqueIndexSeek"},
		"leads back": {leadsBackQuery, map[string]any{"source": "a", "target": "b"}, "ShortestPath"},
	} {
		t.Run(name, func(t *testing.T) {
			operators := plan(t, s, c.statement, c.params)
			t.Log(strings.Join(operators, "\n"))
			assert.NotEmpty(t, having(operators, c.operator))
			assertNoScan(t, operators)
		})
	}
}

// A bare hint is followed by a scan of the index too, which a store that is still empty prefers.
func TestEveryIndexHintIsASeek(t *testing.T) {
	hints := 0
	for name, f := range sources(t, ".") {
		ast.Inspect(f, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			for _, behind := range strings.Split(literal.Value, "USING INDEX ")[1:] {
				hints++
				assert.True(t, strings.HasPrefix(behind, "SEEK "), "%s: USING INDEX %.40s", name, behind)
			}
			return true
		})
	}
	assert.Positive(t, hints)
}

func TestAssetsByNameReadNoMoreThanThePage(t *testing.T) {
	s := openForPlans(t)
	for _, direction := range []OrderDirection{Ascending, Descending} {
		for _, after := range []bool{false, true} {
			q := assetListQuery("", assetOrdering(AssetOrder{OrderByName, direction}), Position{After: after})
			operators := plan(t, s, q, map[string]any{"limit": 11, "text": "a", "number": 0, "id": "a"})
			assert.NotEmpty(t, having(operators, "Limit"), "within a workspace the index gives the order")
			assert.Len(t, having(operators, "Top"), 1, "the pages of the workspaces are merged")
			assert.NotEmpty(t, having(operators, "NodeIndexSeek"))
			assertNoScan(t, operators)
		}
	}
}

func TestWhatAProducerAssertsIsFoundByItsIds(t *testing.T) {
	operators := profile(t, openForPlans(t), assertedEdgesQuery, map[string]any{"workspace": "t-plan", "producer": "nobody"})
	assert.Len(t, having(operators, "DirectedRelationshipUniqueIndexSeek"), 2, "of edges that are walked, and of retired ones")
	assertNoScan(t, operators)
}
