package authz

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/strata-gateway/strata/graph"
)

// reads gathers what a request read by virtue of its caller being a workspace admin alone.
type reads struct {
	mu   sync.Mutex
	runs map[string]map[string]bool // ids of runs by the id of their suite
}

type readsKey struct{}

var errUnrecorded = errors.New("an admin's read that nothing would record")

// WithReads returns a context in which reads of data are gathered, to be recorded before it is answered.
func WithReads(ctx context.Context) context.Context {
	return context.WithValue(ctx, readsKey{}, &reads{runs: map[string]map[string]bool{}})
}

// NoteRead notes that the caller was given the results of a run, if nothing but being a workspace admin
// let them. Errors: an internal one if nothing gathers such reads, so that none goes unrecorded.
//
// SECURITY: TestReadsByVirtueOfBeingAdminAreNoted.
func NoteRead(ctx context.Context, suite graph.SuiteFacts, run string) error {
	c, err := CallerFrom(ctx)
	if err != nil {
		return err
	}
	if !OnSuite(c, suite, SuiteView, "run").AdminOverride {
		return nil
	}
	r, ok := ctx.Value(readsKey{}).(*reads)
	if !ok {
		return errUnrecorded
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.runs[suite.ID] == nil {
		r.runs[suite.ID] = map[string]bool{}
	}
	r.runs[suite.ID][run] = true
	return nil
}

// ReadsFrom are the reads noted so far, by suite, each with its runs in order.
func ReadsFrom(ctx context.Context) []graph.DataRead {
	r, ok := ctx.Value(readsKey{}).(*reads)
	if !ok {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]graph.DataRead, 0, len(r.runs))
	for _, suite := range slices.Sorted(maps.Keys(r.runs)) {
		out = append(out, graph.DataRead{Suite: suite, Runs: slices.Sorted(maps.Keys(r.runs[suite]))})
	}
	return out
}
