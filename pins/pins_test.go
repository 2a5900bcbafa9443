package pins_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
	"github.com/strata-gateway/strata/pins"
)

func TestPinsKeepResultsByKey(t *testing.T) {
	p := pins.New()
	_, ok := p.Get("a")
	assert.False(t, ok)
	p.Put("a", lineage.Result{All: []graph.Impacted{{ID: "x"}}, Beyond: true})
	p.Put("b", lineage.Result{})
	got, ok := p.Get("a")
	require.True(t, ok)
	assert.Equal(t, lineage.Result{All: []graph.Impacted{{ID: "x"}}, Beyond: true}, got)
	_, ok = p.Get("b")
	assert.True(t, ok, "nothing is a result too")
}

// How long, and how often, a test looks for what happens beside it.
const (
	patience  = 10 * time.Second
	pollEvery = 10 * time.Millisecond
)

func TestPinsAreBounded(t *testing.T) {
	p := pins.New()
	large := lineage.Result{All: make([]graph.Impacted, 100_000)}
	for i := range 40 {
		p.Put(fmt.Sprint(i), large)
	}
	require.Eventually(t, func() bool {
		n := 0
		for i := range 40 {
			if _, ok := p.Get(fmt.Sprint(i)); ok {
				n++
			}
		}
		return n <= 5
	}, patience, pollEvery)
}
