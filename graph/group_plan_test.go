package graph

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A group visited once for each way to it would take forever where groups are in each other; and a search
// from the groups would look at all of their members.
func TestTheClosureIsPlannedAsPruningSearchFromTheUser(t *testing.T) {
	s := openForPlans(t)
	for _, workspace := range []string{"t-plan", ""} {
		operators := profile(t, s, callerQuery(workspace)+epochsColumn, map[string]any{"email": "nobody", "workspace": workspace})
		searches := having(operators, "VarLengthExpand")
		require.Len(t, searches, 1)
		assert.True(t, strings.HasPrefix(searches[0], "VarLengthExpand(Pruning,BFS,All) | p = (u)-"), searches[0])
		assert.Contains(t, searches[0], "r.workspace = cache[w.id]")
		assertNoScan(t, operators)
	}
}
