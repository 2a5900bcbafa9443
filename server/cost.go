package server

import (
	"math"

	"github.com/strata-gateway/strata/connection"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/lineage"
)

// What a list without a page is taken to hold, for its cost: many, not the most.
const (
	typicalChecks      = 10
	typicalSteps       = 5
	typicalScores      = 6
	typicalNodes       = 500
	typicalEdges       = 1000
	typicalTruncations = 10
	typicalCategories  = 2
	typicalLinks       = 50
	typicalAssertions  = 2
	typicalCounts      = 10
	typicalPairs       = 5
	// pathCost is that of looking for paths: each asks the store for a search of its own.
	pathCost = 20
	// rankingCost is that of a ranking, which searches from each asset of a datasource.
	rankingCost = 5
)

// costs prices the fields that return lists; every other field costs 1 and what is below it. A page of
// 200 assets with verdicts and suites comes to about 33,000 points.
func costs() gql.ComplexityRoot {
	var c gql.ComplexityRoot
	c.Query.Assets = func(child int, _ *graph.AssetFilter, _ *graph.AssetOrder, first *int, _ *string) int {
		return page(child, first)
	}
	c.Query.Datasources = func(child int, _ *graph.TeamPermission, first *int, _ *string) int { return page(child, first) }
	c.Query.Search = func(child int, _ string, first *int, _ *string) int { return page(child, first) }
	c.Query.Suites = func(child int, _ *graph.SuiteFilter, first *int, _ *string) int { return page(child, first) }
	c.Query.Groups = ofPage
	c.Query.Members = ofPage
	c.Query.Teams = ofPage
	c.Group.Members = ofPage
	c.Team.Members = each(typicalChecks)
	c.Team.Datasources = each(typicalChecks)
	c.Query.AuditEvents = func(child int, _ *graph.AuditFilter, first *int, _ *string) int { return page(child, first) }
	c.Query.Nodes = func(child int, ids []string) int { return times(child, len(ids)) }
	c.Asset.Columns = ofPage
	c.Asset.Suites = ofPage
	c.Suite.Runs = ofPage
	c.Suite.History = ofPage
	c.Suite.Checks = each(typicalChecks)
	c.Suite.Shares = each(typicalChecks)
	c.Run.Results = each(typicalChecks)
	c.AccessExplanation.Path = each(typicalSteps)
	c.Verdict.Scorecard = each(typicalScores)
	c.Query.Lineage = func(child int, _ string, _ graph.Direction, _ int, _ *lineage.Filter, maxNodes int) int {
		return canvas(child, maxNodes)
	}
	c.Query.Impact = func(child int, _ string, _ graph.Direction, _ int, _ *graph.WalkFilter, _ *gql.ImpactOrder, first *int, _ *string) int {
		return page(child, first)
	}
	c.Query.ImpactRanking = func(child int, _ string, _ lineage.RankingField, first *int, _ *string) int {
		return times(page(child, first), rankingCost)
	}
	c.ImpactConnection.CountByDegree = each(typicalCounts)
	c.ImpactConnection.CountBySeverity = each(typicalCounts)
	c.ImpactConnection.CountByOwner = each(typicalCounts)
	c.ImpactEdge.Paths = func(child int, first int) int { return times(times(child, first), pathCost) }
	c.Query.Paths = func(child int, _, _ string, first int) int { return times(times(child, first), pathCost) }
	c.Query.DatasourceLineage = func(child int, _, _ string, maxNodes int) int { return canvas(child, maxNodes) }
	c.Query.WorkspaceLineage = func(child int, _ []string, maxNodes int) int { return canvas(child, maxNodes) }
	c.LineageEdge.Assertions = each(typicalAssertions)
	c.LineageEdge.ColumnPairs = each(typicalPairs)
	c.ColumnLineageGraph.Nodes = each(typicalNodes)
	c.ColumnLineageGraph.Edges = each(typicalEdges)
	c.AssertEdgesPayload.Edges = each(typicalAssertions)
	c.DatasourceMap.Links = each(typicalLinks)
	c.Query.Expand = func(child int, _ string, _ graph.Direction, _ *lineage.Filter, first *int, _ *string) int {
		return page(child, first)
	}
	c.LineageNeighbour.Edges = each(typicalCategories)
	c.LineageGraph.Nodes = each(typicalNodes)
	c.LineageGraph.Edges = each(typicalEdges)
	c.Completeness.Truncated = each(typicalTruncations)
	return c
}

// canvas is the cost of a graph: what is below it is priced as one of typicalNodes.
func canvas(child, maxNodes int) int { return times(child, (maxNodes+typicalNodes-1)/typicalNodes) }

func ofPage(child int, first *int, _ *string) int { return page(child, first) }

// page is the cost of a page. A size out of bounds costs the nearest good one: the resolver refuses it
// before anything is read, with an error that says which argument is wrong.
func page(child int, first *int) int {
	if first == nil {
		return times(child, 1)
	}
	return times(child, min(*first, connection.MaxFirst))
}

func each(n int) func(int) int {
	return func(child int) int { return times(child, n) }
}

// times is 1 and n times child, at most the greatest int: a price that overflowed would be a bargain.
func times(child, n int) int {
	n = max(n, 1)
	if child > (math.MaxInt-1)/n {
		return math.MaxInt
	}
	return 1 + child*n
}
