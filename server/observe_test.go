package server_test

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
	"github.com/strata-gateway/strata/server"
	"github.com/strata-gateway/strata/server/authn"
)

// written is a log that a test reads while others write to it.
type written struct {
	mu sync.Mutex
	b  strings.Builder
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.String()
}

// logged makes a gateway's log one that can be read.
func logged(into *written) func(*server.Deps) {
	return func(d *server.Deps) {
		d.Log = slog.New(slog.NewJSONHandler(into, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
}

func TestRequestID(t *testing.T) {
	w := testkit.NewWorld(t)
	g := testkit.NewGateway(t, w)
	for _, tt := range []struct {
		name, sent string
		kept       bool
	}{
		{"none", "", false},
		{"well-formed", "Job_7.retry-2", true},
		{"longest", strings.Repeat("a", 64), true},
		{"too long", strings.Repeat("a", 65), false},
		{"a space", "a b", false},
		{"a line", "a\tlevel=ERROR", false},
		{"other letters", "größe", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, g.URL+"/healthz", nil)
			require.NoError(t, err)
			if tt.sent != "" {
				request.Header.Set("X-Request-Id", tt.sent)
			}
			response, err := http.DefaultClient.Do(request)
			require.NoError(t, err)
			assert.Equal(t, "ok\n", text(t, response))
			got := response.Header.Get("X-Request-Id")
			if tt.kept {
				assert.Equal(t, tt.sent, got)
				return
			}
			assert.NotEqual(t, tt.sent, got)
			assert.Regexp(t, `^[A-Za-z0-9._-]{1,64}$`, got)
		})
	}
}

func TestLogTellsOfARequestAndNothingThatItHolds(t *testing.T) {
	var log written
	w := testkit.NewWorld(t)
	g := testkit.NewGateway(t, w, logged(&log))
	as := g.As(w.Member(graph.RoleManager).Email)
	answer := as.Query(t.Context(), `mutation MakeOne($in: CreateDatasourceInput!) { createDatasource(input: $in) { datasource { name } } }`,
		map[string]any{"in": map[string]any{"name": "a-confidential-name", "kind": "OTHER"}}, nil)
	answer.RequireNoErrors(t)
	as.Query(t.Context(), `mutation Again($in: CreateDatasourceInput!) { createDatasource(input: $in) { datasource { name } } }`,
		map[string]any{"in": map[string]any{"name": "a-confidential-name", "kind": "OTHER"}}, nil).AssertCode(t, "CONFLICT")
	as.Query(t.Context(), `query `+strings.Repeat("N", 5000)+` { viewer { role } }`, nil, nil).RequireNoErrors(t)

	got := log.String()
	assert.Contains(t, got, `"request":"`+answer.Header.Get("X-Request-Id")+`"`)
	assert.Contains(t, got, `"operation":"MakeOne"`)
	assert.Contains(t, got, `"status":200`)
	assert.Contains(t, got, `"statements":`)
	assert.NotContains(t, got, "a-confidential-name")
	assert.NotContains(t, got, "Bearer")
	assert.NotContains(t, got, g.Token("x@y.test")[:20], "the head of every token of this key")
	assert.NotContains(t, got, strings.Repeat("N", 101), "names are cut")
}

// panicking are ids that cannot be made.
type panicking struct{ graph.IDs }

func (p panicking) New(kind graph.Kind) string {
	if kind == graph.KindDatasource {
		panic("bolt://10.0.0.7:7687 MATCH (n) exploded")
	}
	return p.IDs.New(kind)
}

// explosive is a verifier that panics.
type explosive struct{}

func (explosive) Verify(context.Context, string) (authn.Identity, error) {
	panic("bolt://10.0.0.7:7687 MATCH (n) exploded")
}

func TestPanicTellsNothing(t *testing.T) {
	for name, tt := range map[string]struct {
		status int
		change func(*server.Deps)
	}{
		"in a resolver":       {200, func(*server.Deps) {}},
		"before the executor": {500, func(d *server.Deps) { d.Verifier = explosive{} }},
	} {
		t.Run(name, func(t *testing.T) {
			var log written
			w := testkit.NewWorld(t, testkit.IDs(panicking{graph.RandomIDs{}}))
			g := testkit.NewGateway(t, w, logged(&log), tt.change)
			as := g.As(w.Member(graph.RoleManager).Email)
			answer := as.Query(t.Context(), `mutation { createDatasource(input: {name: "x", kind: OTHER}) { datasource { id } } }`, nil, nil)
			assert.Equal(t, tt.status, answer.Status)
			answer.AssertCode(t, "INTERNAL")
			assert.Equal(t, "internal error", answer.Errors[0].Message)
			assert.NotContains(t, string(answer.Data), "exploded")
			assert.Contains(t, log.String(), "exploded")
			assert.Contains(t, log.String(), `"request":"`+answer.Header.Get("X-Request-Id")+`"`)
			assert.Contains(t, log.String(), "goroutine", "the stack")

			answer = as.Query(t.Context(), who, nil, nil)
			assert.Equal(t, tt.status, answer.Status, "the gateway goes on")
		})
	}
}
