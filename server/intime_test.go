package server

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/strata-gateway/strata/fault"
)

func TestWorkThatHangsIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		release := make(chan struct{})
		start := time.Now()
		_, err := inTime(ctx, func() (int, error) {
			<-release
			return 1, nil
		})
		assert.Equal(t, fault.CodeTimeout, fault.CodeOf(err))
		assert.Equal(t, time.Minute+grace, time.Since(start))
		close(release)
	})
}

func TestWorkThatNoticesTheEndIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		part, err := inTime(ctx, func() (string, error) {
			<-ctx.Done()
			time.Sleep(grace / 2)
			return "what there is so far", nil
		})
		assert.NoError(t, err)
		assert.Equal(t, "what there is so far", part)
	})
}

func TestWorkInTime(t *testing.T) {
	failed := errors.New("failed")
	value, err := inTime(t.Context(), func() (int, error) { return 7, failed })
	assert.Equal(t, 7, value)
	assert.Equal(t, failed, err)
	assert.PanicsWithError(t, "boom", func() {
		defer func() {
			got := recover().(error)
			assert.Contains(t, got.Error(), "TestWorkInTime", "the stack of the work")
			panic(errors.New(got.Error()[:4]))
		}()
		_, _ = inTime(t.Context(), func() (int, error) { panic("boom") })
	})
}
