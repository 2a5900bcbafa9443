package graph

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// statementsOf are the texts in the sources that name a label. A statement put together of several texts is
// judged by each of them.
func statementsOf(t *testing.T, files map[string]*ast.File, label string) []string {
	t.Helper()
	var found []string
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			require.NoError(t, err)
			if strings.Contains(text, label) {
				found = append(found, text)
			}
			return true
		})
	}
	return found
}

// changesEvent reports whether a statement could change or delete an event that it names: it merges one, or
// binds one to a variable and sets, removes or deletes something of that name.
func changesEvent(statement string) bool {
	if regexp.MustCompile(`(?i)MERGE\s*\([^)]*:AuditEvent`).MatchString(statement) {
		return true
	}
	for _, bound := range regexp.MustCompile(`\((\w+)\s*:AuditEvent`).FindAllStringSubmatch(statement, -1) {
		name := regexp.QuoteMeta(bound[1])
		if regexp.MustCompile(`(?is)\b(SET|REMOVE|DELETE)\b[^;]*\b` + name + `\b`).MatchString(statement) {
			return true
		}
	}
	return regexp.MustCompile(`(?i)(SET|REMOVE)\s+\w+:AuditEvent`).MatchString(statement)
}

func TestAuditEventsAreOnlyAppended(t *testing.T) {
	statements := statementsOf(t, sources(t, "."), ":AuditEvent")
	require.GreaterOrEqual(t, len(statements), 4, "the statements of the trail were found")
	created := 0
	for _, s := range statements {
		assert.False(t, changesEvent(s), "changes events of the audit trail: %s", s)
		created += strings.Count(s, "CREATE (:AuditEvent")
	}
	assert.Equal(t, 1, created, "events are written in one place")
}

func TestAChangeOfAnEventWouldBeNoticed(t *testing.T) {
	for statement, changes := range map[string]bool{
		`MATCH (e:AuditEvent {id: $id}) SET e.action = ''`:                           true,
		`MATCH (e:AuditEvent) WHERE e.at < $at DETACH DELETE e`:                      true,
		`MATCH (e:AuditEvent) REMOVE e.before`:                                       true,
		`MERGE (e:AuditEvent {id: $id})`:                                             true,
		`MATCH (x {id: $id}) SET x:AuditEvent`:                                       true,
		`MATCH (e:AuditEvent) RETURN e.id`:                                           false,
		`CREATE (:AuditEvent {id: $id}) WITH 1 AS one MATCH (x:Epoch) SET x.v = [0]`: false,
	} {
		assert.Equal(t, changes, changesEvent(statement), statement)
	}
}
