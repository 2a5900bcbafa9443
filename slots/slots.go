// Package slots bounds how much heavy work of a kind is done at once: who comes when all slots are taken waits a
// while, and is then told to come again (docs/operations.md, "Limits").
package slots

import (
	"context"
	"net/http"
	"time"

	"github.com/strata-gateway/strata/fault"
)

// Slots are those of one kind of work. They are safe for concurrent use.
type Slots struct {
	taken chan struct{}
	wait  time.Duration
	work  string
}

// New makes free slots, at least one. work names the work in the plural, for who is told to come again; wait is the
// longest that one waits for a slot.
func New(work string, atOnce int, wait time.Duration) *Slots {
	return &Slots{taken: make(chan struct{}, atOnce), wait: wait, work: work}
}

// Take takes a slot, and returns what gives it back. Errors: LIMIT_EXCEEDED, with status 429, if none got free in
// time; the context's error if that ended first.
func (s *Slots) Take(ctx context.Context) (release func(), err error) {
	release = func() { <-s.taken }
	// A free slot comes before any end: of several that are ready, select takes any.
	select {
	case s.taken <- struct{}{}:
		return release, nil
	default:
	}
	timer := time.NewTimer(s.wait)
	defer timer.Stop()
	select {
	case s.taken <- struct{}{}:
		return release, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-timer.C:
		return nil, &fault.Error{
			Code: fault.CodeLimitExceeded, Status: http.StatusTooManyRequests, Message: "Too many " + s.work + " at once. Try again in a moment.",
		}
	}
}
