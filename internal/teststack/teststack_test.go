package teststack

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
)

// recorder is a test whose failure is looked at instead of counted.
type recorder struct {
	testing.TB
	fatal string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	r.fatal = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestNeo4jFailsWithoutServer(t *testing.T) {
	t.Setenv(neo4jURI, "")
	r := &recorder{TB: t}
	returned := false
	done := make(chan struct{})
	go func() {
		defer close(done)
		Neo4j(r)
		returned = true
	}()
	<-done
	assert.False(t, returned, "the test must not go on")
	assert.Contains(t, r.fatal, "make test")
	assert.Contains(t, r.fatal, "go run ./internal/teststack/cmd/teststack -- go test ./graph")
}

func TestNeo4jReadsEnvironment(t *testing.T) {
	t.Setenv(neo4jURI, "bolt://127.0.0.1:1")
	t.Setenv(neo4jUser, "neo4j")
	t.Setenv(neo4jPassword, "word")
	uri, user, password := Neo4j(t)
	assert.Equal(t, []string{"bolt://127.0.0.1:1", "neo4j", "word"}, []string{uri, user, password})
}
