package server

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/strata-gateway/strata/fault"
)

// grace is how long work may take to notice that its context ended.
const grace = 2 * time.Second

// inTime runs work, and gives up on it when its context ended a while ago: a server that neither answers
// nor closes the connection holds a statement for as long as it likes, since the driver is given no
// deadline. What work does after that is lost. Errors: that of work, TIMEOUT.
func inTime[T any](ctx context.Context, work func() (T, error)) (T, error) {
	done := make(chan outcome[T], 1)
	go func() { done <- run(work) }()
	select {
	case o := <-done:
		return o.get()
	case <-ctx.Done():
	}
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case o := <-done:
		return o.get()
	case <-late.C:
		var nothing T
		return nothing, fault.From(ctx.Err())
	}
}

// outcome is how work ended.
type outcome[T any] struct {
	value    T
	err      error
	panicked error
}

// get returns what work returned, or panics as it did: in the goroutine of the one who asked, who has a
// recovery.
func (o outcome[T]) get() (T, error) {
	if o.panicked != nil {
		panic(o.panicked)
	}
	return o.value, o.err
}

func run[T any](work func() (T, error)) (o outcome[T]) {
	defer func() {
		if value := recover(); value != nil {
			o.panicked = fmt.Errorf("%v\n%s", value, debug.Stack())
		}
	}()
	o.value, o.err = work()
	return o
}
