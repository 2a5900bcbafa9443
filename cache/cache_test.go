package cache_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/cache"
	"github.com/strata-gateway/strata/graph"
)

func TestAnAnswerIsComputedOnceForItsVersions(t *testing.T) {
	w := newWorld(t)
	l, before := &loader{text: "answer"}, w.key("q")
	for range 3 {
		got, err := cache.Get(t.Context(), w.cache, texts(), before, l.load)
		require.NoError(t, err)
		assert.Equal(t, "answer", got)
	}
	assert.EqualValues(t, 1, l.times.Load())
	w.settled("kept", 1)
	_, err := cache.Get(t.Context(), w.cache, texts(), before, l.load)
	require.NoError(t, err)
	assert.EqualValues(t, 1, l.times.Load(), "kept")
	assert.Positive(t, count(t, w.metrics, "strata_cache_bytes"))

	w.change()
	_, err = cache.Get(t.Context(), w.cache, texts(), w.key("q"), l.load)
	require.NoError(t, err)
	assert.EqualValues(t, 2, l.times.Load(), "a change asks anew")
	for name, k := range map[string]cache.Key{"other inputs": w.key("r"), "another class": {
		Audience: graph.Audience{Workspace: w.Workspace, Class: graph.ClassRestricted}, Epochs: w.key("q").Epochs, Families: w.key("q").Families, Inputs: "q",
	}} {
		was := l.times.Load()
		_, err = cache.Get(t.Context(), w.cache, texts(), k, l.load)
		require.NoError(t, err)
		assert.Equal(t, was+1, l.times.Load(), name)
	}
}

func TestAFillThatAChangeCameIntoIsNotKept(t *testing.T) {
	w := newWorld(t)
	l, before := &loader{text: "half old, half new"}, w.key("q")
	got, err := cache.Get(t.Context(), w.cache, texts(), before, func(ctx context.Context) (cache.Answer[string], error) {
		w.change()
		return l.load(ctx)
	})
	require.NoError(t, err)
	assert.Equal(t, "half old, half new", got, "who asked is answered as without a cache")
	w.settled("moved", 1)
	_, err = cache.Get(t.Context(), w.cache, texts(), before, l.load)
	require.NoError(t, err)
	assert.EqualValues(t, 2, l.times.Load())
}

func TestAFillIsNotKeptIfTheVersionsCannotBeRead(t *testing.T) {
	w := newWorld(t, func(c *cache.Config) { c.Epochs = broken{} })
	l := &loader{text: "answer"}
	_, err := cache.Get(t.Context(), w.cache, texts(), w.key("q"), l.load)
	require.NoError(t, err)
	w.settled("unchecked", 1)
	_, err = cache.Get(t.Context(), w.cache, texts(), w.key("q"), l.load)
	require.NoError(t, err)
	assert.EqualValues(t, 2, l.times.Load())
}

type broken struct{}

func (broken) Epochs(context.Context, string) (graph.Epochs, error) {
	return graph.Epochs{}, errors.New("down")
}

func TestWhatMayNotBeKeptIsNot(t *testing.T) {
	w := newWorld(t)
	times := 0
	for range 2 {
		_, err := cache.Get(t.Context(), w.cache, texts(), w.key("q"), func(context.Context) (cache.Answer[string], error) {
			times++
			return cache.Answer[string]{Value: "cut"}, nil
		})
		require.NoError(t, err)
		w.settled("withheld", times)
	}
	assert.Equal(t, 2, times)
	for range 2 {
		_, err := cache.Get(t.Context(), w.cache, texts(), w.key("r"), func(context.Context) (cache.Answer[string], error) {
			times++
			return cache.Answer[string]{Keep: true}, errors.New("failed")
		})
		require.Error(t, err)
	}
	assert.Equal(t, 4, times, "errors are not kept")
}

func TestNothingIsKeptWithoutVersions(t *testing.T) {
	w := newWorld(t)
	l, k := &loader{text: "answer"}, w.key("q")
	k.Epochs = graph.Epochs{}
	for range 2 {
		_, err := cache.Get(t.Context(), w.cache, texts(), k, l.load)
		require.NoError(t, err)
	}
	assert.EqualValues(t, 2, l.times.Load())
	for range 2 {
		_, err := cache.Get(t.Context(), nil, texts(), w.key("q"), l.load)
		require.NoError(t, err)
	}
	assert.EqualValues(t, 4, l.times.Load(), "nor by no cache")
}

func TestWhatIsKeptIsBounded(t *testing.T) {
	w := newWorld(t)
	l := &loader{text: strings.Repeat("x", 100_000)}
	for i := range 60 {
		_, err := cache.Get(t.Context(), w.cache, texts(), w.key(i), l.load)
		require.NoError(t, err)
	}
	w.settled("kept", 60)
	require.Eventually(t, func() bool {
		bytes := count(t, w.metrics, "strata_cache_bytes")
		return bytes > 0 && bytes <= 1<<20
	}, patience, pollEvery)
}

func TestASecretMustBeLongEnough(t *testing.T) {
	_, err := cache.New(cache.Config{Bytes: 1, Secret: []byte("short")})
	require.Error(t, err)
	_, err = cache.New(cache.Config{Bytes: 1, Redis: "redis://127.0.0.1"})
	require.Error(t, err, "what goes to Redis is sealed by a secret that all replicas know")
	_, err = cache.New(cache.Config{Bytes: 1, Redis: "nonsense", Secret: make([]byte, 32)})
	require.Error(t, err)
}
