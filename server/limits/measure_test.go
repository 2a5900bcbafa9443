package limits

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator/core"
)

func parse(t *testing.T, query string) *ast.QueryDocument {
	t.Helper()
	doc, err := parser.ParseQuery(&ast.Source{Input: query})
	require.NoError(t, err)
	return doc
}

func TestMeasure(t *testing.T) {
	tests := []struct {
		name, query string
		want        size
		repeats     int
	}{
		{"one field", `{a}`,
			size{selections: 1, depth: 1, fields: 1}, 0},
		{"nested", `{a{b{c}} d}`,
			size{selections: 4, depth: 3, fields: 2}, 0},
		{"aliases", `{x:a y:b{z:c} a:a}`,
			size{selections: 4, depth: 2, aliases: 3, fields: 3}, 0},
		{"directives everywhere", `query q($v:Int @d) @d {a @d @d ...F @d ... @d {b}} fragment F on T @d {c @d}`,
			size{selections: 5, depth: 1, directives: 8, fields: 3}, 0},
		{"a fragment counts wherever it is spread", `{...F a{...F}} fragment F on T {x:b c}`,
			size{selections: 7, depth: 2, aliases: 2, fields: 3}, 0},
		{"fragments in fragments", `{...F ...F} fragment F on T {...G ...G} fragment G on T {a}`,
			size{selections: 10, depth: 1, fields: 4}, 3},
		{"a spread of nothing", `{a ...F}`,
			size{selections: 2, depth: 1, fields: 1}, 0},
		{"the first of two fragments of one name", `{...F} fragment F on T {a} fragment F on T {a b c}`,
			size{selections: 2, depth: 1, fields: 1}, 0},
		{"repeated", `{a a{b b} a}`,
			size{selections: 5, depth: 2, fields: 3}, 3},
		{"repeated through fragments", `{a ...F ... on T {a}} fragment F on T {a}`,
			size{selections: 5, depth: 1, fields: 3}, 1},
		{"of other types is not repeated", `{... on T {a} ... on U {a} ...F} fragment F on V {a}`,
			size{selections: 6, depth: 1, fields: 3}, 0},
		{"an unconditional fragment is no other type", `{a ... {a} ... @d {... {a}}}`,
			size{selections: 6, depth: 1, directives: 1, fields: 3}, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := parse(t, tt.query)
			m := newMeasurer(doc)
			assert.Equal(t, tt.want, m.operation(doc.Operations[0]))
			assert.Equal(t, tt.repeats, m.repeats(doc.Operations[0].SelectionSet))
		})
	}
}

// bomb spreads each of its levels width times in the one above.
func bomb(levels, width int) string {
	var b strings.Builder
	b.WriteString("{...F0}")
	for i := range levels {
		fmt.Fprintf(&b, "fragment F%d on Query{%s}", i, strings.Repeat(fmt.Sprintf("...F%d ", i+1), width))
	}
	fmt.Fprintf(&b, "fragment F%d on Query{a}", levels)
	return b.String()
}

func TestMeasuringIsLinear(t *testing.T) {
	tests := []struct {
		name, query string
		selections  int // written in the text
	}{
		{"60 levels of 10 spreads", bomb(60, 10), 602},
		{"4,000 repeated fields", "{" + strings.Repeat("a ", 4000) + "}", 4000},
		{"10,000 directives", "{a " + strings.Repeat("@x", 10_000) + "}", 1},
		{"a chain", bomb(1000, 1), 1002},
		{"500 operations over a chain", strings.Repeat("query q{...F0}", 500) + bomb(500, 1), 1002},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := parse(t, tt.query)
			m := newMeasurer(doc)
			ok := checkWith(m, Default(), doc, func(...core.ErrorOption) {})
			assert.False(t, ok)
			assert.Equal(t, tt.selections, m.visits)
		})
	}
}

func TestMeasuringSaturates(t *testing.T) {
	doc := parse(t, bomb(60, 10))
	got := newMeasurer(doc).operation(doc.Operations[0])
	assert.Equal(t, size{selections: boundless, depth: 1, fields: boundless}, got)
}

// TestCountingRepeatsIsBounded: what is laid out in full is within the limit of
// selections by then.
func TestCountingRepeatsIsBounded(t *testing.T) {
	doc := parse(t, bomb(3, 7)) // 7³ fields, 1 + 7 + 49 + 343 spreads
	m := newMeasurer(doc)
	cfg := Default()
	cfg.RootFields = 1000
	checkWith(m, cfg, doc, func(...core.ErrorOption) {})
	assert.Less(t, m.visits, 2*cfg.Selections)
}
