package limits_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/server/limits"
	"github.com/strata-gateway/strata/server/transport"
)

// gateway is a handler with limits, whose every operation fails in as many ways
// as a test asks for, and otherwise answers with no data.
type gateway struct {
	server   *handler.Server
	failures int
	executed int
}

func newGateway(t *testing.T, cfg limits.Config) *gateway {
	t.Helper()
	schema := loadSchema(t)
	g := &gateway{}
	g.server = handler.New(&graphql.ExecutableSchemaMock{
		SchemaFunc: func() *ast.Schema { return schema },
		ComplexityFunc: func(_ context.Context, typeName, field string, child int, args map[string]any) (int, bool) {
			if first, ok := args["first"].(int64); ok && typeName == "Query" && field == "nodes" {
				return int(first) * child, true
			}
			return 0, false
		},
		ExecFunc: func(context.Context) graphql.ResponseHandler {
			return func(ctx context.Context) *graphql.Response {
				g.executed++
				for range g.failures {
					graphql.AddError(ctx, fault.Forbidden(strings.Repeat("x", 2000)))
				}
				return &graphql.Response{Data: []byte("{}")}
			}
		},
	})
	g.server.AddTransport(transport.POST{})
	g.server.SetErrorPresenter(transport.Present(slog.New(slog.DiscardHandler),
		func(context.Context) string { return "" }))
	require.NoError(t, limits.Apply(g.server, cfg))
	return g
}

type answer struct {
	Data   map[string]any
	Errors []struct {
		Message    string
		Extensions map[string]any
	}
}

func (g *gateway) ask(t *testing.T, query string) answer {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	require.NoError(t, err)
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(string(body)))
	r.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	g.server.ServeHTTP(rec, r)
	var a answer
	require.NoError(t, json.NewDecoder(rec.Body).Decode(&a))
	return a
}

func TestAppliedLimits(t *testing.T) {
	tests := []struct{ name, query, says string }{
		{"tokens", "{" + strings.Repeat("a ", 10_000) + "}", "exceeded token limit of 10000"},
		{"selections", "{" + strings.Repeat("a ", 9_000) + "}", "9000 fields and fragments selected, more than the limit of 5000"},
		{"depth", "{node{...on Asset" + parents(15) + "}}", "16 levels of fields, more than the limit of 15"},
		{"aliases", "{node{" + numbered(51, "x%d:id") + "}}", "51 aliases, more than the limit of 50"},
		{"directives", "{a" + strings.Repeat("@x", 51) + "}", "51 directives, more than the limit of 50"},
		{"root fields", "{" + numbered(21, "x%d:a") + "}", "21 fields at the top, more than the limit of 20"},
		{"repeats", "{node{" + strings.Repeat("id ", 202) + "}}", "201 fields that repeat"},
		{"complexity", "{nodes(first:50001){... on Asset{id parent{id}}}}", "150003 points of cost, more than the limit of 100000"},
		{"nested spreads", "{...F0}" + spreads(60, 10), "over 1000000000 fields and fragments selected"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newGateway(t, limits.Default())
			got := g.ask(t, tt.query)
			require.NotEmpty(t, got.Errors)
			assert.Contains(t, got.Errors[0].Message, tt.says)
			assert.Equal(t, "LIMIT_EXCEEDED", got.Errors[0].Extensions["code"])
			assert.EqualValues(t, 422, got.Errors[0].Extensions["httpStatus"])
			assert.Zero(t, g.executed)
		})
	}
}

// spreads is a bomb of levels fragments, each width times in the one above.
func spreads(levels, width int) string {
	var b strings.Builder
	for i := range levels {
		fmt.Fprintf(&b, "fragment F%d on Query{%s}", i, strings.Repeat(fmt.Sprintf("...F%d ", i+1), width))
	}
	return b.String() + fmt.Sprintf("fragment F%d on Query{a}", levels)
}

func TestErrorsAreCapped(t *testing.T) {
	g := newGateway(t, limits.Default())
	g.failures = 50
	assert.Len(t, g.ask(t, "{a}").Errors, 50)

	g.failures = 1000
	got := g.ask(t, "{a}")
	require.Len(t, got.Errors, 50)
	assert.Equal(t, "There are 951 more errors. Mend these first.", got.Errors[49].Message)
	assert.Equal(t, "LIMIT_EXCEEDED", got.Errors[49].Extensions["code"])
	assert.Equal(t, "FORBIDDEN", got.Errors[48].Extensions["code"])
	for _, err := range got.Errors {
		assert.Less(t, len(err.Message), 1100)
	}
	assert.NotNil(t, got.Data)

	got = g.ask(t, "{node{"+numbered(200, "unknown%d")+"}}")
	assert.Len(t, got.Errors, 50)
}

func TestQueriesAreCached(t *testing.T) {
	g := newGateway(t, limits.Default())
	for range 3 {
		assert.Empty(t, g.ask(t, "{a}").Errors)
	}
	assert.Equal(t, 3, g.executed)
	// What is cached has been checked; what is not valid is not cached.
	for range 2 {
		assert.NotEmpty(t, g.ask(t, "{a"+strings.Repeat("@x", 51)+"}").Errors)
	}
}

func TestApplyRefusesAZeroConfig(t *testing.T) {
	assert.Error(t, limits.Apply(handler.New(&graphql.ExecutableSchemaMock{}), limits.Config{}))
}

func TestIntrospection(t *testing.T) {
	g := newGateway(t, limits.Default())
	var disabled bool
	allowed := false
	g.server.Use(limits.Introspection{Allow: func(context.Context) bool { return allowed }})
	g.server.AroundOperations(func(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
		disabled = graphql.GetOperationContext(ctx).DisableIntrospection
		return next(ctx)
	})
	for _, query := range []string{
		"{__schema{queryType{name}}}", `{x:__type(name:"Query"){name}}`,
		"{a ...F} fragment F on Query{...{...G}} fragment G on Query{__schema{queryType{name}}}",
	} {
		allowed = false
		got := g.ask(t, query)
		require.Len(t, got.Errors, 1)
		assert.Equal(t, "FORBIDDEN", got.Errors[0].Extensions["code"])
		allowed = true
		assert.Empty(t, g.ask(t, query).Errors)
		assert.False(t, disabled)
	}
	allowed = false
	assert.Empty(t, g.ask(t, "{__typename a ...F} fragment F on Query{a}").Errors, "a type's name is no introspection")
	assert.True(t, disabled)
	assert.Error(t, limits.Introspection{}.Validate(nil))
}
