package server_test

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
	"github.com/strata-gateway/strata/server"
)

const who = `query Who { viewer { user { email } role workspace { id } } }`

// viewer is what `who` returns.
type viewer struct {
	Viewer struct {
		User      struct{ Email string }
		Role      string
		Workspace struct{ ID string }
	}
}

func TestCallerIsWhoTheTokenSays(t *testing.T) {
	w := testkit.NewWorld(t)
	g := testkit.NewGateway(t, w)
	m := w.Member(graph.RoleManager)
	var got viewer
	answer := g.As(strings.ToUpper(m.Email)).Query(t.Context(), who, nil, &got)
	answer.RequireNoErrors(t)
	assert.Equal(t, m.Email, got.Viewer.User.Email)
	assert.Equal(t, "MANAGER", got.Viewer.Role)
	assert.Equal(t, w.Workspace, got.Viewer.Workspace.ID)
	assert.Equal(t, 1, answer.Statements, "the round trip that every operation owes, and no other")
	assert.Equal(t, "no-store", answer.Header.Get("Cache-Control"))
	assert.Equal(t, "nosniff", answer.Header.Get("X-Content-Type-Options"))
}

func TestWithoutATokenNothingIsAnswered(t *testing.T) {
	w := testkit.NewWorld(t)
	g := testkit.NewGateway(t, w)
	good := g.Token(w.Member(graph.RoleMember).Email)
	for name, tt := range map[string]struct{ authorization, challenge string }{
		"none":          {"", `Bearer realm="strata"`},
		"another":       {"Basic bWVtYmVyOnNlY3JldA==", `Bearer realm="strata", error="invalid_token"`},
		"garbage":       {"Bearer garbage", `Bearer realm="strata", error="invalid_token"`},
		"tampered with": {"Bearer " + good[:len(good)-4] + "AAAA", `Bearer realm="strata", error="invalid_token"`},
	} {
		t.Run(name, func(t *testing.T) {
			request := post(t, g, `{"query":"{__typename}"}`)
			if tt.authorization != "" {
				request.Header.Set("Authorization", tt.authorization)
			}
			answer := g.Anonymous().Do(request)
			assert.Equal(t, http.StatusUnauthorized, answer.Status)
			assert.Equal(t, tt.challenge, answer.Header.Get("WWW-Authenticate"))
			assert.Equal(t, "no-store", answer.Header.Get("Cache-Control"))
			answer.AssertCode(t, "UNAUTHENTICATED")
			assert.Nil(t, answer.Data)
			assert.Zero(t, answer.Statements, "strangers cost the store nothing")
		})
	}
}

func TestWorkspaceOfARequest(t *testing.T) {
	w, other := testkit.NewWorld(t), testkit.NewWorld(t)
	g := testkit.NewGateway(t, w)
	both := w.Member(graph.RoleMember).Email
	viewerIn, err := other.Store.EnsureMember(t.Context(), other.Workspace, both, graph.RoleViewer, graph.Unrestricted)
	require.NoError(t, err)
	require.NotEmpty(t, viewerIn)
	alone := w.Enrol("alone", graph.RoleMember, graph.Unrestricted).Email
	for _, tt := range []struct{ name, as, workspace, in, code, field string }{
		{"the only one", alone, "", w.Workspace, "", ""},
		{"named", alone, w.Workspace, w.Workspace, "", ""},
		{"named among several", both, other.Workspace, other.Workspace, "", ""},
		{"of several none named", both, "", "", "BAD_USER_INPUT", "X-Strata-Workspace"},
		{"someone else's", alone, other.Workspace, "", "FORBIDDEN", ""},
		{"none of that name", alone, "no-such-workspace", "", "FORBIDDEN", ""},
		{"the organization", alone, "org", "", "FORBIDDEN", ""},
		{"in none at all", "stranger@" + w.Workspace + ".test", "", "", "FORBIDDEN", ""},
		{"in none, one named", "stranger@" + w.Workspace + ".test", w.Workspace, "", "FORBIDDEN", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got viewer
			answer := g.As(tt.as).In(tt.workspace).Query(t.Context(), who, nil, &got)
			assert.Equal(t, http.StatusOK, answer.Status, "a well-formed request, so 200 with application/json")
			if tt.code == "" {
				answer.RequireNoErrors(t)
				assert.Equal(t, tt.in, got.Viewer.Workspace.ID)
				return
			}
			answer.AssertCode(t, tt.code)
			assert.Nil(t, answer.Data)
			assert.Equal(t, tt.field, answer.Errors[0].Extensions.Field)
		})
	}
	unknown := g.As(alone).In("no-such-workspace").Query(t.Context(), who, nil, nil)
	foreign := g.As(alone).In(other.Workspace).Query(t.Context(), who, nil, nil)
	assert.Equal(t, unknown.Errors, foreign.Errors, "whether a workspace exists is not for strangers")
}

