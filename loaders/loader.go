// Package loaders batches what resolvers ask for, within one request. A list announces the ids of its
// entries; the first of them that is asked for fetches all of them in one statement, and the others find
// it done or wait for it. So the number of statements depends on the query and never on the page size or
// on how goroutines are scheduled, and nothing waits for a timer to close a batch, as it would in the
// usual loaders, which know no siblings.
package loaders

import (
	"context"
	"errors"
	"sync"
)

var errAbandoned = errors.New("a batch ended without an answer")

// Loader fetches values by key, each key once.
type Loader[K comparable, V any] struct {
	fetch func(context.Context, []K) (map[K]V, error)
	mu    sync.Mutex
	slots map[K]*batch[K, V]
}

// batch is the outcome of one fetch; ready is closed when it is there.
type batch[K comparable, V any] struct {
	ready  chan struct{}
	values map[K]V
	err    error
}

// NewLoader makes a loader of a fetch that returns the values of those keys that have one.
func NewLoader[K comparable, V any](fetch func(context.Context, []K) (map[K]V, error)) *Loader[K, V] {
	return &Loader[K, V]{fetch: fetch, slots: map[K]*batch[K, V]{}}
}

// Load returns the value of a key and whether it has one. If it must fetch, it fetches the siblings in
// the same batch. The fetch runs in the context of the one who came first.
func (l *Loader[K, V]) Load(ctx context.Context, key K, siblings []K) (V, bool, error) {
	l.mu.Lock()
	b, known := l.slots[key]
	if !known {
		b = &batch[K, V]{ready: make(chan struct{}), err: errAbandoned}
		keys := l.claim(b, append([]K{key}, siblings...))
		l.mu.Unlock()
		b.run(ctx, l.fetch, keys)
	} else {
		l.mu.Unlock()
	}
	select {
	case <-b.ready:
	case <-ctx.Done():
		var zero V
		return zero, false, ctx.Err()
	}
	v, ok := b.values[key]
	return v, ok, b.err
}

// claim enters the batch for those keys that have none yet and returns them.
func (l *Loader[K, V]) claim(b *batch[K, V], keys []K) []K {
	claimed := make([]K, 0, len(keys))
	for _, k := range keys {
		if _, taken := l.slots[k]; !taken {
			l.slots[k] = b
			claimed = append(claimed, k)
		}
	}
	return claimed
}

// run fetches; who waits is released even if the fetch panics.
func (b *batch[K, V]) run(ctx context.Context, fetch func(context.Context, []K) (map[K]V, error), keys []K) {
	defer close(b.ready)
	b.values, b.err = fetch(ctx, keys)
}
