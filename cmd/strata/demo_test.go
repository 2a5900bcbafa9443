package main

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/demo"
	"github.com/strata-gateway/strata/examples"
)

// TestEmbeddedGatewayFromItsFirstStartToItsLast goes the way of a newcomer: the demo on a fresh folder,
// a token, a query, an ingest, a stop, a second start, and a kill.
func TestEmbeddedGatewayFromItsFirstStartToItsLast(t *testing.T) {
	data, env := filepath.Join(t.TempDir(), "data"), environment(t)
	first := launch(t, env, "--demo", "--listen", "127.0.0.1:0", "--data", data)
	t.Logf("first start: ready after %s", first.ready().Round(100*time.Millisecond))
	for name, step := range map[string]func(*testing.T, *running, string){
		"tokens sign in":                testTokensSignIn,
		"the first query can be pasted": testWelcome,
		"callers see what they may":     testCallersOfTheDemo,
		"ingest":                        testIngest,
		"shares are imported":           testImportShares,
		"the folder is not shared":      testFolderInUse,
		"the port is not shared":        testPortTaken,
	} {
		t.Run(name, func(t *testing.T) { step(t, first, data) })
	}
	code, rest := first.end(syscall.SIGTERM)
	assert.Zero(t, code, first.errOut)
	assert.Empty(t, rest, "one line on standard output, no more")
	assert.Empty(t, javaOn(t, data), "no Neo4j outlives the gateway")
	assert.NoFileExists(t, filepath.Join(data, localFile))

	second := launch(t, env, "--demo", "--listen", "127.0.0.1:0", "--data", data)
	t.Logf("second start: ready after %s", second.ready().Round(100*time.Millisecond))
	assert.NotContains(t, second.errOut.String(), "loaded the demo project", "it is loaded once")
	testCallersOfTheDemo(t, second, data)
	server := javaOn(t, data)
	require.Len(t, server, 1, "the look for Neo4j finds the one that runs")
	require.NoError(t, syscall.Kill(server[0], syscall.SIGKILL))
	code, _ = second.wait()
	assert.Equal(t, 1, code, "a gateway without its store ends")
	assert.Contains(t, second.errOut.String(), "strata: embedded Neo4j: ended unasked")

	third := launch(t, env, "--demo", "--listen", "127.0.0.1:0", "--data", data)
	third.ready()
	require.Len(t, javaOn(t, data), 1)
	third.end(syscall.SIGKILL)
	assert.Eventually(t, func() bool { return len(javaOn(t, data)) == 0 }, patience, 20*time.Millisecond, "Neo4j goes with a killed gateway")
}

// javaOn are the processes of Neo4j on a data folder.
func javaOn(t *testing.T, data string) []int {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	var found []int
	for _, l := range lines {
		// A process that ended meanwhile has no command line.
		if content, err := os.ReadFile(l); err == nil && bytes.Contains(content, []byte("StrataNeo4j\x00"+data)) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(l)))
			require.NoError(t, err)
			found = append(found, pid)
		}
	}
	return found
}

// tokenOf is what `strata token` prints for an address.
func tokenOf(t *testing.T, data, email string) string {
	t.Helper()
	made := strata(t, environment(t), "token", "--data", data, "--email", email)
	require.Zero(t, made.code, made.errOut)
	assert.Empty(t, made.errOut)
	require.Regexp(t, `^[\w-]+\.[\w-]+\.[\w-]+\n$`, made.out, "one token and nothing else")
	return strings.TrimSpace(made.out)
}

// query asks as the bearer of a token.
func query(t *testing.T, url, token, text string, into any) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": text})
	require.NoError(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/graphql", bytes.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	var got struct {
		Data   json.RawMessage
		Errors []struct{ Message string }
	}
	require.NoError(t, json.NewDecoder(response.Body).Decode(&got))
	require.Empty(t, got.Errors)
	require.NoError(t, json.Unmarshal(got.Data, into))
}

func testTokensSignIn(t *testing.T, g *running, data string) {
	for _, c := range demo.Callers() {
		var got struct {
			Viewer struct{ User struct{ Email string } }
		}
		query(t, g.url, tokenOf(t, data, c.Email), `{ viewer { user { email } } }`, &got)
		assert.Equal(t, c.Email, got.Viewer.User.Email)
	}
}

