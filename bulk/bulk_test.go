package bulk_test

import (
	"bytes"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/strata-gateway/strata/bulk"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
)

var (
	nodeFields = []string{
		"__typename", "id", "kind", "label", "system", "model", "url",
		"upstreamDegree", "downstreamDegree", "columnCount", "isFocus", "isImpacted",
	}
	edgeFields = []string{"__typename", "id", "source", "target", "category", "state", "onImpactPath", "closesCycle", "onDelete"}
)

// drawSelection draws what may be selected of a type: aliases, fragments one in another, conditions. What
// an alias stands for depends on the alias alone, so that a selection is always valid.
func drawSelection(t *rapid.T, typeName string, fields []string, depth int) string {
	var b strings.Builder
	b.WriteString("{")
	for range rapid.IntRange(1, 5).Draw(t, "fields") {
		i := rapid.IntRange(0, len(fields)-1).Draw(t, "field")
		condition := rapid.SampledFrom([]string{"", "", "", " @include(if: $yes)", " @skip(if: $yes)", " @include(if: false)"}).Draw(t, "condition")
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			b.WriteString(" a" + strconv.Itoa(i) + ": " + fields[i] + condition)
		case 1:
			if depth > 0 {
				b.WriteString(" ... on " + typeName + condition + " " + drawSelection(t, typeName, fields, depth-1))
			}
		case 2:
			b.WriteString(" ...all" + typeName + condition)
		default:
			b.WriteString(" " + fields[i] + condition)
		}
	}
	b.WriteString(" __typename }")
	return b.String()
}

func selecting(nodes, edges string) string {
	return `query($yes: Boolean = true, $no: Boolean = false) {
		lineage(node: "x") { nodes ` + nodes + ` edges ` + edges + ` again: edges ` + edges + ` none: nodes @include(if: $no) { ...allLineageNode } }
	}
	fragment allLineageNode on LineageNode { label isFocus url }
	fragment allLineageEdge on LineageEdge { target state }`
}

func TestBulkWritesWhatTheExecutorWrites(t *testing.T) {
	ctx := asMember(t)
	rapid.Check(t, func(t *rapid.T) {
		w := world{graph: drawGraph(t)}
		q := selecting(drawSelection(t, "LineageNode", nodeFields, 2)+" ", drawSelection(t, "LineageEdge", edgeFields, 2))
		q = strings.Replace(q, "lineage(", "spread: lineage(node: \"x\") @include(if: $yes) { nodes { ...allLineageNode } edges { ...allLineageEdge } } lineage(", 1)
		var lists atomic.Int64
		written := w.answer(t, ctx, q, counted(&lists))
		require.Equal(t, w.answer(t, ctx, q, perField), written)
		require.EqualValues(t, 5, lists.Load(), "everything is written in bulk")
	})
}

func TestBulkLeavesDecidedFieldsToTheExecutor(t *testing.T) {
	w := world{graph: &lineage.Graph{
		Nodes: []*lineage.Node{{ID: "a", IsFocus: true}, {ID: "b"}},
		Edges: []*lineage.Edge{{ID: "e", Category: graph.EdgeManual}},
	}}
	for selection, lists := range map[string]int{
		`nodes { id label } edges { id }`:                               2,
		`nodes { id canOpen } edges { id }`:                             1,
		`nodes { id ... on LineageNode { canOpen } } edges { canEdit }`: 0,
		`nodes { id canOpen @skip(if: true) } edges { canEdit }`:        1,
	} {
		var written atomic.Int64
		q := `{ lineage(node: "x") { ` + selection + ` } }`
		got := w.answer(t, asMember(t), q, counted(&written))
		assert.Equal(t, w.answer(t, asMember(t), q, perField), got, selection)
		assert.EqualValues(t, lists, written.Load(), selection)
	}
}

func TestAListWithAHoleIsLeftToTheExecutor(t *testing.T) {
	var lists atomic.Int64
	w := world{graph: &lineage.Graph{Edges: []*lineage.Edge{{ID: "e"}, nil}}}
	assert.Panics(t, func() {
		// The executor's own answer to a hole in a list of non-null elements is an error, which this fails on.
		w.answer(panicking{}, asMember(t), `{ lineage(node: "x") { edges { id } } }`, counted(&lists))
	})
	assert.Zero(t, lists.Load())
}

// panicking fails by a panic.
type panicking struct{}

func (panicking) Errorf(string, ...any) {}
func (panicking) FailNow()              { panic("failed") }

func FuzzTextIsQuotedAsTheExecutorQuotes(f *testing.F) {
	for _, s := range []string{"", "a\"b\\c", "\t\r\n\x00\x1f", "é\u2028\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want bytes.Buffer
		graphql.MarshalString(s).MarshalGQL(&want)
		got := bulk.Text(func(v *string) string { return *v })(nil, &s)
		assert.Equal(t, want.String(), string(got))
	})
}
