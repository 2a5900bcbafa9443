package cache

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/strata-gateway/strata/graph"
)

// inputs are as areas have them.
type inputs struct {
	Text  string
	Texts []string
	Count int
	Mark  bool
}

func drawKey(rt *rapid.T, name string) (string, Key) {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "a", "\x00", "\xff", "\xfe", `"`, `", "`, "w", "catalog"}))
	return text.Draw(rt, name+" area"), Key{
		Audience: graph.Audience{Workspace: text.Draw(rt, name+" workspace"), Class: graph.Class(text.Draw(rt, name+" class"))},
		Families: rapid.SliceOfN(rapid.SampledFrom([]graph.Family{graph.FamilyLineage, graph.FamilyCatalog}), 0, 2).Draw(rt, name+" families"),
		Inputs: inputs{
			Text: text.Draw(rt, name+" text"), Texts: rapid.SliceOfN(text, 1, 3).Draw(rt, name+" texts"),
			Count: rapid.IntRange(0, 2).Draw(rt, name+" count"), Mark: rapid.Bool().Draw(rt, name+" mark"),
		},
	}
}

func TestKeysAreInjective(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		areaA, a := drawKey(rt, "a")
		areaB, b := drawKey(rt, "b")
		if rapid.Bool().Draw(rt, "alike") { // all but one part
			b.Audience, b.Families = a.Audience, a.Families
			if rapid.Bool().Draw(rt, "of one area") {
				areaB = areaA
			} else {
				b.Inputs = a.Inputs
			}
		}
		x, y := a.Inputs.(inputs), b.Inputs.(inputs)
		same := areaA == areaB && a.Audience == b.Audience && slices.Equal(a.Families, b.Families) &&
			x.Text == y.Text && slices.Equal(x.Texts, y.Texts) && x.Count == y.Count && x.Mark == y.Mark
		assert.Equal(rt, same, string(a.tuple(areaA)) == string(b.tuple(areaB)))
		assert.Equal(rt, same, a.digest([]byte("s"), areaA) == b.digest([]byte("s"), areaB))
	})
}

func TestAKeyIsOfItsSecret(t *testing.T) {
	assert.NotEqual(t, Key{}.digest([]byte("one"), "a"), Key{}.digest([]byte("other"), "a"))
}
