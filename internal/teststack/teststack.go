// Package teststack gives the tests their real servers. The command
// internal/teststack/cmd/teststack starts one Neo4j and one Redis, runs a command
// such as `go test ./...` with their addresses in the environment, and takes the
// servers away again; a test asks this package for the addresses. One server of
// each serves the whole run: a test keeps to itself by making a workspace of its
// own. A test that finds
// no server fails and says how to run it. It is never skipped, because a skipped
// test looks like a passed one.
package teststack

import (
	"os"
	"testing"
)

// The environment of a command that runs under the stack.
const (
	neo4jURI      = "STRATA_TEST_NEO4J_URI"
	neo4jUser     = "STRATA_TEST_NEO4J_USER"
	neo4jPassword = "STRATA_TEST_NEO4J_PASSWORD"
	redisURL      = "STRATA_TEST_REDIS_URL"
)

// Neo4j returns where the test's Neo4j is and how to sign in. Without one, the
// test fails at once.
func Neo4j(t testing.TB) (uri, user, password string) {
	t.Helper()
	uri, user, password = os.Getenv(neo4jURI), os.Getenv(neo4jUser), os.Getenv(neo4jPassword)
	if uri == "" {
		t.Fatalf("no Neo4j: %s is not set. "+
			"Run make test, or: go run ./internal/teststack/cmd/teststack -- go test ./graph", neo4jURI)
	}
	return uri, user, password
}

// Redis returns where the test's Redis is. Without one, the test fails at once.
func Redis(t testing.TB) (url string) {
	t.Helper()
	url = os.Getenv(redisURL)
	if url == "" {
		t.Fatalf("no Redis: %s is not set. "+
			"Run make test, or: go run ./internal/teststack/cmd/teststack -- go test ./cache", redisURL)
	}
	return url
}
