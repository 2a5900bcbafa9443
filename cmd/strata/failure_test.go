package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph/neo4jd"
	"github.com/strata-gateway/strata/internal/teststack"
)

// TestStartThatFails: one line that says what to do, status 1, and nothing left behind.
func TestStartThatFails(t *testing.T) {
	uri, _, _ := teststack.Neo4j(t)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	withoutJava := slices.DeleteFunc(environment(t), func(v string) bool {
		return strings.HasPrefix(v, "PATH=") || strings.HasPrefix(v, "JAVA_HOME=")
	})
	for name, tt := range map[string]struct {
		env  []string
		args []string
		says string
	}{
		"no Java":              {append(withoutJava, "PATH="+t.TempDir()), nil, "no Java found"},
		"Neo4j not installed":  {environment(t, neo4jd.LibVariable+"="+t.TempDir()), nil, "Run `make setup`"},
		"folder not writable":  {environment(t), []string{"--data", filepath.Join(file, "data")}, "data folder not writable"},
		"no such address":      {environment(t), []string{"--listen", "256.0.0.1:80"}, "choose another address by --listen"},
		"wrong password":       {environment(t, "STRATA_NEO4J_USER=nobody", "STRATA_NEO4J_PASSWORD=wrong"), []string{"--neo4j", uri, "--local-key"}, "Check STRATA_NEO4J_USER and STRATA_NEO4J_PASSWORD"},
		"malformed variable":   {environment(t, "STRATA_DEMO=perhaps"), nil, "STRATA_DEMO is malformed"},
		"malformed workspace":  {environment(t), []string{"--workspace", "My Shop"}, "--workspace"},
		"a small heap":         {environment(t), []string{"--heap-mb", "64"}, "--heap-mb 64: give at least 256"},
		"malformed admin":      {environment(t), []string{"--admin", "me"}, "--admin"},
		"malformed log level":  {environment(t), []string{"--log-level", "loud"}, "--log-level"},
		"malformed log format": {environment(t), []string{"--log-format", "xml"}, "--log-format"},
		"malformed store":      {environment(t), []string{"--neo4j", "http://127.0.0.1:7474", "--local-key"}, "--neo4j: give an address"},
		"malformed Redis":      {environment(t), []string{"--redis", "127.0.0.1:6379"}, "--redis: give an address"},
		"password on the line": {environment(t), []string{"--redis", "redis://:secret@127.0.0.1:6379"}, "STRATA_REDIS_PASSWORD"},
		"Redis for nothing":    {environment(t), []string{"--redis", "redis://127.0.0.1:6379", "--cache-mb", "0"}, "--redis needs --cache-mb"},
		"no memory at all":     {environment(t), []string{"--cache-mb", "-1"}, "--cache-mb -1"},
		"no place for metrics": {environment(t), []string{"--metrics-listen", "256.0.0.1:80"}, "choose another address by --metrics-listen"},
		"insecure issuer":      {environment(t), []string{"--oidc-issuer", "http://issuer.example", "--oidc-audience", "x"}, "use https"},
		"unknown flag":         {environment(t), []string{"--nonsense"}, "unknown flag: --nonsense"},
	} {
		t.Run(name, func(t *testing.T) {
			data := filepath.Join(t.TempDir(), "data")
			args := append([]string{"serve", "--data", data, "--listen", "127.0.0.1:0", "--log-level", "error"}, tt.args...)
			got := strata(t, tt.env, args...)
			assert.Equal(t, 1, got.code)
			assert.Empty(t, got.out)
			assert.Regexp(t, `^strata: .*\n$`, got.errOut, "one line")
			assert.Contains(t, got.errOut, tt.says)
			assert.NoDirExists(t, data)
		})
	}
}

// TestSharedStoreNeedsAnIssuer: without being told to, a gateway on a Neo4j that is not its own takes no
// tokens of a key that lies about in a folder.
func TestSharedStoreNeedsAnIssuer(t *testing.T) {
	got := strata(t, environment(t), "serve", "--neo4j", "bolt://127.0.0.1:1")
	assert.Equal(t, 1, got.code)
	assert.Contains(t, got.errOut, "nobody could sign in")
	assert.Contains(t, got.errOut, "--oidc-issuer")
}

func TestStoreThatIsAwayIsWaitedFor(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	g := launch(t, environment(t), "--neo4j", "bolt://127.0.0.1:1", "--local-key", "--data", data, "--listen", "127.0.0.1:0")
	require.Eventually(t, func() bool { return strings.Contains(g.errOut.String(), "waiting for Neo4j") }, patience, pollEvery)
	code, out := g.end(syscall.SIGTERM)
	assert.Zero(t, code, "it was asked to stop")
	assert.Empty(t, out)
	assert.NoDirExists(t, data)
}