func TestMalformedRequests(t *testing.T) {
	w := testkit.NewWorld(t)
	g := testkit.NewGateway(t, w)
	as := g.As(w.Member(graph.RoleAdmin).Email)
	mutation := url.Values{"query": {`mutation { createDatasource(input: {name: "x", kind: OTHER}) { datasource { id } } }`}}
	long := `{"query":"{viewer{role}} #` + strings.Repeat("x", 10<<20) + `"}`
	for _, tt := range []struct {
		name, method, path, contentType, body string
		status                                int
		code                                  string
	}{
		{"not JSON", http.MethodPost, "/graphql", "application/json", `{`, 400, "BAD_USER_INPUT"},
		{"unknown JSON", http.MethodPost, "/graphql", "application/json", `{"nonsense": true}`, 400, "BAD_USER_INPUT"},
		{"a list", http.MethodPost, "/graphql", "application/json", `[{"query":"{viewer{role}}"}]`, 400, "BAD_USER_INPUT"},
		{"no body", http.MethodPost, "/graphql", "application/json", "", 400, "BAD_USER_INPUT"},
		{"empty query", http.MethodPost, "/graphql", "application/json", `{"query":""}`, 400, "BAD_USER_INPUT"},
		{"blank query", http.MethodPost, "/graphql", "application/json", `{"query":"  "}`, 200, "BAD_USER_INPUT"},
		{"ten megabytes", http.MethodPost, "/graphql", "application/json", long, 413, "LIMIT_EXCEEDED"},
		{"text", http.MethodPost, "/graphql", "text/plain", `{"query":"{viewer{role}}"}`, 415, "BAD_USER_INPUT"},
		{"a mutation by GET", http.MethodGet, "/graphql?" + mutation.Encode(), "", "", 405, "BAD_USER_INPUT"},
		{"PUT", http.MethodPut, "/graphql", "application/json", `{"query":"{viewer{role}}"}`, 405, "BAD_USER_INPUT"},
		{"elsewhere", http.MethodGet, "/graphiql", "", "", 404, "NOT_FOUND"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			request, err := http.NewRequestWithContext(t.Context(), tt.method, g.URL+tt.path, strings.NewReader(tt.body))
			require.NoError(t, err)
			request.Header.Set("Content-Type", tt.contentType)
			answer := as.Do(request)
			assert.Equal(t, tt.status, answer.Status)
			answer.AssertCode(t, tt.code)
			assert.Nil(t, answer.Data)
			assert.Zero(t, answer.Statements)
		})
	}
	var none struct{ Datasources struct{ TotalCount int } }
	as.Query(t.Context(), `{ datasources { totalCount } }`, nil, &none).RequireNoErrors(t)
	assert.Zero(t, none.Datasources.TotalCount, "GET has changed nothing")
}

func TestQueryByGET(t *testing.T) {
	w := testkit.NewWorld(t)
	g := testkit.NewGateway(t, w)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, g.URL+"/graphql?"+url.Values{"query": {who}}.Encode(), nil)
	require.NoError(t, err)
	answer := g.As(w.Member(graph.RoleViewer).Email).Do(request)
	answer.RequireNoErrors(t)
	assert.Contains(t, string(answer.Data), `"role":"VIEWER"`)
}

func TestIntrospection(t *testing.T) {
	const schema = `{ __schema { queryType { name } } }`
	w := testkit.NewWorld(t)
	member := w.Member(graph.RoleViewer).Email
	on := testkit.NewGateway(t, w)
	answer := on.As(member).Query(t.Context(), schema, nil, nil)
	answer.RequireNoErrors(t)
	assert.JSONEq(t, `{"__schema":{"queryType":{"name":"Query"}}}`, string(answer.Data))
	on.As("stranger@"+w.Workspace+".test").Query(t.Context(), schema, nil, nil).AssertCode(t, "FORBIDDEN")

	off := testkit.NewGateway(t, w, func(d *server.Deps) { d.Introspection = false })
	answer = off.As(member).Query(t.Context(), schema, nil, nil)
	answer.AssertCode(t, "FORBIDDEN")
	assert.Nil(t, answer.Data)
	off.As(member).Query(t.Context(), `{ __typename }`, nil, nil).RequireNoErrors(t)
}

func TestOperationThatRunsOutOfTime(t *testing.T) {
	w := testkit.NewWorld(t)
	g := testkit.NewGateway(t, w, func(d *server.Deps) { d.RequestTime = time.Nanosecond })
	answer := g.As(w.Member(graph.RoleMember).Email).Query(t.Context(), who, nil, nil)
	answer.AssertCode(t, "TIMEOUT")
	assert.Nil(t, answer.Data)
}

func TestCORSIsOff(t *testing.T) {
	w := testkit.NewWorld(t)
	g := testkit.NewGateway(t, w)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodOptions, g.URL+"/graphql", nil)
	require.NoError(t, err)
	request.Header.Set("Origin", "https://elsewhere.example")
	request.Header.Set("Access-Control-Request-Method", "POST")
	answer := g.Anonymous().Do(request)
	assert.Equal(t, http.StatusUnauthorized, answer.Status)
	for name := range answer.Header {
		assert.NotContains(t, name, "Access-Control")
	}
}

func TestRevocationHoldsForTheNextRequest(t *testing.T) {
	w := testkit.NewWorld(t)
	g := testkit.NewGateway(t, w)
	manager, member := w.Member(graph.RoleManager), w.Member(graph.RoleMember)
	asset := w.Asset(manager, w.Datasource(manager, "orders", graph.Viewer), "orders")
	suite := w.Suite(manager, asset.ID, "freshness", "recent")
	seen := func() string {
		answer := g.As(member.Email).Query(t.Context(), `query($id: ID!) { suite(id: $id) { name } }`, map[string]any{"id": suite}, nil)
		answer.RequireNoErrors(t)
		return string(answer.Data)
	}
	assert.Equal(t, `{"suite":null}`, seen())
	share := w.Share(manager, suite, member, graph.ShareView)
	assert.Equal(t, `{"suite":{"name":"freshness"}}`, seen())
	w.Revoke(manager, share)
	assert.Equal(t, `{"suite":null}`, seen())
}

// post is a request with a body of JSON.
func post(t *testing.T, g *testkit.Gateway, body string) *http.Request {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.URL+"/graphql", bytes.NewBufferString(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	return request
}

// text reads an answer to the end.
func text(t *testing.T, r *http.Response) string {
	t.Helper()
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	return string(b)
}
