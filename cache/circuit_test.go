package cache

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestTheCircuitLeavesAloneWhatFails(t *testing.T) {
	now, told := time.Unix(0, 0), []bool{}
	c := &circuit{now: func() time.Time { return now }, changed: func(cause error) { told = append(told, cause == nil) }}
	allows := func() bool { ok, _ := c.allows(); return ok }
	down := errors.New("down")

	assert.True(t, allows())
	for range 10 { // side by side
		c.saw(down, false)
	}
	assert.False(t, allows())
	for _, pause := range []time.Duration{1, 2, 4, 8, 16, 30, 30} {
		now = now.Add(pause * time.Second)
		assert.False(t, allows(), "not yet after %d s", pause)
		now = now.Add(time.Millisecond)
		ok, trying := c.allows()
		assert.True(t, ok && trying, "one tries after %d s", pause)
		assert.False(t, allows(), "one only")
		c.saw(down, true)
	}
	assert.Equal(t, []bool{false}, told, "said once")
	now = now.Add(time.Minute)
	_, trying := c.allows()
	c.saw(nil, trying)
	assert.True(t, allows())
	assert.True(t, allows())
	assert.Equal(t, []bool{false, true}, told)
}
