package server_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
	"github.com/strata-gateway/strata/internal/teststack"
)

// readable is a world with two suites of the manager's, each with two runs.
type readable struct {
	*testkit.World
	g            *testkit.Gateway
	asset        string
	suites, runs []string
	admin, owner testkit.Member
}

func newReadable(t *testing.T, options ...testkit.Option) *readable {
	w := testkit.NewWorld(t, options...)
	r := &readable{World: w, g: testkit.NewGateway(t, w), admin: w.Member(graph.RoleAdmin), owner: w.Member(graph.RoleManager)}
	r.asset = w.Asset(r.admin, w.Datasource(r.admin, "warehouse", graph.Viewer), "orders").ID
	for i := range 2 {
		suite := w.Suite(r.owner, r.asset, fmt.Sprintf("suite %d", i), "complete")
		r.suites = append(r.suites, suite)
		for range 2 {
			r.runs = append(r.runs, w.Run(r.owner, suite))
		}
	}
	return r
}

// recorded are the runs that the trail says were read in a request, by suite, and how many events say so.
func (r *readable) recorded(t *testing.T, request string) (map[string][]string, int) {
	t.Helper()
	page, err := r.Store.AuditEvents(t.Context(), r.Caller(r.admin).Scope(), graph.AuditFilter{Action: "data.read", RequestID: request}, graph.Position{First: 200})
	require.NoError(t, err)
	out := map[string][]string{}
	for _, e := range page.Items {
		assert.True(t, e.AdminOverride)
		assert.Equal(t, r.admin.ID, e.Actor.ID)
		for _, run := range e.After.(map[string]any)["runs"].([]any) {
			out[e.Resource] = append(out[e.Resource], run.(string))
		}
	}
	return out, len(page.Items)
}

// ask sends a query as a member and returns its answer and what was recorded of it.
func (r *readable) ask(t *testing.T, who testkit.Member, id, query string) (testkit.Answer, map[string][]string, int) {
	t.Helper()
	answer := r.g.As(who.Email).Naming(func() string { return id }).Query(t.Context(), query, nil, nil)
	read, events := r.recorded(t, id)
	return answer, read, events
}

func sorted(ids ...string) []string {
	slices.Sort(ids)
	return ids
}

func TestWhatAnAdminReadsByThatAloneIsRecorded(t *testing.T) {
	r := newReadable(t)
	first, second := r.suites[0], r.suites[1]
	everything := map[string][]string{first: sorted(r.runs[0], r.runs[1]), second: sorted(r.runs[2], r.runs[3])}
	one := map[string][]string{first: {r.runs[0]}}
	for i, c := range []struct {
		name, query string
		want        map[string][]string
	}{
		{"a run", `{ run(id: $r0) { results { status } } }`, one},
		{"under another name", `{ x: run(id: $r0) { y: results { status } } z: run(id: $r0) { results { severity } } }`, one},
		{"in a fragment", `query { run(id: $r0) { ...f } } fragment f on Run { ... on Run { results { status } } }`, one},
		{"by node", `{ node(id: $r0) { id ... on Run { results { status } } } }`, one},
		{"by nodes", `{ nodes(ids: [$r0, $r2]) { ... on Run { results { __typename } } } }`, map[string][]string{first: {r.runs[0]}, second: {r.runs[2]}}},
		{"of a suite", `{ suite(id: $s0) { runs { edges { node { results { status } } } } } }`, map[string][]string{first: everything[first]}},
		{"of a list", `{ suites { edges { node { runs { edges { node { results { status } } } } } } } }`, everything},
		{"of an asset", `{ asset(id: $a) { suites { edges { node { runs { edges { node { results { status } } } } } } } } }`, everything},
		{"without results", `{ run(id: $r0) { state checksTotal checksPassed suite { name runs { edges { node { state } } } } } }`, map[string][]string{}},
		{"with results that are skipped", `{ run(id: $r0) { state results @skip(if: true) { status } } }`, map[string][]string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			query := strings.NewReplacer("$r0", quoted(r.runs[0]), "$r2", quoted(r.runs[2]), "$s0", quoted(first), "$a", quoted(r.asset)).Replace(c.query)
			answer, read, events := r.ask(t, r.admin, fmt.Sprintf("read-%d", i), query)
			answer.RequireNoErrors(t)
			assert.Equal(t, c.want, read)
			assert.Len(t, c.want, events, "one event for each suite")
		})
	}
	t.Run("by GET", func(t *testing.T) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.g.URL+"/graphql?query="+url.QueryEscape(`{run(id:`+quoted(r.runs[0])+`){results{status}}}`), nil)
		require.NoError(t, err)
		request.Header.Set("Apollo-Require-Preflight", "1")
		r.g.As(r.admin.Email).Naming(func() string { return "read-get" }).Do(request).RequireNoErrors(t)
		read, _ := r.recorded(t, "read-get")
		assert.Equal(t, one, read)
	})
	t.Run("by a form", func(t *testing.T) {
		contentType, body := form(t, part{"operations", "", fmt.Sprintf(`{"query": %q}`, `{run(id:`+quoted(r.runs[0])+`){results{status}}}`)}, part{"map", "", `{}`})
		r.g.As(r.admin.Email).Naming(func() string { return "read-form" }).Post(t.Context(), contentType, body).RequireNoErrors(t)
		read, _ := r.recorded(t, "read-form")
		assert.Equal(t, one, read)
	})
}

