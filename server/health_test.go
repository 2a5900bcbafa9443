package server

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func ask(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

func TestReadinessFollowsTheStore(t *testing.T) {
	var failing atomic.Bool
	r := newReadiness(func(context.Context) error {
		if failing.Load() {
			return errors.New("dial tcp 10.0.0.7:7687: connection refused")
		}
		return nil
	})
	for _, down := range []bool{false, true, false} {
		failing.Store(down)
		w := ask(r, "/readyz")
		if !down {
			assert.Equal(t, http.StatusOK, w.Code)
			continue
		}
		assert.Equal(t, http.StatusServiceUnavailable, w.Code)
		assert.Equal(t, "1", w.Header().Get("Retry-After"))
		assert.Contains(t, w.Body.String(), `"code":"UNAVAILABLE"`)
		assert.NotContains(t, w.Body.String(), "10.0.0.7")
	}
}

func TestReadinessDoesNotWaitForAStoreThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var probes atomic.Int32
		r := newReadiness(func(context.Context) error {
			probes.Add(1)
			<-release
			return nil
		})
		start := time.Now()
		var asked sync.WaitGroup
		for range 50 {
			asked.Go(func() { assert.Equal(t, http.StatusServiceUnavailable, ask(r, "/readyz").Code) })
		}
		asked.Wait()
		assert.Equal(t, probeTime, time.Since(start))
		assert.EqualValues(t, 1, probes.Load(), "those who ask at once share a probe")
		close(release)
	})
}

func TestDoorIsHealthyAndNotReadyUntilItOpens(t *testing.T) {
	door := new(Door)
	assert.Equal(t, http.StatusOK, ask(door, "/healthz").Code)
	for _, path := range []string{"/readyz", "/graphql", "/"} {
		w := ask(door, path)
		assert.Equal(t, http.StatusServiceUnavailable, w.Code, path)
		assert.Contains(t, w.Body.String(), "starting")
	}
	door.Open(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	assert.Equal(t, http.StatusTeapot, ask(door, "/graphql").Code)
}
