package slots_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/slots"
)

func TestWhoComesWhenAllSlotsAreTakenWaitsAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := slots.New("walks", 2, time.Minute)
		first, err := s.Take(t.Context())
		require.NoError(t, err)
		_, err = s.Take(t.Context())
		require.NoError(t, err)

		begun := time.Now()
		_, err = s.Take(t.Context())
		assert.Equal(t, time.Minute, time.Since(begun))
		assert.Equal(t, fault.CodeLimitExceeded, fault.CodeOf(err))
		var refused *fault.Error
		require.True(t, errors.As(err, &refused))
		assert.Equal(t, http.StatusTooManyRequests, refused.Status)
		assert.Equal(t, "Too many walks at once. Try again in a moment.", refused.Message)

		ctx, leave := context.WithTimeout(t.Context(), time.Second)
		defer leave()
		_, err = s.Take(ctx)
		assert.ErrorIs(t, err, context.DeadlineExceeded)

		time.AfterFunc(time.Second, first)
		release, err := s.Take(t.Context())
		require.NoError(t, err, "one got free")
		release()
	})
}

// TestAFreeSlotIsTakenAtOnce: also by who would not wait.
func TestAFreeSlotIsTakenAtOnce(t *testing.T) {
	s := slots.New("walks", 1, 0)
	for range 100 {
		release, err := s.Take(t.Context())
		require.NoError(t, err)
		release()
	}
}
