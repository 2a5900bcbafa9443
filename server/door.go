package server

import (
	"net/http"
	"sync/atomic"
)

// Door is a handler that can be served before the gateway behind it is there: while migrations run and a
// demo loads, the process is healthy and not ready. The zero value is a closed door.
type Door struct {
	behind atomic.Pointer[http.Handler]
}

// Open lets requests through to h from now on.
func (d *Door) Open(h http.Handler) { d.behind.Store(&h) }

// ServeHTTP implements http.Handler.
func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h := d.behind.Load(); h != nil {
		(*h).ServeHTTP(w, r)
		return
	}
	if r.Method == http.MethodGet && r.URL.Path == "/healthz" {
		healthy(w, r)
		return
	}
	notReady(w, r, "The gateway is starting. Try again in a moment.")
}
