// Package pins keeps the ordered results that cursors are pinned to, for a while: later pages slice what the first
// one found, whatever changed since (docs/lineage.md, "Impact").
package pins

import (
	"time"

	"github.com/maypok86/otter/v2"

	"github.com/strata-gateway/strata/lineage"
)

const (
	// kept is how long a result is kept.
	kept = 10 * time.Minute
	// entries is how many entries are kept over all results: about 100 MB.
	entries = 500_000
)

// Pins keeps results by key. The key holds everything that the result depends on: whose class and workspace, at
// which versions, and every argument.
type Pins struct {
	results *otter.Cache[string, lineage.Result]
}

// New makes pins that keep nothing yet.
func New() *Pins {
	return &Pins{results: otter.Must(&otter.Options[string, lineage.Result]{
		MaximumWeight:    entries,
		Weigher:          func(_ string, v lineage.Result) uint32 { return uint32(len(v.All) + 1) },
		ExpiryCalculator: otter.ExpiryWriting[string, lineage.Result](kept),
	})}
}

// Get returns a result, and whether it is still kept. It must not be changed.
func (p *Pins) Get(key string) (lineage.Result, bool) { return p.results.GetIfPresent(key) }

// Put keeps a result.
func (p *Pins) Put(key string, r lineage.Result) { p.results.Set(key, r) }
