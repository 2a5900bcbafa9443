package limits

import (
	"context"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/vektah/gqlparser/v2/ast"
)

// queryCache keeps parsed and validated documents by their text. gqlgen's own
// cache counts entries, and a thousand entries of a megabyte are a gigabyte;
// this one counts bytes of text.
type queryCache struct {
	most int // bytes of text

	mu    sync.Mutex
	bytes int
	docs  *simplelru.LRU[string, *ast.QueryDocument]
}

func newQueryCache(most int) (*queryCache, error) {
	c := &queryCache{most: most}
	var err error
	// No document is shorter than a byte, so the bytes bound the entries too.
	c.docs, err = simplelru.NewLRU(most, func(query string, _ *ast.QueryDocument) {
		c.bytes -= len(query)
	})
	return c, err
}

// Get implements graphql.Cache.
func (c *queryCache) Get(_ context.Context, query string) (*ast.QueryDocument, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.docs.Get(query)
}

// Add implements graphql.Cache. A query of more than an eighth of the cache is
// not kept, so that one cannot push out all others.
func (c *queryCache) Add(_ context.Context, query string, doc *ast.QueryDocument) {
	if len(query) > c.most/8 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.docs.Contains(query) {
		c.bytes += len(query)
	}
	c.docs.Add(query, doc)
	for c.bytes > c.most {
		c.docs.RemoveOldest()
	}
}
