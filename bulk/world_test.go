package bulk_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/bulk"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/lineage"
	"github.com/strata-gateway/strata/resolvers"
)

// world resolves lineage to one graph, and what is decided for each caller to what it was told.
type world struct {
	gql.ResolverRoot
	graph *lineage.Graph
}

func (w world) Query() gql.QueryResolver           { return query{graph: w.graph} }
func (world) LineageNode() gql.LineageNodeResolver { return node{} }
func (world) LineageEdge() gql.LineageEdgeResolver { return edge{} }

type query struct {
	gql.QueryResolver
	graph *lineage.Graph
}

func (q query) Lineage(context.Context, string, graph.Direction, int, *lineage.Filter, int) (*lineage.Graph, error) {
	return q.graph, nil
}

type node struct{ gql.LineageNodeResolver }

func (node) CanOpen(_ context.Context, n *lineage.Node) (bool, error) { return n.IsFocus, nil }

type edge struct{ gql.LineageEdgeResolver }

func (edge) CanEdit(_ context.Context, e *lineage.Edge) (bool, error) { return e.ClosesCycle, nil }

type directive func(context.Context, any, graphql.Resolver) (any, error)

// perField leaves every list to the executor.
func perField(ctx context.Context, _ any, next graphql.Resolver) (any, error) { return next(ctx) }

// counted is @bulk as the gateway has it, and counts the lists that it writes.
func counted(lists *atomic.Int64) directive {
	inner := bulk.Directive(authz.SameForAll, resolvers.LineageNodes(), resolvers.LineageEdges())
	return func(ctx context.Context, obj any, next graphql.Resolver) (any, error) {
		value, err := inner(ctx, obj, next)
		if _, written := value.(graphql.Marshaler); written {
			lists.Add(1)
		}
		return value, err
	}
}

// answer executes a query with a @bulk of one's own.
func (w world) answer(t require.TestingT, ctx context.Context, text string, bulk directive) string {
	e := executor.New(gql.NewExecutableSchema(gql.Config{
		Resolvers:  w,
		Directives: gql.DirectiveRoot{Layer: authz.LayerDirective, Gate: authz.GateDirective, Bulk: bulk},
	}))
	ctx = graphql.StartOperationTrace(ctx)
	op, errs := e.CreateOperationContext(ctx, &graphql.RawParams{Query: text})
	require.Empty(t, errs, text)
	next, ctx := e.DispatchOperation(ctx, op)
	response := next(ctx)
	require.Empty(t, response.Errors, text)
	return string(response.Data)
}

func asMember(t *testing.T) context.Context {
	caller, err := authz.NewPolicy().Caller(graph.CallerFacts{
		UserID: "user_1", Email: "member@demo.test", Workspace: "demo", WorkspaceExists: true,
		Memberships: []graph.Membership{{Workspace: "demo", Role: graph.RoleMember}},
	})
	require.NoError(t, err)
	return authz.WithCaller(t.Context(), caller)
}

// drawGraph draws nodes and edges of any shape: here it is only written.
func drawGraph(t *rapid.T) *lineage.Graph {
	text, degree := rapid.String(), rapid.Ptr(rapid.Map(rapid.Int32(), func(n int32) int { return int(n) }), true)
	g := &lineage.Graph{Completeness: &lineage.Completeness{}}
	for range rapid.IntRange(0, 4).Draw(t, "nodes") {
		g.Nodes = append(g.Nodes, &lineage.Node{
			ID: text.Draw(t, "id"), Kind: lineage.KindAsset, Label: text.Draw(t, "label"),
			System: rapid.Ptr(text, true).Draw(t, "system"), Model: rapid.Ptr(text, true).Draw(t, "model"), URL: rapid.Ptr(text, true).Draw(t, "url"),
			UpstreamDegree: degree.Draw(t, "up"), DownstreamDegree: degree.Draw(t, "down"),
			ColumnCount: int(rapid.Int32().Draw(t, "columns")), IsFocus: rapid.Bool().Draw(t, "focus"), IsImpacted: rapid.Bool().Draw(t, "impacted"),
		})
	}
	categories := rapid.SampledFrom([]graph.EdgeCategory{"MANUAL", "DBT", "OPENLINEAGE", "COLLECTED"})
	for range rapid.IntRange(0, 4).Draw(t, "edges") {
		g.Edges = append(g.Edges, &lineage.Edge{
			ID: text.Draw(t, "id"), Source: text.Draw(t, "source"), Target: text.Draw(t, "target"), Category: categories.Draw(t, "category"),
			OnImpactPath: rapid.Bool().Draw(t, "path"), ClosesCycle: rapid.Bool().Draw(t, "cycle"),
		})
	}
	return g
}
