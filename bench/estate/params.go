// Package estate makes the large estate that the benchmarks run on: assets in ten layers that feed each
// other, their columns, suites with checks, runs and the verdicts that follow, people, teams and shares.
// The same parameters make the same estate, to the id. It is written straight through the driver, in
// batches, with the labels, properties and relationships of package graph, so that the gateway reads it
// as its own; its tests hold it to that.
package estate

import (
	"fmt"
	"math/rand/v2"

	"github.com/strata-gateway/strata/graph"
)

// Params say which estate to make: equal ones make equal estates, to the id.
type Params struct {
	// Workspace is where it is made: a name that graph.ValidWorkspace accepts.
	Workspace string `json:"workspace"`
	// Seed is where the randomness starts.
	Seed uint64 `json:"seed"`
	// Assets is how many there are, at least MinAssets and a multiple of 20; all other numbers follow.
	Assets int `json:"assets"`
}

// MinAssets is the smallest estate: below it a layer has no room for its hubs.
const MinAssets = 400

// The numbers that follow from the number of assets.
const (
	layers         = 10
	edgesPerAsset  = 3
	columnsMean    = 10
	assetsPerSuite = 20
	datasources    = 12
)

// Full is the estate that the design's goals are stated for: 100,000 assets, 300,000 edges, 1,000,000
// columns, 5,000 suites.
func Full(workspace string) Params { return Params{Workspace: workspace, Seed: 1, Assets: 100_000} }

// Small is a tenth of Full. A neighbourhood in it is as large as in Full.
func Small(workspace string) Params { return Params{Workspace: workspace, Seed: 1, Assets: 10_000} }

// Validate says what is wrong with the parameters.
func (p Params) Validate() error {
	switch {
	case !graph.ValidWorkspace(p.Workspace):
		return fmt.Errorf("estate: %q is no name of a workspace", p.Workspace)
	case p.Assets < MinAssets || p.Assets%assetsPerSuite != 0:
		return fmt.Errorf("estate: %d assets: give at least %d, and a multiple of %d", p.Assets, MinAssets, assetsPerSuite)
	}
	return nil
}

// width is how many assets a layer has.
func (p Params) width() int { return p.Assets / layers }

// The streams of randomness, one for each part, so that a change to one part leaves the others as they
// are.
const (
	streamEdges = iota + 1
	streamColumns
	streamSuites
	streamStarts
)

func (p Params) random(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(p.Seed, stream)) }

// id is the id of the n-th object of a kind.
func (p Params) id(kind graph.Kind, n int) string {
	return graph.DerivedID(kind, p.Workspace, fmt.Sprint(p.Seed), fmt.Sprint(n))
}
