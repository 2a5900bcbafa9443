package server

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/server/transport"
)

func TestUploadsAtOnceWaitForTheirTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUpload(transport.POST{}, 0, 0)
		for range uploadsAtOnce {
			require.NoError(t, u.acquire(t.Context()))
		}
		start := time.Now()
		got := make(chan error)
		go func() { got <- u.acquire(t.Context()) }()
		time.Sleep(uploadWait / 2)
		<-u.slots // one is done
		require.NoError(t, <-got, "who waited goes on")
		assert.Equal(t, uploadWait/2, time.Since(start))

		start = time.Now()
		refused := fault.Of(u.acquire(t.Context()))
		require.NotNil(t, refused)
		assert.Equal(t, fault.CodeLimitExceeded, refused.Code)
		assert.Equal(t, http.StatusTooManyRequests, refused.HTTPStatus())
		assert.Equal(t, "Too many uploads at once. Try again in a moment.", refused.Message)
		assert.Equal(t, uploadWait, time.Since(start))

		gone, leave := context.WithCancel(t.Context())
		leave()
		start = time.Now()
		require.Error(t, u.acquire(gone), "whose client left waits for nothing")
		assert.Zero(t, time.Since(start))
	})
}
