package cache_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/cache"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
)

// How long, and how often, a test looks for what happens beside it.
const (
	patience  = 20 * time.Second
	pollEvery = 2 * time.Millisecond
)

// world is a workspace with someone who can change it, and a cache over its store.
type world struct {
	*testkit.World
	t       *testing.T
	member  testkit.Member
	cache   *cache.Cache
	metrics *prometheus.Registry
	named   int
}

func newWorld(t *testing.T, change ...func(*cache.Config)) *world {
	t.Helper()
	w := &world{World: testkit.NewWorld(t), t: t}
	w.member = w.Member(graph.RoleAdmin)
	w.cache, w.metrics = w.another(change...)
	return w
}

// another makes one more cache over the same store, as another replica has.
func (w *world) another(change ...func(*cache.Config)) (*cache.Cache, *prometheus.Registry) {
	w.t.Helper()
	metrics := prometheus.NewRegistry()
	config := cache.Config{
		Epochs: w.Store, Bytes: 1 << 20, Metrics: metrics, Secret: []byte("a secret that all replicas of a store share"),
		Build: w.Workspace, Log: slog.New(slog.DiscardHandler),
	}
	for _, c := range change {
		c(&config)
	}
	c, err := cache.New(config)
	require.NoError(w.t, err)
	w.t.Cleanup(func() { _ = c.Close() })
	return c, metrics
}

// key is one of the workspace as it is now.
func (w *world) key(inputs any) cache.Key {
	w.t.Helper()
	epochs, err := w.Store.Epochs(w.t.Context(), w.Workspace)
	require.NoError(w.t, err)
	return cache.Key{Audience: w.Caller(w.member).Audience, Epochs: epochs, Families: []graph.Family{graph.FamilyCatalog}, Inputs: inputs}
}

// change is a committed change that the family of the keys covers.
func (w *world) change() {
	w.named++
	w.Datasource(w.member, "datasource "+time.Duration(w.named).String(), "")
}

// count is a metric with these labels, in any order; 0 if there is none.
func count(t *testing.T, metrics *prometheus.Registry, name string, labels ...string) int {
	t.Helper()
	families, err := metrics.Gather()
	require.NoError(t, err)
	for _, f := range families {
		if f.GetName() != name {
			continue
		}
		for _, m := range f.GetMetric() {
			if hasAll(m.GetLabel(), labels) {
				return int(m.GetCounter().GetValue() + m.GetGauge().GetValue())
			}
		}
	}
	return 0
}

func hasAll(pairs []*dto.LabelPair, values []string) bool {
	has := map[string]bool{}
	for _, p := range pairs {
		has[p.GetValue()] = true
	}
	for _, v := range values {
		if !has[v] {
			return false
		}
	}
	return true
}

// settled waits until so many answers of the area are kept, moved or whatever else became of them.
func (w *world) settled(outcome string, n int) {
	w.t.Helper()
	settledIn(w.t, w.metrics, outcome, n)
}

func settledIn(t *testing.T, metrics *prometheus.Registry, outcome string, n int) {
	t.Helper()
	require.Eventually(t, func() bool { return count(t, metrics, "strata_cache_fills_total", outcome) == n }, patience, pollEvery, outcome)
}

func texts() cache.Area[string] {
	return cache.Area[string]{Name: "texts", Size: func(s string) int { return len(s) }}
}

// loader computes a text and counts how often.
type loader struct {
	text  string
	times atomic.Int32
}

func (l *loader) load(context.Context) (cache.Answer[string], error) {
	l.times.Add(1)
	return cache.Answer[string]{Value: l.text, Keep: true}, nil
}