func quoted(s string) string { return `"` + s + `"` }

func TestWhatIsHeldIsReadWithoutARecord(t *testing.T) {
	r := newReadable(t)
	member, viewer := r.Member(graph.RoleMember), r.Member(graph.RoleViewer)
	query := fmt.Sprintf(`{ run(id: %q) { results { status } } }`, r.runs[0])
	r.Share(r.owner, r.suites[0], member, graph.ShareView)
	r.ShareWithGroup(r.owner, r.suites[0], r.Group(r.admin, "auditors", viewer.ID), graph.ShareView)
	before := r.Caller(r.admin).Epochs
	for i, who := range []testkit.Member{r.owner, member, viewer} {
		answer, read, _ := r.ask(t, who, fmt.Sprintf("held-%d", i), query)
		answer.RequireNoErrors(t)
		assert.Contains(t, string(answer.Data), "PASSED")
		assert.Empty(t, read)
		assert.Equal(t, 3, answer.Statements, "who asks, the run, its results")
	}
	answer, read, _ := r.ask(t, r.admin, "by-admin", query)
	answer.RequireNoErrors(t)
	assert.NotEmpty(t, read)
	assert.Equal(t, 4, answer.Statements, "and the record")
	assert.Equal(t, before, r.Caller(r.admin).Epochs, "a read changes no version")
	r.Group(r.admin, "auditors", r.admin.ID)
	answer, read, _ = r.ask(t, r.admin, "with-share", query)
	answer.RequireNoErrors(t)
	assert.Empty(t, read, "an admin who holds a share uses it")
}

// failingIDs calls a function before it makes the id of an audit event, once it is armed.
type failingIDs struct {
	graph.RandomIDs
	armed  atomic.Bool
	before func()
}

func (f *failingIDs) New(k graph.Kind) string {
	if k == graph.KindAudit && f.armed.Load() {
		f.before()
	}
	return f.RandomIDs.New(k)
}

func TestWhatCannotBeRecordedIsNotShown(t *testing.T) {
	uri, _, _ := teststack.Neo4j(t)
	cut := newRelay(t, uri)
	t.Setenv("STRATA_TEST_NEO4J_URI", "bolt://"+cut.listener.Addr().String())
	ids := &failingIDs{before: func() { cut.set(true) }} // the store goes away after the read, before the record
	r := newReadable(t, testkit.IDs(ids))
	query := fmt.Sprintf(`{ run(id: %q) { state results { status } } }`, r.runs[0])
	ids.armed.Store(true)
	answer := r.g.As(r.admin.Email).Naming(func() string { return "lost" }).Query(t.Context(), query, nil, nil)
	answer.AssertCode(t, "UNAVAILABLE")
	assert.NotContains(t, answer.Body, "PASSED")
	assert.NotContains(t, answer.Body, "127.0.0.1")
	assert.True(t, len(answer.Data) == 0 || string(answer.Data) == "null", "no data: %s", answer.Data)

	ids.armed.Store(false)
	cut.set(false)
	read, _ := r.recorded(t, "lost")
	assert.Empty(t, read)
	again := r.g.As(r.admin.Email).Naming(func() string { return "found" }).Query(t.Context(), query, nil, nil)
	again.RequireNoErrors(t)
	read, _ = r.recorded(t, "found")
	assert.Equal(t, map[string][]string{r.suites[0]: {r.runs[0]}}, read)
}
