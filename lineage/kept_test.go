package lineage_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/cache"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
	"github.com/strata-gateway/strata/lineage"
)

// TestEveryInputIsPartOfTheKey changes each field that an answer depends on, one at a time: none is answered with what
// is kept of the others. A field that is added to them is tried too.
func TestEveryInputIsPartOfTheKey(t *testing.T) {
	w := testkit.NewWorld(t)
	member := w.Member(graph.RoleAdmin)
	epochs, err := w.Store.Epochs(t.Context(), w.Workspace)
	require.NoError(t, err)
	for name, inputs := range lineage.KeptInputs() {
		t.Run(name, func(t *testing.T) {
			kept, err := cache.New(cache.Config{Epochs: w.Store, Bytes: 1 << 20})
			require.NoError(t, err)
			area := cache.Area[int]{Name: name, Size: func(int) int { return 1 }}
			loads := 0
			ask := func(inputs any) int {
				k := cache.Key{Audience: w.Caller(member).Audience, Epochs: epochs, Families: []graph.Family{graph.FamilyCatalog}, Inputs: inputs}
				got, err := cache.Get(t.Context(), kept, area, k, func(context.Context) (cache.Answer[int], error) {
					loads++
					return cache.Answer[int]{Value: loads, Keep: true}, nil
				})
				require.NoError(t, err)
				return got
			}
			tried := 0
			eachChanged(t, reflect.TypeOf(inputs), name, func(path string, changed reflect.Value) {
				tried++
				before := loads
				assert.Equal(t, before+1, ask(changed.Interface()), "%s is not part of the key", path)
				assert.Equal(t, before+1, ask(changed.Interface()), "%s: asked again, it is not the same key", path)
			})
			assert.Positive(t, tried)
		})
	}
}

// eachChanged calls what it is given with values of a type that differ from its zero value, and from each other, in
// one place. Kinds whose text is not what they stand for, such as pointers, are a failure: they must not be inputs.
func eachChanged(t *testing.T, of reflect.Type, path string, try func(string, reflect.Value)) {
	t.Helper()
	changed := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.Struct:
		for i := range of.NumField() {
			eachChanged(t, of.Field(i).Type, path+"."+of.Field(i).Name, func(path string, v reflect.Value) {
				whole := reflect.New(of).Elem()
				require.True(t, whole.Field(i).CanSet(), "%s cannot be tried", path)
				whole.Field(i).Set(v)
				try(path, whole)
			})
		}
		return
	case reflect.Slice:
		eachChanged(t, of.Elem(), path+"[]", func(path string, v reflect.Value) {
			try(path, reflect.Append(changed, v))
			try(path+" twice", reflect.Append(changed, v, v))
		})
		return
	case reflect.String:
		changed.SetString("changed")
	case reflect.Int:
		changed.SetInt(1)
	case reflect.Bool:
		changed.SetBool(true)
	default:
		require.Failf(t, "no plain value", "%s is a %s", path, of)
	}
	try(path, changed)
}
