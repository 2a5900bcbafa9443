package main

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/internal/testkit"
	"github.com/strata-gateway/strata/internal/teststack"
)

// pollEvery is how often a test looks for what must happen.
const pollEvery = 20 * time.Millisecond

// TestServeOnASharedStore runs two gateways on one Neo4j, as replicas do.
func TestServeOnASharedStore(t *testing.T) {
	uri, user, password := teststack.Neo4j(t)
	workspace := testkit.RandomName()
	data := filepath.Join(t.TempDir(), "data")
	env := environment(t, "STRATA_NEO4J="+uri, "STRATA_NEO4J_USER="+user, "STRATA_NEO4J_PASSWORD="+password,
		"STRATA_WORKSPACE="+workspace, "STRATA_LOCAL_KEY=true", "STRATA_LISTEN=127.0.0.1:0", "STRATA_LOG_FORMAT=json",
		"STRATA_REDIS="+teststack.Redis(t), "STRATA_METRICS_LISTEN=127.0.0.1:0")
	admin := "Boss@" + workspace + ".test"
	one := launch(t, env, "--data", data, "--admin", admin)
	two := launch(t, env, "--data", data, "--admin", admin, "--introspection=false")
	one.ready()
	two.ready()
	token := tokenOf(t, data, admin)
	cursor := ""
	for _, g := range []*running{one, two} {
		var got struct {
			Viewer      struct{ Role string }
			Datasources struct{ PageInfo struct{ EndCursor string } }
		}
		query(t, g.url, token, `{ viewer { role } }`, &got)
		assert.Equal(t, "ADMIN", got.Viewer.Role)
		if cursor == "" {
			query(t, g.url, token, `mutation { createDatasource(input: {name: "a", kind: OTHER}) { datasource { id } } }`, &struct{}{})
			query(t, g.url, token, `{ datasources(first: 1) { pageInfo { endCursor } } }`, &got)
			cursor = got.Datasources.PageInfo.EndCursor
			continue
		}
		query(t, g.url, token, `{ datasources(first: 1, after: "`+cursor+`") { pageInfo { endCursor } } }`, &got)
	}
	assert.NotEmpty(t, cursor, "a cursor of one replica opens at another")
	testReplicasShareWhatTheyKeep(t, one, two, token)
	for _, g := range []*running{one, two} {
		response, err := http.Get(g.url + "/readyz")
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		assert.Equal(t, http.StatusOK, response.StatusCode)
		code, rest := g.end(syscall.SIGINT)
		assert.Zero(t, code, g.errOut)
		assert.Empty(t, rest)
		assert.Contains(t, g.errOut.String(), `"msg":"served"`)
		assert.NotContains(t, g.errOut.String(), token)
		assert.NotContains(t, g.errOut.String(), password)
	}
	assert.NoDirExists(t, filepath.Join(data, "neo4j"), "no server of its own")
	assert.Contains(t, one.errOut.String(), "its first admin:")
	assert.Contains(t, one.errOut.String(), strings.ToLower(admin))
}

// testReplicasShareWhatTheyKeep asks both replicas for one graph: one draws it, the other has it from Redis, as their
// metrics tell.
func testReplicasShareWhatTheyKeep(t *testing.T, one, two *running, token string) {
	t.Helper()
	var made struct {
		Datasources struct {
			Edges []struct{ Node struct{ ID string } }
		}
	}
	query(t, one.url, token, `{ datasources(first: 1) { edges { node { id } } } }`, &made)
	graph := fmt.Sprintf(`{ workspaceLineage(datasources: [%q]) { nodes { id } } }`, made.Datasources.Edges[0].Node.ID)
	query(t, one.url, token, graph, &struct{}{})
	require.Eventually(t, func() bool { return metric(t, one, `strata_cache_fills_total{area="canvas",outcome="kept"}`) == "1" }, patience, pollEvery)
	query(t, two.url, token, graph, &struct{}{})
	assert.Equal(t, "1", metric(t, one, `strata_cache_requests_total{area="canvas",outcome="miss"}`))
	assert.Equal(t, "1", metric(t, two, `strata_cache_requests_total{area="canvas",outcome="redis"}`))
	assert.Empty(t, metric(t, two, `strata_cache_requests_total{area="canvas",outcome="miss"}`))
}

// metric is what a gateway tells of one line of its metrics, "" if it has none.
func metric(t *testing.T, g *running, line string) string {
	t.Helper()
	served := regexp.MustCompile(`"metrics are served","url":"([^"]+)"`).FindStringSubmatch(g.errOut.String())
	require.NotNil(t, served, g.errOut)
	response, err := http.Get(served[1])
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(line) + ` (.*)$`).FindSubmatch(body)
	if found == nil {
		return ""
	}
	return string(found[1])
}
