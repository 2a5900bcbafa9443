package graph

import (
	"strings"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A group visited once for each way to it would take forever where groups are in each other; and a search
// from the groups would look at all of their members.
func TestTheClosureIsPlannedAsPruningSearchFromTheUser(t *testing.T) {
	s := openForPlans(t)
	session := s.driver.NewSession(t.Context(), neo4j.SessionConfig{})
	defer func() { _ = session.Close(t.Context()) }()
	result, err := session.Run(t.Context(), "PROFILE "+callerQuery, map[string]any{"email": "nobody", "workspace": "t-plan", "organization": "org"})
	require.NoError(t, err)
	summary, err := result.Consume(t.Context())
	require.NoError(t, err)
	operators := operatorsOf(summary.Profile())
	searches := having(operators, "VarLengthExpand")
	require.Len(t, searches, 1)
	assert.True(t, strings.HasPrefix(searches[0], "VarLengthExpand(Pruning,BFS,All) | p = (u)-"), searches[0])
	assert.Contains(t, searches[0], "r.workspace = ws")
	assertNoScan(t, operators)
}
