package server

import (
	"context"
	"net/http"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/server/transport"
)

// probeTime is how long a probe of the store may take before it counts as no answer.
const probeTime = 2 * time.Second

// healthy answers /healthz: the process runs and serves.
func healthy(w http.ResponseWriter, _ *http.Request) { say(w, "ok\n") }

func say(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(text)) // the prober may be gone
}

// readiness answers /readyz: 200 while the store answers, 503 while it does not. Anyone may ask, so all
// who ask at once share one probe.
type readiness struct {
	probe  func(context.Context) error
	shared singleflight.Group
}

func newReadiness(probe func(context.Context) error) *readiness { return &readiness{probe: probe} }

// ServeHTTP implements http.Handler.
func (p *readiness) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), probeTime)
	defer cancel()
	outcome := p.shared.DoChan("store", func() (any, error) {
		// Not the asker's context: one who goes away must not fail those who wait with them.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), probeTime)
		defer cancel()
		return nil, p.probe(ctx)
	})
	var err error
	select {
	case o := <-outcome:
		err = o.Err
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		notReady(w, r, "The graph store does not answer. Try again in a moment.")
		return
	}
	say(w, "ready\n")
}

// notReady answers 503.
func notReady(w http.ResponseWriter, r *http.Request, why string) {
	w.Header().Set("Retry-After", "1")
	transport.WriteFault(w, r, fault.New(fault.CodeUnavailable, why))
}
