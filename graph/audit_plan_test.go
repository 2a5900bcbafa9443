package graph

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestThePageOfTheTrailIsFoundByItsIndex(t *testing.T) {
	s := openForPlans(t)
	params := AuditFilter{Resource: "r"}.params(Scope{Audience: Audience{Workspace: "t-plan"}}, Position{First: 25})
	for match, index := range map[string]string{eventsByTime: "AuditEvent(workspace, at)", eventsByResource: "AuditEvent(resource, at)"} {
		operators := plan(t, s, auditQuery(match), params)
		assertNoScan(t, operators)
		seeks := having(operators, "NodeIndexSeek")
		assert.Len(t, seeks, 2, "of the page and of the total")
		for _, o := range seeks {
			assert.Contains(t, o, index)
			assert.True(t, strings.Contains(o, "at <= $latest") || strings.Contains(o, "at <= $last"), o)
		}
	}
}
