package server

import (
	"log/slog"
	"net/http"
	"time"
)

// Served is what is known of a request once it has been answered. It holds nothing that a caller sent
// but the operation's name: no variables, no tokens, no rows.
type Served struct {
	// ID is the request's id.
	ID string
	// Route is the pattern that the request was routed by, for example "/graphql".
	Route string
	// Operation is the name of the GraphQL operation, "" if it has none.
	Operation string
	// Status is that of the HTTP answer.
	Status int
	// Duration is from when the header was read to when the answer was written.
	Duration time.Duration
	// Statements is how many Cypher statements it took.
	Statements int
}

// observed gives each request an id, which the answer repeats, and tells the log of it in the end.
func observed(d Deps, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		r, this := begin(r)
		w.Header().Set(requestIDHeader, this.id)
		answer := &answer{ResponseWriter: w, status: http.StatusOK}
		defer func() {
			d.served(r, Served{
				ID: this.id, Route: r.Pattern, Operation: this.operation, Status: answer.status,
				Duration: time.Since(start), Statements: this.session.Statements(),
			})
		}()
		next.ServeHTTP(answer, r)
	})
}

func (d Deps) served(r *http.Request, s Served) {
	level := slog.LevelInfo
	if s.Route != "/graphql" {
		level = slog.LevelDebug // probes ask every few seconds
	}
	d.Log.LogAttrs(r.Context(), level, "served",
		slog.String("request", s.ID), slog.String("route", s.Route), slog.String("operation", s.Operation),
		slog.Int("status", s.Status), slog.Duration("took", s.Duration), slog.Int("statements", s.Statements))
	if d.Served != nil {
		d.Served(s)
	}
}

// answer is a ResponseWriter that remembers the status.
type answer struct {
	http.ResponseWriter
	status int
	wrote  bool
}

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if !a.wrote {
		a.status, a.wrote = status, true
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (a *answer) Write(b []byte) (int, error) {
	a.wrote = true
	return a.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
