package server

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

func TestWhatIngestsHasTimeOfItsOwn(t *testing.T) {
	e := entrance{time: time.Second, ingestTime: time.Minute}
	for query, want := range map[string]time.Duration{
		`mutation($m: Upload!) { ingestDbt(manifest: $m) { project } }`:                                time.Minute,
		`mutation($m: Upload!) { load: ingestDbt(manifest: $m) { project summary { warnings } } }`:     time.Minute,
		`mutation($m: Upload!) { ingestDbt(manifest: $m) { project } deleteEdge(input: {}) { edge } }`: time.Second,
		`mutation($m: Upload!) { ingestDbt: updateAsset(input: {}) { asset { id } } }`:                 time.Second,
		`mutation($m: Upload!) { ...on Mutation { ingestDbt(manifest: $m) { project } } }`:             time.Second,
		`query { ingestDbt }`: time.Second,
	} {
		doc, err := parser.ParseQuery(&ast.Source{Input: query})
		require.NoError(t, err)
		assert.Equal(t, want, e.timeOf(doc.Operations[0]), query)
	}
}
