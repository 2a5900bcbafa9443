package dbt

import (
	"fmt"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/ingest"
)

// Bounds of what one thing may say, in bytes but for the counts.
const (
	maxName        = 200
	maxRelation    = 1000
	maxDescription = 20_000
	maxTag         = 100
	maxTags        = 50
	maxOwners      = 20
	maxColumns     = 10_000
	maxURL         = 2000
	maxConfig      = 8 << 10
	maxMessage     = 2000
)

// builder makes a change set of the decoded artifacts.
type builder struct {
	manifest *manifest
	catalog  *catalog
	// assetOf is the asset of each relation, by the id of any of its nodes, and at its place in assets.
	assetOf map[string]string
	at      map[string]int
	// suiteAt is the place in suites of an asset's suite, and testAt of a test's check in them.
	suiteAt map[string]int
	testAt  map[string]testPlace

	assets    []ingest.Asset
	externals []graph.IngestExternal
	edges     []graph.IngestEdge
	suites    []graph.IngestSuite
	warnings  []string
	// dangling are the ids that were reported as missing.
	dangling map[string]bool
}

// testPlace is where a test went: the suite and the check in it.
type testPlace struct{ suite, check int }

func newBuilder(m *manifest, c *catalog) *builder {
	return &builder{
		manifest: m, catalog: c, assetOf: map[string]string{}, at: map[string]int{}, suiteAt: map[string]int{},
		testAt: map[string]testPlace{}, dangling: map[string]bool{},
	}
}

func (b *builder) warn(format string, args ...any) {
	b.warnings = append(b.warnings, fmt.Sprintf(format, args...))
}

// missing reports an id that a node names and the manifest does not hold, once.
func (b *builder) missing(by, id string) {
	if b.dangling[id] {
		return
	}
	b.dangling[id] = true
	why := "which the manifest does not hold"
	if b.manifest.disabled[id] {
		why = "which is disabled"
	}
	b.warn("%s names %s, %s: that connection was left out", by, id, why)
}