// testWelcome follows what the gateway printed.
func testWelcome(t *testing.T, g *running, _ string) {
	// The line on standard output, which the test waited for, comes before the text on standard error.
	command := regexp.MustCompile(`curl -s (\S+)/graphql \\\n +-H 'Authorization: Bearer (\S+)' \\\n +-H 'Content-Type: application/json' \\\n +-d '(.*)'\n`)
	require.Eventually(t, func() bool { return command.MatchString(g.errOut.String()) }, patience, 20*time.Millisecond, g.errOut)
	welcome := g.errOut.String()
	for _, c := range demo.Callers() {
		token := regexp.MustCompile(regexp.QuoteMeta(c.Email) + ` .*\n  (\S+)\n`).FindStringSubmatch(welcome)
		require.NotNil(t, token, welcome)
		var got struct {
			Viewer struct{ User struct{ Email string } }
		}
		query(t, g.url, token[1], `{ viewer { user { email } } }`, &got)
		assert.Equal(t, c.Email, got.Viewer.User.Email)
	}
	pasted := command.FindStringSubmatch(welcome)
	require.NotNil(t, pasted, welcome)
	assert.Equal(t, g.url, pasted[1])
	var body struct{ Query string }
	require.NoError(t, json.Unmarshal([]byte(pasted[3]), &body))
	var got struct {
		Assets struct {
			TotalCount int
			Edges      []struct {
				Node struct {
					Verdict struct{ WorstSeverity string }
				}
			}
		}
	}
	query(t, pasted[1], pasted[2], body.Query, &got)
	assert.Equal(t, 45, got.Assets.TotalCount)
	require.Len(t, got.Assets.Edges, 5)
	assert.Equal(t, "CRITICAL", got.Assets.Edges[0].Node.Verdict.WorstSeverity)
}

// testCallersOfTheDemo looks at one asset, which two projects check, as everyone.
func testCallersOfTheDemo(t *testing.T, g *running, data string) {
	var verdict json.RawMessage
	for email, suites := range map[string][]string{
		demo.Admin: {"dbt: finance", "dbt: shop"}, demo.Owner: {"dbt: shop"}, demo.Member: nil, demo.Viewer: {"dbt: finance"}, demo.Restricted: nil,
	} {
		var got struct {
			Search struct {
				Edges []struct {
					Node struct {
						Name                 string
						Verdict              json.RawMessage
						RestrictedSuiteCount int
						Suites               struct {
							Edges []struct{ Node struct{ Name string } }
						}
					}
				}
			}
		}
		query(t, g.url, tokenOf(t, data, email), `{ search(text: "fct_orders", first: 1) { edges { node { name restrictedSuiteCount
		  verdict { worstSeverity checksTotal checksPassed hasFailedRun hasRunningRun lastRunAt suiteCount scorecard { dimension coverage score } }
		  suites { edges { node { name } } } } } } }`, &got)
		require.Len(t, got.Search.Edges, 1)
		node := got.Search.Edges[0].Node
		assert.Equal(t, "shop.marts.fct_orders", node.Name)
		var names []string
		for _, s := range node.Suites.Edges {
			names = append(names, s.Node.Name)
		}
		assert.Equal(t, suites, names, email)
		assert.Equal(t, 2-len(suites), node.RestrictedSuiteCount, email)
		if verdict == nil {
			verdict = node.Verdict
		}
		assert.Equal(t, string(verdict), string(node.Verdict), "the verdict is the same for %s", email)
	}
}

func testIngest(t *testing.T, g *running, data string) {
	dir, env := t.TempDir(), environment(t)
	shop := examples.Projects()[0]
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, content, 0o600))
		return path
	}
	manifest := write("manifest.json", shop.Manifest)
	args := []string{"ingest", "dbt", "--data", data, "--catalog", write("catalog.json", shop.Catalog), "--run-results", write("run_results.json", shop.RunResults), "--manifest"}
	again := strata(t, env, append(args, manifest)...)
	assert.Zero(t, again.code, again.errOut)
	assert.Equal(t, "project shop\nassets  0 created, 0 changed, 33 unchanged\nedges   0 created, 42 unchanged, 0 removed\nsuites  0 created\nruns    0 created\n", again.out)
	assert.Empty(t, again.errOut)

	other := bytes.Replace(shop.Manifest, []byte("manifest/v12.json"), []byte("manifest/v99.json"), 1)
	for name, tt := range map[string]struct {
		args []string
		says string
	}{
		"not JSON":          {append(args, write("text.json", []byte("shop: 1\n"))), "not the JSON object"},
		"truncated":         {append(args, write("half.json", shop.Manifest[:len(shop.Manifest)/2])), "ends in the middle. Copy it again"},
		"unknown version":   {append(args, write("v99.json", other)), "v99, which is not supported. Supported is"},
		"another file":      {append(args, write("c.json", shop.Catalog)), "manifest.json is expected"},
		"no file":           {append(args, filepath.Join(dir, "nothing.json")), "cannot read"},
		"no right":          {append(args, manifest, "--as", demo.Member), "You need EDITOR on the datasource shop"},
		"no member":         {append(args, manifest, "--as", "stranger@demo.test"), "in no workspace yet"},
		"no such workspace": {append(args, manifest, "--workspace", "other"), "not a member of this workspace"},
		"no datasource":     {append(args, manifest, "--datasource", "lake"), `no datasource "lake"`},
		"a bad token":       {append(args, manifest, "--token", "x.y.z"), "token is malformed"},
		"nobody there":      {append(args, manifest, "--url", "http://127.0.0.1:1"), "does not answer"},
		"not a gateway":     {append(args, manifest, "--url", g.url+"/healthz"), "There is nothing here"},
	} {
		t.Run(name, func(t *testing.T) {
			got := strata(t, env, tt.args...)
			assert.Equal(t, 1, got.code)
			assert.Empty(t, got.out)
			assert.Regexp(t, `^strata: .*\n$`, got.errOut, "one line")
			assert.Contains(t, got.errOut, tt.says)
		})
	}
	huge := filepath.Join(dir, "huge.json")
	require.NoError(t, os.WriteFile(huge, nil, 0o600))
	require.NoError(t, os.Truncate(huge, 65<<20))
	tooLarge := strata(t, env, "ingest", "dbt", "--data", data, "--manifest", huge)
	assert.Equal(t, 1, tooLarge.code)
	assert.Contains(t, tooLarge.errOut, "64 MiB together")

	byToken := strata(t, append(env, "STRATA_TOKEN="+tokenOf(t, data, demo.Owner)), "ingest", "dbt", "--url", g.url, "--manifest", manifest)
	assert.Zero(t, byToken.code, byToken.errOut)
}

