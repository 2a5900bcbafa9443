package graph

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// assertOrdered fails unless a plan finds events by the index of each key, once for the page, in the order
// of the index and no further than it holds, and once for the total.
func assertOrdered(t *testing.T, operators []string, keys ...string) {
	t.Helper()
	assertNoScan(t, operators)
	assert.Len(t, having(operators, "PartialTop"), len(keys), "the order of the index is taken: %s", strings.Join(operators, "\n"))
	for _, k := range keys {
		var seeks int
		for _, o := range having(operators, "NodeIndexSeek") {
			if strings.Contains(o, "AuditEvent("+k+", at)") {
				seeks++
			}
		}
		assert.Equal(t, 2, seeks, "%s: %s", k, strings.Join(operators, "\n"))
	}
}

func TestThePageOfTheTrailIsFoundByItsIndex(t *testing.T) {
	s := openForPlans(t)
	for name, c := range map[string]struct {
		filter AuditFilter
		keys   []string
	}{
		"all":        {AuditFilter{}, []string{"workspace"}},
		"a resource": {AuditFilter{Resource: "r", Actor: "a", RequestID: "q"}, []string{"resource", "suite"}},
		"an actor":   {AuditFilter{Actor: "a"}, []string{"actor"}},
		"a request":  {AuditFilter{Actor: "a", RequestID: "q"}, []string{"requestId"}},
	} {
		t.Run(name, func(t *testing.T) {
			params := c.filter.params(Scope{Audience: Audience{Workspace: "t-plan"}}, Position{First: 25, Total: true})
			assertOrdered(t, plan(t, s, auditQuery(c.filter.keys()), params), c.keys...)
		})
	}
}

func TestAHistoryIsFoundByItsIndexes(t *testing.T) {
	s := openForPlans(t)
	statement := strings.Replace(historyQuery(), " AND $LADDER(s)", "", 1)
	require.NotEqual(t, historyQuery(), statement, "who asks is another test's")
	key := map[string]any{"index": 0, "suite": "suite_of_nothing", "afterAt": 1, "afterID": "", "limit": 26, "total": true}
	assertOrdered(t, plan(t, s, statement, map[string]any{"keys": []any{key}, "most": 26}), "resource", "suite")
}
