// Package server is the gateway's HTTP face. A request gets an id, its token is verified, one round trip
// finds out who asks and which versions of the workspace hold, and the executor answers; what may be seen
// is decided below, by authz. Around that stand the transports and their limits, health and readiness, a
// log line for each request, and the http.Server with its timeouts.
package server

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/cache"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
	"github.com/strata-gateway/strata/pins"
	"github.com/strata-gateway/strata/server/authn"
	"github.com/strata-gateway/strata/server/limits"
	"github.com/strata-gateway/strata/server/transport"
	"github.com/strata-gateway/strata/slots"
)

// DefaultRequestTime is how long an operation may take from the moment it was read.
const DefaultRequestTime = 30 * time.Second

// DefaultIngestTime is how long an operation may take that ingests artifacts: it writes as much as its files
// hold.
const DefaultIngestTime = 10 * time.Minute

// Deps are what a gateway is made of.
type Deps struct {
	// Store, migrated.
	Store *graph.Store
	// Verifier of bearer tokens.
	Verifier authn.Verifier
	// Policy decides who a caller is.
	Policy *authz.Policy
	// Enrolment says who becomes a member by signing in. Its zero value: nobody.
	Enrolment authz.Enrolment
	// CursorKey authenticates cursors, at least 32 bytes. All replicas share it.
	CursorKey []byte
	// Budgets bound every walk of the graph.
	Budgets lineage.Budgets
	// Cache keeps answers that are the same for everyone of an audience; nil: none are kept.
	Cache *cache.Cache
	// Pins keep the results that cursors are pinned to; nil: in this process.
	Pins lineage.Pins
	// NoExports turns downloads off.
	NoExports bool
	// Limits bound every operation.
	Limits limits.Config
	// Introspection lets members read the schema.
	Introspection bool
	// RequestTime bounds an operation. 0 is DefaultRequestTime.
	RequestTime time.Duration
	// IngestTime bounds an operation that ingests artifacts, and nothing else. 0 is DefaultIngestTime.
	IngestTime time.Duration
	// Log gets a line for each request, and what failed. Nil is slog.Default.
	Log *slog.Logger
	// Served, if set, is told of each request when it has been answered: what the log says of it.
	Served func(Served)
}

// minCursorKey is the least length of a key in bytes: that of its hash.
const minCursorKey = 32

func (d Deps) withDefaults() (Deps, error) {
	switch {
	case d.Store == nil, d.Verifier == nil, d.Policy == nil:
		return d, errors.New("server: Store, Verifier and Policy must be set")
	case len(d.CursorKey) < minCursorKey:
		return d, errors.New("server: the cursor key is shorter than 32 bytes")
	}
	if d.RequestTime == 0 {
		d.RequestTime = DefaultRequestTime
	}
	if d.IngestTime == 0 {
		d.IngestTime = DefaultIngestTime
	}
	if d.Log == nil {
		d.Log = slog.Default()
	}
	return d, nil
}

// New makes the handler of a gateway: /graphql, /export/…, /healthz and /readyz. It refuses limits that are not
// valid and a schema that could leak.
func New(d Deps) (http.Handler, error) {
	d, err := d.withDefaults()
	if err != nil {
		return nil, err
	}
	executor, err := newExecutor(d)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/graphql", uncached(authn.Middleware(d.Verifier, refuse(d.Log))(executor)))
	exports := slots.New("downloads", exportsAtOnce, exportWait)
	for _, f := range []format{csvFormat(), ndjsonFormat()} {
		file := export{executor: executor, allowed: !d.NoExports, slots: exports, format: f}
		mux.Handle("GET /export/impact."+f.extension, uncached(authn.Middleware(d.Verifier, refuse(d.Log))(file)))
	}
	mux.HandleFunc("GET /healthz", healthy)
	mux.Handle("GET /readyz", newReadiness(d.Store.Ready))
	mux.HandleFunc("/", nothingHere)
	return observed(d, recovered(d.Log, nosniff(mux))), nil
}

// refuse answers a request without a good token. The cause is for the log.
func refuse(log *slog.Logger) func(http.ResponseWriter, *http.Request, error) {
	return func(w http.ResponseWriter, r *http.Request, err error) {
		level := slog.LevelDebug
		if fault.CodeOf(err) != fault.CodeUnauthenticated {
			level = slog.LevelWarn
		}
		log.LogAttrs(r.Context(), level, "token refused",
			slog.String("request", RequestID(r.Context())), slog.String("error", err.Error()))
		transport.WriteFault(w, r, err)
	}
}

func nothingHere(w http.ResponseWriter, r *http.Request) {
	transport.WriteFault(w, r, fault.New(fault.CodeNotFound, "There is nothing here. Send queries to /graphql."))
}

// nosniff keeps browsers from taking an answer for what it is not.
func nosniff(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		next.ServeHTTP(w, r)
	})
}

// uncached keeps answers that are one caller's own out of every cache on the way.
func uncached(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// pins are where results are kept.
func (d Deps) pins() lineage.Pins {
	if d.Pins != nil {
		return d.Pins
	}
	if d.Cache == nil {
		return pins.New(nil, time.Now)
	}
	return pins.New(d.Cache, time.Now)
}
