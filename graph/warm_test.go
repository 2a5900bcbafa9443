package graph_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
)

func TestWarmRunsTheStatementsOfTheFirstRequests(t *testing.T) {
	w := newWorld(t)
	before := w.versions()
	ctx, session := graph.WithSession(t.Context())
	require.NoError(t, w.store.Warm(ctx))
	assert.Equal(t, 1+6, session.Statements(), "who asks, and walks")
	assert.Equal(t, before, w.versions())
}
