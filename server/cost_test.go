package server

import (
	"math"
	"testing"

	"github.com/99designs/gqlgen/complexity"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/server/limits"
)

// cost is what an operation is charged.
func cost(t *testing.T, query string, variables map[string]any) int {
	t.Helper()
	schema := gql.NewExecutableSchema(gql.Config{Complexity: costs()})
	doc, errs := gqlparser.LoadQueryWithRules(schema.Schema(), query, rules.NewDefaultRules())
	require.Empty(t, errs)
	return complexity.Calculate(t.Context(), schema, doc.Operations[0], variables)
}

func TestCostOfPages(t *testing.T) {
	const full = `query($first: Int, $suites: Int) {
	  assets(first: $first) { totalCount pageInfo { hasNextPage endCursor } edges { cursor node {
	    id name type env description tags isMonitored lastSeenAt columnCount upstreamCount downstreamCount restrictedSuiteCount
	    datasource { id name kind myPermission }
	    verdict { worstSeverity checksTotal checksPassed hasFailedRun hasRunningRun hasOpenIncident lastRunAt suiteCount scorecard { dimension coverage score } }
	    suites(first: $suites) { edges { node { id name } } }
	  } } }
	}`
	page := cost(t, full, map[string]any{"first": 200, "suites": 25})
	assert.InDelta(t, 33_000, page, 3_000, "the largest page with verdicts and suites")
	assert.Less(t, page, limits.Default().Complexity)

	one := cost(t, full, map[string]any{"first": 1, "suites": 25})
	assert.InDelta(t, float64(one), float64(page)/200, 1, "a list costs its first")
	assert.Equal(t, page, cost(t, full, map[string]any{"first": 100_000, "suites": 25}), "the resolver refuses it")
	assert.Equal(t, one, cost(t, full, map[string]any{"first": -7, "suites": 25}))
	assert.Less(t, cost(t, full, map[string]any{"first": nil, "suites": nil}), one+1)
	assert.Greater(t, cost(t, full, map[string]any{"first": 200, "suites": 200}), limits.Default().Complexity)
}

func TestCostOfTheCanvas(t *testing.T) {
	canvas := cost(t, `query($id: ID!) { lineage(node: $id, depth: 5) {
	  nodes { id kind label system model url upstreamDegree downstreamDegree columnCount isFocus isImpacted canOpen canSeeImpact
	    asset { id name type tags datasource { id name } verdict { worstSeverity checksTotal checksPassed hasFailedRun lastRunAt suiteCount } } }
	  edges { id source target category state onImpactPath closesCycle canEdit onDelete }
	  completeness { isComplete stoppedBy hiddenByFilter graphVersion truncated { node direction omitted } }
	} }`, map[string]any{"id": "x"})
	assert.Less(t, canvas, limits.Default().Complexity/2, "two canvases in one operation")
	assert.Greater(t, canvas, 10_000)
}

func TestCostOfALargeCanvas(t *testing.T) {
	const drawn = `query($nodes: Int!) { lineage(node: "x", maxNodes: $nodes) { nodes { id kind label upstreamDegree downstreamDegree } edges { id source target } } }`
	canvas, largest := cost(t, drawn, map[string]any{"nodes": 500}), cost(t, drawn, map[string]any{"nodes": 5000})
	assert.InDelta(t, 10*canvas, largest, 20)
	assert.Less(t, largest, limits.Default().Complexity, "what is needed to draw the largest")
	assert.Equal(t, canvas, cost(t, drawn, map[string]any{"nodes": -3}), "the resolver refuses it")
}

// TestEveryListIsPriced finds the lists of objects that no price was set for.
func TestEveryListIsPriced(t *testing.T) {
	schema := gql.NewExecutableSchema(gql.Config{Complexity: costs()})
	const child = 1000
	for name, def := range schema.Schema().Types {
		if def.Kind != ast.Object || def.BuiltIn {
			continue
		}
		for _, f := range def.Fields {
			returns := schema.Schema().Types[f.Type.Name()]
			// The edges of a connection are priced by its field, which has the page's size.
			if f.Type.Elem == nil || f.Name == "edges" && name != "LineageGraph" || returns == nil || !returns.IsCompositeType() || returns.BuiltIn {
				continue
			}
			args := map[string]any{"ids": []any{"a", "b", "c"}}
			got, set := schema.Complexity(t.Context(), name, f.Name, child, args)
			if name == "Viewer" && f.Name == "teams" {
				continue // one list in a request, short
			}
			assert.True(t, set && got > 2*child, "%s.%s has no price", name, f.Name)
		}
	}
}

func TestPriceDoesNotOverflow(t *testing.T) {
	assert.Equal(t, 11, times(5, 2))
	assert.Equal(t, 6, times(5, 0))
	assert.Equal(t, 6, times(5, -3))
	assert.Equal(t, math.MaxInt, times(math.MaxInt, 1))
	assert.Equal(t, math.MaxInt, times(math.MaxInt/2, 3))
	assert.Equal(t, math.MaxInt, times(math.MaxInt/200+1, 200))
}
