package graph

import (
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestSearchWords(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"shop.marts.dim_customers", []string{"shop", "marts", "dim", "customers"}},
		{"OrderItems", []string{"order", "items"}},
		{"orderItemID", []string{"order", "item", "id"}},
		{"HTTPStatus", []string{"http", "status"}},
		{"ORDER_ID", []string{"order", "id"}},
		{"q1Revenue2024", []string{"q1", "revenue2024"}},
		{"s3://bucket/a-b/Ünïcode+x", []string{"s3", "bucket", "a", "b", "ünïcode", "x"}},
		{"  (a,b)%c:d  ", []string{"a", "b", "c", "d"}},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) { assert.Equal(t, tt.want, searchWords(tt.in)) })
	}
}

func TestSearchText(t *testing.T) {
	assert.Equal(t, "dim_customers shop marts dim customers customer id tier core one row per",
		searchText("shop.marts.dim_customers", []string{"customer_id", "tier"}, []string{"One row per customer."}, []string{"core"}),
		"words once each, in the order name, columns, tags, descriptions")
	assert.Equal(t, "orders.parquet s3 lake orders parquet", searchText("s3://lake/Orders.parquet", nil, nil, nil))
	assert.Equal(t, "db order lines", searchText(`db.order lines`, nil, nil, nil), "a name with a space is found by its words")

	long := searchText("db.kept", []string{"column_too"}, []string{strings.Repeat("x1 y2 ", 3) + words(20_000)}, nil)
	assert.LessOrEqual(t, len(long), maxSearchText)
	assert.True(t, strings.HasPrefix(long, "kept db column too "), "the name comes before what may be cut")
}

// words are n different words.
func words(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strconv.Itoa(i))
		b.WriteByte(' ')
	}
	return b.String()
}

func TestSearchTextIsWordsOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.String(), 0, 4)
		got := searchText(rapid.String().Draw(t, "name"), texts.Draw(t, "columns"), texts.Draw(t, "descriptions"), texts.Draw(t, "tags"))
		assert.LessOrEqual(t, len(got), maxSearchText)
		seen := map[string]bool{}
		if got == "" {
			return
		}
		for _, w := range strings.Split(got, " ") {
			assert.NotEmpty(t, w)
			assert.False(t, seen[w], "twice: %q", w)
			assert.False(t, strings.ContainsFunc(w, unicode.IsSpace), "%q", w)
			seen[w] = true
		}
	})
}
