package loaders

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recorder is a fetch that notes the keys of each call.
type recorder struct {
	mu    sync.Mutex
	calls [][]int
	err   error
}

func (r *recorder) fetch(_ context.Context, keys []int) (map[int]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, slices.Sorted(slices.Values(keys)))
	out := map[int]string{}
	for _, k := range keys {
		if k >= 0 {
			out[k] = "value"
		}
	}
	return out, r.err
}

func TestTheFirstOfSiblingsFetchesAllOfThem(t *testing.T) {
	r := &recorder{}
	l := NewLoader(r.fetch)
	siblings := make([]int, 200)
	for i := range siblings {
		siblings[i] = i
	}
	var wg sync.WaitGroup
	for _, k := range siblings {
		wg.Go(func() {
			v, ok, err := l.Load(t.Context(), k, siblings)
			assert.NoError(t, err)
			assert.True(t, ok)
			assert.Equal(t, "value", v)
		})
	}
	wg.Wait()
	assert.Equal(t, [][]int{siblings}, r.calls, "one fetch, each key once")
}

func TestAKeyWithoutAValueIsKnownToHaveNone(t *testing.T) {
	r := &recorder{}
	l := NewLoader(r.fetch)
	for range 2 {
		_, ok, err := l.Load(t.Context(), -1, nil)
		require.NoError(t, err)
		assert.False(t, ok)
	}
	assert.Len(t, r.calls, 1)
}

func TestABatchFetchesOnlyWhatNoneHas(t *testing.T) {
	r := &recorder{}
	l := NewLoader(r.fetch)
	_, _, err := l.Load(t.Context(), 1, []int{2, 2, 1})
	require.NoError(t, err)
	_, _, err = l.Load(t.Context(), 3, []int{1, 2, 3})
	require.NoError(t, err)
	assert.Equal(t, [][]int{{1, 2}, {3}}, r.calls)
}

func TestAFailedBatchFailsAllOfItsKeys(t *testing.T) {
	r := &recorder{err: errors.New("down")}
	l := NewLoader(r.fetch)
	_, _, err := l.Load(t.Context(), 1, []int{2})
	require.ErrorIs(t, err, r.err)
	_, _, err = l.Load(t.Context(), 2, nil)
	require.ErrorIs(t, err, r.err)
}

func TestAPanicReleasesWhoWaits(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	l := NewLoader(func(context.Context, []int) (map[int]string, error) {
		close(entered)
		<-leave
		panic("defect")
	})
	go func() {
		defer func() { _ = recover() }()
		_, _, _ = l.Load(context.Background(), 1, []int{2})
	}()
	<-entered
	waited := make(chan error)
	go func() {
		_, _, err := l.Load(context.Background(), 2, nil)
		waited <- err
	}()
	close(leave)
	require.ErrorIs(t, <-waited, errAbandoned)
}

func TestWhoWaitsMayGiveUp(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	l := NewLoader(func(context.Context, []int) (map[int]string, error) {
		close(entered)
		<-leave
		return nil, nil
	})
	go func() { _, _, _ = l.Load(context.Background(), 1, []int{2}) }()
	<-entered
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := l.Load(ctx, 2, nil)
	require.ErrorIs(t, err, context.Canceled)
	close(leave)
}
