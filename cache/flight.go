package cache

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/strata-gateway/strata/fault"
)

// flight is an answer that is being computed, or waits to be checked: until it is kept, who asks for the same joins it.
// That is right for whoever has the same key: they read the same versions, and it was read after those.
type flight struct {
	id string
	// ready is closed when value and err are there.
	ready chan struct{}
	value any
	err   error
	// waiting is how many wait, under the cache's lock; the last who gives up cancels.
	waiting int
	ctx     context.Context
	cancel  context.CancelFunc
}

// landed is what a flight brought.
type landed struct {
	value any
	// size is its estimated memory in bytes.
	size int
	// withheld is set if it must not be kept, checked if it was checked already.
	withheld, checked bool
}

// join takes part in the flight of an id, and reports whether it is the caller's to fly. The first who asks lends it
// their deadline and what their context carries. One that landed since the caller looked is not flown again: it was
// kept before it was forgotten.
func (c *Cache) join(ctx context.Context, id string) (*flight, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f, ok := c.flights[id]; ok {
		f.waiting++
		return f, false
	}
	if v, ok := c.local.get(id); ok {
		f := &flight{id: id, ready: make(chan struct{}), waiting: 1, value: v}
		close(f.ready)
		return f, false
	}
	f := &flight{id: id, ready: make(chan struct{}), waiting: 1}
	f.ctx, f.cancel = alone(ctx)
	c.flights[id] = f
	return f, true
}

// alone is a context that outlives the one it is of, but not its deadline.
func alone(ctx context.Context) (context.Context, context.CancelFunc) {
	own := context.WithoutCancel(ctx)
	if at, ok := ctx.Deadline(); ok {
		return context.WithDeadline(own, at)
	}
	return context.WithCancel(own)
}

// await waits for a flight. If nobody waits any more, it is given up: what it computes ends too.
func (c *Cache) await(ctx context.Context, f *flight) (any, error) {
	select {
	case <-f.ready:
		return f.value, f.err
	case <-ctx.Done():
		c.leave(f)
		return nil, ctx.Err()
	}
}

func (c *Cache) leave(f *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.waiting--; f.waiting > 0 {
		return
	}
	select {
	case <-f.ready:
	default:
		f.cancel()
		c.forget(f)
	}
}

// forget lets the next who asks start anew. The lock is held.
func (c *Cache) forget(f *flight) {
	if c.flights[f.id] == f {
		delete(c.flights, f.id)
	}
}

// land ends a flight without keeping what it brought.
func (c *Cache) land(f *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(f)
}

// fly computes an answer, hands it to who waits, and has it checked and kept.
func (c *Cache) fly(f *flight, area string, k Key, compute func(context.Context) (landed, error)) {
	defer f.cancel()
	brought, err := recovered(f.ctx, compute)
	f.value, f.err = brought.value, err
	close(f.ready)
	switch {
	case err != nil:
		c.land(f)
	case brought.checked:
		c.local.put(f.id, brought.value, brought.size)
		c.land(f)
	case brought.withheld:
		c.metrics.filled(area, fillWithheld)
		c.land(f)
	default:
		c.check(&fill{flight: f, area: area, key: k, size: brought.size})
	}
}

// recovered computes; a panic is an error: nobody above could recover from it, and the gateway would end.
func recovered(ctx context.Context, compute func(context.Context) (landed, error)) (brought landed, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fault.Wrap(fault.CodeInternal, "panic", fmt.Errorf("panic: %v\n%s", v, debug.Stack()))
		}
	}()
	return compute(ctx)
}
