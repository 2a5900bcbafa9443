package cache_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/cache"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

func TestManyWhoAskTheSameAreAnsweredByOne(t *testing.T) {
	w := newWorld(t)
	l, k, leave := &loader{text: "answer"}, w.key("q"), make(chan struct{})
	const clients = 64
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			got, err := cache.Get(t.Context(), w.cache, texts(), k, func(ctx context.Context) (cache.Answer[string], error) {
				<-leave
				return l.load(ctx)
			})
			assert.NoError(t, err)
			assert.Equal(t, "answer", got)
		})
	}
	require.Eventually(t, func() bool {
		return count(t, w.metrics, "strata_cache_requests_total", "joined") == clients-1
	}, patience, pollEvery)
	close(leave)
	wg.Wait()
	assert.EqualValues(t, 1, l.times.Load())
}

func TestWhoGivesUpTakesNothingFromTheOthers(t *testing.T) {
	w := newWorld(t)
	k, entered, leave, ended := w.key("q"), make(chan struct{}), make(chan struct{}), make(chan error, 1)
	first, giveUp := context.WithCancel(t.Context())
	go func() {
		_, err := cache.Get(first, w.cache, texts(), k, func(ctx context.Context) (cache.Answer[string], error) {
			close(entered)
			select {
			case <-leave:
				return cache.Answer[string]{Value: "answer"}, nil
			case <-ctx.Done():
				return cache.Answer[string]{}, ctx.Err()
			}
		})
		ended <- err
	}()
	<-entered
	second := make(chan string, 1)
	go func() {
		got, err := cache.Get(t.Context(), w.cache, texts(), k, nil) // it never loads itself
		assert.NoError(t, err)
		second <- got
	}()
	require.Eventually(t, func() bool { return count(t, w.metrics, "strata_cache_requests_total", "joined") == 1 }, patience, pollEvery)
	giveUp()
	require.ErrorIs(t, <-ended, context.Canceled)
	close(leave)
	assert.Equal(t, "answer", <-second)
}

func TestWhatNobodyWaitsForEnds(t *testing.T) {
	w := newWorld(t)
	entered, ended := make(chan struct{}), make(chan error, 1)
	ctx, giveUp := context.WithCancel(t.Context())
	k := w.key("q")
	go func() {
		_, _ = cache.Get(ctx, w.cache, texts(), k, func(ctx context.Context) (cache.Answer[string], error) {
			close(entered)
			<-ctx.Done()
			ended <- ctx.Err()
			return cache.Answer[string]{}, ctx.Err()
		})
	}()
	<-entered
	giveUp()
	require.ErrorIs(t, <-ended, context.Canceled)
	got, err := cache.Get(t.Context(), w.cache, texts(), k, (&loader{text: "anew"}).load)
	require.NoError(t, err)
	assert.Equal(t, "anew", got)
}

func TestTheTimeOfWhoAskedFirstIsNotThatOfTheOthers(t *testing.T) {
	w := newWorld(t)
	k, entered := w.key("q"), make(chan struct{})
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	go func() {
		_, err := cache.Get(short, w.cache, texts(), k, func(ctx context.Context) (cache.Answer[string], error) {
			close(entered)
			<-ctx.Done()
			return cache.Answer[string]{}, ctx.Err()
		})
		assert.Error(t, err)
	}()
	<-entered
	got, err := cache.Get(t.Context(), w.cache, texts(), k, (&loader{text: "in time"}).load)
	require.NoError(t, err)
	assert.Equal(t, "in time", got)
}

func TestAPanicIsAnError(t *testing.T) {
	w := newWorld(t)
	_, err := cache.Get(t.Context(), w.cache, texts(), w.key("q"), func(context.Context) (cache.Answer[string], error) { panic("defect") })
	require.Error(t, err)
	assert.Equal(t, fault.CodeInternal, fault.CodeOf(err))
	failing := errors.New("failing")
	_, err = cache.Get(t.Context(), w.cache, texts(), w.key("q"), func(context.Context) (cache.Answer[string], error) { return cache.Answer[string]{}, failing })
	require.ErrorIs(t, err, failing, "and the key is free again")
}

// fixed are versions that nothing moves, read in no time.
type fixed struct{ versions graph.Epochs }

// Epochs implements cache.Epochs.
func (f fixed) Epochs(context.Context, string) (graph.Epochs, error) { return f.versions, nil }

// TestWhatLandsMeanwhileIsNotComputedAgain: an answer is found in its flight, or where it is kept, and never in between.
func TestWhatLandsMeanwhileIsNotComputedAgain(t *testing.T) {
	w := newWorld(t)
	l, k := &loader{text: "answer"}, w.key("")
	c, _ := w.another(func(c *cache.Config) { c.Epochs, c.Bytes = fixed{k.Epochs}, 64<<20 })
	const questions = 20_000
	for q := range questions {
		k.Inputs = q
		for range 3 {
			_, err := cache.Get(t.Context(), c, texts(), k, l.load)
			require.NoError(t, err)
		}
	}
	assert.EqualValues(t, questions, l.times.Load())
}
