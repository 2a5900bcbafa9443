package cache

import (
	"sync"
	"time"
)

// How long Redis is left alone after it failed, at first and at most.
const (
	pauseMin = time.Second
	pauseMax = 30 * time.Second
)

// circuit keeps requests from waiting for a Redis that does not answer: after a failure it is left alone for a while,
// then one request tries it.
type circuit struct {
	mu    sync.Mutex
	now   func() time.Time
	pause time.Duration // 0: closed
	until time.Time
	// changed is told when Redis fails, with the cause, and when it answers again, with nil.
	changed func(cause error)
}

// allows reports whether Redis may be asked, and whether the request is one that tries it: while it is left alone, one
// is let through each time that a pause is over.
func (c *circuit) allows() (ok, trying bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pause == 0 {
		return true, false
	}
	if now := c.now(); now.After(c.until) {
		c.until = now.Add(c.pause)
		return true, true
	}
	return false, false
}

// saw notes how a request went. Of those that fail side by side only the first, and each that tries Redis again,
// makes the pause what it is.
func (c *circuit) saw(err error, trying bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err == nil && c.pause != 0:
		c.pause = 0
		c.changed(nil)
	case err != nil && c.pause == 0:
		c.pause = pauseMin
		c.until = c.now().Add(c.pause)
		c.changed(err)
	case err != nil && trying:
		c.pause = min(2*c.pause, pauseMax)
		c.until = c.now().Add(c.pause)
	}
}
