package limits

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"
)

func TestQueryCache(t *testing.T) {
	c, err := newQueryCache(1000)
	require.NoError(t, err)
	_, ok := c.Get(t.Context(), "{a}")
	assert.False(t, ok)

	doc := &ast.QueryDocument{}
	c.Add(t.Context(), "{a}", doc)
	c.Add(t.Context(), "{a}", doc)
	got, ok := c.Get(t.Context(), "{a}")
	assert.True(t, ok)
	assert.Same(t, doc, got)
	assert.Equal(t, 3, c.bytes)

	long := strings.Repeat("a", 126)
	c.Add(t.Context(), long, doc)
	_, ok = c.Get(t.Context(), long)
	assert.False(t, ok, "one query may not take more than an eighth")
}

func TestQueryCacheIsBoundedInBytes(t *testing.T) {
	c, err := newQueryCache(1000)
	require.NoError(t, err)
	query := func(n int) string { return fmt.Sprintf("%0100d", n) }
	for n := range 50 {
		c.Add(t.Context(), query(n), &ast.QueryDocument{})
		_, ok := c.Get(t.Context(), query(0)) // kept by being used
		require.True(t, ok)
		require.LessOrEqual(t, c.bytes, 1000)
		require.Equal(t, 100*c.docs.Len(), c.bytes)
	}
	_, ok := c.Get(t.Context(), query(49))
	assert.True(t, ok)
	_, ok = c.Get(t.Context(), query(30))
	assert.False(t, ok, "the least recently used went")
}
