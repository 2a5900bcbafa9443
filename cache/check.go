package cache

import (
	"context"
	"slices"
	"time"

	"github.com/strata-gateway/strata/graph"
)

// checkTime bounds the look at the epochs before an answer is kept.
const checkTime = 5 * time.Second

// fill is an answer that may be kept if its versions still hold.
type fill struct {
	flight *flight
	area   string
	key    Key
	size   int
}

// check has a fill checked. Those of a workspace are checked together: one look at the epochs that begins after the
// last of them was read is enough for all.
func (c *Cache) check(f *fill) {
	workspace := f.key.Audience.Workspace
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		c.forget(f.flight)
		return
	}
	waiting, busy := c.waiting[workspace]
	c.waiting[workspace] = append(waiting, f)
	if !busy {
		c.checking.Add(1)
		go c.checkAll(workspace)
	}
}

// checkAll checks the fills of a workspace until none is left.
func (c *Cache) checkAll(workspace string) {
	defer c.checking.Done()
	for {
		fills := c.next(workspace)
		if fills == nil {
			return
		}
		now, err := c.now(workspace)
		for _, f := range fills {
			c.settle(f, now, err)
		}
	}
}

// next takes the fills that wait; none ends the checking of the workspace.
func (c *Cache) next(workspace string) []*fill {
	c.mu.Lock()
	defer c.mu.Unlock()
	fills := c.waiting[workspace]
	if len(fills) == 0 {
		delete(c.waiting, workspace)
		return nil
	}
	c.waiting[workspace] = []*fill{}
	return fills
}

// now reads the epochs, as a request of its own.
func (c *Cache) now(workspace string) (graph.Epochs, error) {
	ctx, cancel := context.WithTimeout(context.Background(), checkTime)
	defer cancel()
	return c.epochs.Epochs(ctx, workspace)
}

// settle keeps a fill if nothing that it can show has changed since before it was read.
//
// SECURITY: what a change came into is not kept: it could show one part from before and another from after, for as
// long as nothing else changes (TestAFillThatAChangeCameIntoIsNotKept).
func (c *Cache) settle(f *fill, now graph.Epochs, err error) {
	defer c.land(f.flight)
	switch {
	case err != nil:
		c.metrics.filled(f.area, fillUnchecked)
	case !slices.Equal(f.key.versions(now), f.key.versions(f.key.Epochs)):
		c.metrics.filled(f.area, fillMoved)
	default:
		c.metrics.filled(f.area, fillKept)
		c.local.put(f.flight.id, f.flight.value, f.size)
		c.shared.put(context.Background(), f.flight.id, f.flight.value)
	}
}
