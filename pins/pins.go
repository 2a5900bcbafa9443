// Package pins keeps the ordered results that cursors are pinned to, for a while: later pages slice what the first
// one found, whatever changed since (docs/lineage.md, "Impact").
package pins

import (
	"context"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/strata-gateway/strata/lineage"
)

const (
	// idle is how long a result is kept that nobody pages through.
	idle = 10 * time.Minute
	// most is how much all results may take together, in bytes: about that of memory.
	most = 128 << 20
	// entries bounds how many there are: an empty one takes memory too.
	entries = 10_000
)

// Shared keeps results for all replicas, as long as it likes; what fails there is as if it kept nothing.
type Shared interface {
	Recall(ctx context.Context, area, name string, into any) bool
	Retain(ctx context.Context, area, name string, value any, size int)
}

// Pins keeps results by name. Those that were used the longest ago make room for new ones, so that a result can be
// paged through at once, whatever else is kept. It is safe for concurrent use.
type Pins struct {
	shared Shared
	now    func() time.Time

	mu      sync.Mutex
	results *simplelru.LRU[string, pin]
	size    int
}

type pin struct {
	result lineage.Result
	until  time.Time
}

// New makes pins that keep nothing yet, in this process and in shared, if that is not nil.
func New(shared Shared, now func() time.Time) *Pins {
	p := &Pins{shared: shared, now: now}
	p.results, _ = simplelru.NewLRU(entries, func(_ string, gone pin) { p.size -= gone.result.Bytes }) // a positive number: cannot fail
	return p
}

// area is where results are kept in Shared.
const area = "pins"

// Get returns a result, and whether it is still kept. It must not be changed.
func (p *Pins) Get(ctx context.Context, name string) (lineage.Result, bool) {
	if r, ok := p.here(name); ok {
		return r, true
	}
	var r lineage.Result
	if p.shared == nil || !p.shared.Recall(ctx, area, name, &r) {
		return lineage.Result{}, false
	}
	p.keep(name, r)
	return r, true
}

// Put keeps a result.
func (p *Pins) Put(ctx context.Context, name string, r lineage.Result) {
	if p.keep(name, r) && p.shared != nil {
		p.shared.Retain(ctx, area, name, r, r.Bytes)
	}
}

// here returns a result of this process, and keeps it longer.
func (p *Pins) here(name string) (lineage.Result, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	found, ok := p.results.Get(name)
	if !ok {
		return lineage.Result{}, false
	}
	if p.now().After(found.until) {
		p.results.Remove(name)
		return lineage.Result{}, false
	}
	p.results.Add(name, pin{result: found.result, until: p.now().Add(idle)})
	return found.result, true
}

// keep keeps a result in this process, and reports whether it is new there.
func (p *Pins) keep(name string, r lineage.Result) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.results.Contains(name)
	if !known {
		p.size += r.Bytes
	}
	p.results.Add(name, pin{result: r, until: p.now().Add(idle)})
	for p.size > most && p.results.Len() > 1 {
		p.results.RemoveOldest()
	}
	return !known
}