func testImportShares(t *testing.T, _ *running, data string) {
	env, path := environment(t), filepath.Join(t.TempDir(), "shares.jsonl")
	suite := `"suite": "dbt: shop", "asset": "shop.marts.dim_customers"`
	require.NoError(t, os.WriteFile(path, []byte(strings.Join([]string{
		`{` + suite + `, "user": "Member@demo.test", "permission": "admin"}`,
		`{` + suite + `, "user": "viewer@demo.test", "permission": "edit"}`,
		`{` + suite + `, "user": "owner@demo.test", "permission": "owner"}`,
		`{"suite": "dbt: shop", "user": "member@demo.test", "permission": "view"}`,
		`{` + suite + `, "user": "stranger@demo.test", "permission": "view"}`,
		`{` + suite + `, "user": "member@demo.test", "permission": "own"}`, "",
	}, "\n")), 0o600))
	args := []string{"import", "shares", "--data", data, path}
	dry := strata(t, env, append(args, "--dry-run")...)
	assert.Equal(t, 1, dry.code)
	assert.Contains(t, dry.out, "line 1  member@demo.test on dbt: shop: would grant EDIT (was admin)\n")
	for range 2 { // the second time changes nothing
		got := strata(t, env, args...)
		assert.Equal(t, 1, got.code)
		assert.Equal(t, strings.Join([]string{
			"line 1  member@demo.test on dbt: shop: granted EDIT (was admin)",
			"line 2  viewer@demo.test on dbt: shop: granted VIEW (a VIEWER of the workspace)",
			"line 3  owner@demo.test on dbt: shop: nothing to grant: an owner needs no share",
			"line 4  member@demo.test on dbt: shop: REFUSED several suites have this name: name the asset as well, or give the suite's id",
			"line 5  stranger@demo.test on dbt: shop: REFUSED no member of the workspace has this address",
			`line 6  member@demo.test on dbt: shop: REFUSED the permission "own" is none of view, edit, admin, owner`, "",
		}, "\n"), got.out)
		assert.Contains(t, got.errOut, "some of the shares were not granted")
	}
	require.NoError(t, os.WriteFile(path, []byte("{\"suite\": \"s\"}\n"), 0o600))
	bad := strata(t, env, args...)
	assert.Equal(t, 1, bad.code)
	assert.Contains(t, bad.errOut, "line 1: give")
	byMember := strata(t, env, append(args, "--as", demo.Member)...)
	assert.Equal(t, 1, byMember.code)
}

func testFolderInUse(t *testing.T, _ *running, data string) {
	got := strata(t, environment(t), "serve", "--listen", "127.0.0.1:0", "--data", data)
	assert.Equal(t, 1, got.code)
	assert.Empty(t, got.out)
	assert.Contains(t, got.errOut, "data folder in use")
}

func testPortTaken(t *testing.T, g *running, _ string) {
	fresh, address := filepath.Join(t.TempDir(), "fresh"), strings.TrimPrefix(g.url, "http://")
	_, _, err := net.SplitHostPort(address)
	require.NoError(t, err)
	got := strata(t, environment(t), "serve", "--listen", address, "--data", fresh)
	assert.Equal(t, 1, got.code)
	assert.Equal(t, "strata: "+address+" is taken: stop what listens there, or choose another address by --listen or STRATA_LISTEN\n", got.errOut)
	assert.NoDirExists(t, fresh)
}
