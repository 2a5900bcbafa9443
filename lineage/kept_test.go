package lineage_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/cache"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
	"github.com/strata-gateway/strata/lineage"
)

// still are versions that nothing moves.
type still struct{ versions graph.Epochs }

// Epochs implements cache.Epochs.
func (s still) Epochs(context.Context, string) (graph.Epochs, error) { return s.versions, nil }

// keeping gives a cache, and versions under which it keeps what is asked of it.
func keeping(t *testing.T, metrics prometheus.Registerer) (*cache.Cache, graph.Epochs) {
	t.Helper()
	w := testkit.NewWorld(t)
	epochs, err := w.Store.Epochs(t.Context(), w.Workspace)
	require.NoError(t, err)
	kept, err := cache.New(cache.Config{Epochs: still{epochs}, Bytes: 1 << 20, Metrics: metrics})
	require.NoError(t, err)
	t.Cleanup(func() { _ = kept.Close() })
	return kept, epochs
}

// TestEveryInputIsPartOfTheKey changes each field that an answer depends on, one at a time: none is answered with what
// is kept of the others. A field that is added to them is tried too.
func TestEveryInputIsPartOfTheKey(t *testing.T) {
	kept, epochs := keeping(t, nil)
	for name, inputs := range lineage.KeptInputs() {
		t.Run(name, func(t *testing.T) {
			area := cache.Area[int]{Name: name, Size: func(int) int { return 1 }}
			loads := 0
			ask := func(inputs any) int {
				k := cache.Key{Epochs: epochs, Families: []graph.Family{graph.FamilyCatalog}, Inputs: inputs}
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
