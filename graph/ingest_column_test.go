package graph

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPlanColumns(t *testing.T) {
	s := func(v string) *string { return &v }
	stored := []storedColumn{
		{id: "1", name: "ID", kind: s("int"), description: s("Key."), ordinal: 1},
		{id: "2", name: "note", ordinal: 2, documented: true},
		{id: "3", name: "extra", kind: s("text"), ordinal: 3},
	}
	stated := func(names ...string) []IngestColumn {
		var out []IngestColumn
		for _, n := range names {
			out = append(out, IngestColumn{Name: n})
		}
		return out
	}
	tests := []struct {
		name   string
		stored []storedColumn
		in     IngestAsset
		want   []string // id:name of what remains
		put    []int
		remove []string
	}{
		{"the same", stored, IngestAsset{Builds: true, Columns: []IngestColumn{{Name: "ID", Description: s("Key.")}, {Name: "note"}}},
			[]string{"1:ID", "2:note", "3:extra"}, nil, nil},
		{"new ones come last", stored, IngestAsset{Columns: stated("id", "z", "a")}, []string{"1:ID", "2:note", "3:extra", ":z", ":a"}, []int{3, 4}, nil},
		{"a stub that looked takes none away, and gives the order", stored, IngestAsset{Observed: true, Columns: stated("extra", "id")},
			[]string{"3:extra", "1:id", "2:note"}, []int{0, 1, 2}, nil},
		{"who builds it and looked takes away what is not there", stored, IngestAsset{Builds: true, Observed: true, Columns: stated("id", "new")},
			[]string{"1:id", ":new"}, []int{0, 1}, []string{"2", "3"}},
		{"who builds it and did not look takes away its documentation only", stored, IngestAsset{Builds: true, Columns: []IngestColumn{{Name: "ID", Description: s("Key.")}}},
			[]string{"1:ID", "3:extra"}, []int{1}, []string{"2"}},
		{"exact names first", []storedColumn{{id: "1", name: "a", ordinal: 1}, {id: "2", name: "A", ordinal: 2}}, IngestAsset{Builds: true, Observed: true, Columns: stated("A", "a")},
			[]string{"2:A", "1:a"}, []int{0, 1}, nil},
		{"ambiguous without case", []storedColumn{{id: "1", name: "ab", ordinal: 1}}, IngestAsset{Builds: true, Observed: true, Columns: stated("AB", "Ab")},
			[]string{":AB", ":Ab"}, []int{0, 1}, []string{"1"}},
		{"ambiguous in the store", []storedColumn{{id: "1", name: "AB", ordinal: 1}, {id: "2", name: "Ab", ordinal: 2}}, IngestAsset{Columns: stated("ab")},
			[]string{"1:AB", "2:Ab", ":ab"}, []int{2}, nil},
		{"ordinals become dense", []storedColumn{{id: "1", name: "a", ordinal: 4}, {id: "2", name: "b", ordinal: 9}}, IngestAsset{}, []string{"1:a", "2:b"}, []int{0, 1}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := planColumns(tt.stored, tt.in)
			var got []string
			for i, c := range p.columns {
				got = append(got, c.id+":"+c.name)
				assert.Equal(t, i+1, c.ordinal)
			}
			assert.Equal(t, tt.want, got)
			assert.Equal(t, tt.put, p.put)
			assert.Equal(t, tt.remove, p.remove)
		})
	}
}

func TestColumnDescriptionsAndTypes(t *testing.T) {
	s := func(v string) *string { return &v }
	stored := storedColumn{id: "1", name: "a", kind: s("int"), description: s("Old."), ordinal: 1, documented: true}
	after := func(in IngestAsset) storedColumn { return planColumns([]storedColumn{stored}, in).columns[0] }
	stub := after(IngestAsset{Columns: []IngestColumn{{Name: "a"}}})
	assert.Equal(t, s("Old."), stub.description, "a stub that says nothing takes nothing away")
	assert.Equal(t, s("int"), stub.kind)
	assert.True(t, stub.documented)
	owner := after(IngestAsset{Builds: true, Observed: true, Columns: []IngestColumn{{Name: "a", Type: s("bigint")}}})
	assert.Nil(t, owner.description)
	assert.Equal(t, s("bigint"), owner.kind)
	assert.False(t, owner.documented, "it was seen now")
}

func TestMergeTags(t *testing.T) {
	tests := []struct {
		name                               string
		tags, before, stated, merged, kept []string
	}{
		{"stated anew", []string{"typed"}, nil, []string{"b", "a"}, []string{"a", "b", "typed"}, []string{"b", "a"}},
		{"not stated any more", []string{"a", "typed"}, []string{"a"}, nil, []string{"typed"}, []string{}},
		{"taken away by hand", []string{"typed"}, []string{"a"}, []string{"a"}, []string{"typed"}, []string{"a"}},
		{"typed before it was stated", []string{"a"}, nil, []string{"a"}, []string{"a"}, []string{}},
		{"nothing", nil, nil, nil, []string{}, []string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			merged, kept := mergeTags(tt.tags, tt.before, tt.stated)
			assert.Equal(t, tt.merged, merged)
			assert.Equal(t, tt.kept, kept)
			again, keptAgain := mergeTags(merged, kept, tt.stated)
			assert.Equal(t, merged, again, "once more changes nothing")
			assert.Equal(t, kept, keptAgain)
		})
	}
}

func TestWhoseWordStands(t *testing.T) {
	tests := []struct {
		by     string
		builds bool
		me     bool
		want   bool
	}{
		{"", false, false, true}, {"dbt:me", false, true, true}, {"dbt:me", true, false, true},
		{"dbt:other", false, false, false}, {"dbt:other", false, true, true}, {"dbt:other", true, true, false}, {"dbt:other", true, false, false},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, storedAsset{describedBy: tt.by, builds: tt.builds}.yieldsTo("dbt:me", tt.me), "%+v", tt)
	}
}

func TestWarningsAreBounded(t *testing.T) {
	all := make([]string, 250)
	got := boundedWarnings(all)
	assert.Len(t, got, 100)
	assert.Equal(t, "and 151 more", got[99])
	assert.Len(t, boundedWarnings(all[:100]), 100)
}
