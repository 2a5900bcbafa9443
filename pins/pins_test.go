package pins_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
	"github.com/strata-gateway/strata/pins"
)

func TestPinsKeepResultsByName(t *testing.T) {
	now := time.Unix(0, 0)
	p := pins.New(nil, func() time.Time { return now })
	_, ok := p.Get(t.Context(), "a")
	assert.False(t, ok)
	p.Put(t.Context(), "a", lineage.Result{All: []graph.Impacted{{ID: "x"}}, Beyond: true})
	p.Put(t.Context(), "b", lineage.Result{})
	now = now.Add(9 * time.Minute)
	got, ok := p.Get(t.Context(), "a")
	require.True(t, ok)
	assert.Equal(t, lineage.Result{All: []graph.Impacted{{ID: "x"}}, Beyond: true}, got)
	now = now.Add(9 * time.Minute)
	_, ok = p.Get(t.Context(), "a")
	assert.True(t, ok, "as long as someone pages through it")
	_, ok = p.Get(t.Context(), "b")
	assert.False(t, ok, "nobody did through this one")
}

// TestTheNewestIsAlwaysKept: whatever else is, and however large it is, its next page can be asked for.
func TestTheNewestIsAlwaysKept(t *testing.T) {
	p := pins.New(nil, time.Now)
	for i := range 100 {
		name := fmt.Sprint(i)
		p.Put(t.Context(), name, lineage.Result{Bytes: 30 << 20})
		for range 5 { // one that is asked for often does not keep it out
			p.Get(t.Context(), "0")
		}
		_, ok := p.Get(t.Context(), name)
		require.True(t, ok, name)
	}
	kept := 0
	for i := range 100 {
		if _, ok := p.Get(t.Context(), fmt.Sprint(i)); ok {
			kept++
		}
	}
	assert.Equal(t, 4, kept, "128 MiB of them")
	p.Put(t.Context(), "huge", lineage.Result{Bytes: 1 << 30})
	_, ok := p.Get(t.Context(), "huge")
	assert.True(t, ok)
	p.Put(t.Context(), "after it", lineage.Result{Bytes: 1})
	_, ok = p.Get(t.Context(), "huge")
	assert.False(t, ok)
}

// between is what replicas share.
type between map[string]any

// Recall implements pins.Shared.
func (b between) Recall(_ context.Context, area, name string, into any) bool {
	r, ok := b[area+" "+name].(lineage.Result)
	if ok {
		*into.(*lineage.Result) = r
	}
	return ok
}

// Retain implements pins.Shared.
func (b between) Retain(_ context.Context, area, name string, value any, _ int) {
	b[area+" "+name] = value
}

func TestAnotherReplicaServesTheNextPage(t *testing.T) {
	shared := between{}
	one, other := pins.New(shared, time.Now), pins.New(shared, time.Now)
	one.Put(t.Context(), "a", lineage.Result{Version: "1"})
	got, ok := other.Get(t.Context(), "a")
	assert.True(t, ok)
	assert.Equal(t, "1", got.Version)
	clear(shared)
	_, ok = other.Get(t.Context(), "a")
	assert.True(t, ok, "it keeps what it got")
}
