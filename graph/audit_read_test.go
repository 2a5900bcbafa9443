package graph_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
)

func TestReadsAreRecordedInBoundedEvents(t *testing.T) {
	w := newWorld(t)
	admin := w.caller(w.email(graph.RoleAdmin)).User.ID
	var runs []string
	for i := range 2500 {
		runs = append(runs, fmt.Sprintf("run_%04d", i))
	}
	before, versions := len(w.events()), w.versions()
	actor := graph.Actor{User: admin, Workspace: w.workspace, RequestID: "request-1"}
	require.NoError(t, w.store.RecordReads(t.Context(), actor, []graph.DataRead{{Suite: "suite_a", Runs: runs}, {Suite: "suite_b", Runs: runs[:1]}}))
	require.NoError(t, w.store.RecordReads(t.Context(), actor, nil))
	assert.Len(t, w.events(), before+4)
	assert.Equal(t, versions, w.versions(), "nothing changed that anyone sees")
	var recorded []string
	for _, e := range w.trail(graph.AuditFilter{Resource: "suite_a", Action: "data.read"}, 10) {
		some := e.After.(map[string]any)["runs"].([]any)
		assert.LessOrEqual(t, len(some), 1000)
		assert.True(t, e.AdminOverride)
		assert.Equal(t, admin, e.Actor.ID)
		for _, r := range some {
			recorded = append(recorded, r.(string))
		}
	}
	assert.ElementsMatch(t, runs, recorded)
}
