package cache

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
)

// How an answer was found.
const (
	outcomeHit    = "hit"
	outcomeShared = "redis"
	outcomeJoined = "joined"
	outcomeMiss   = "miss"
)

// What became of a computed answer.
const (
	fillKept      = "kept"
	fillMoved     = "moved"
	fillUnchecked = "unchecked"
	fillWithheld  = "withheld"
)

// metrics count what the cache does. They tell nothing of whose answers, and of what.
type metrics struct {
	requests, fills, redis *prometheus.CounterVec
	open                   prometheus.Gauge
}

func newMetrics(to prometheus.Registerer) (*metrics, error) {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "strata_cache_requests_total", Help: "Answers that were asked of the cache: a hit in this process, found in redis, joined to who asked first, or a miss.",
		}, []string{"area", "outcome"}),
		fills: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "strata_cache_fills_total", Help: "Computed answers: kept, moved (a change came in between), unchecked (the store did not answer), withheld (cut by the clock, or nothing).",
		}, []string{"area", "outcome"}),
		redis: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "strata_cache_redis_total", Help: "Requests to Redis: ok, absent, failed, or skipped because it failed before.",
		}, []string{"operation", "outcome"}),
		open: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "strata_cache_redis_open", Help: "1 while Redis is left alone because it failed.",
		}),
	}
	if to == nil {
		return m, nil
	}
	return m, errors.Join(to.Register(m.requests), to.Register(m.fills), to.Register(m.redis), to.Register(m.open))
}

func (m *metrics) asked(area, outcome string)  { m.requests.WithLabelValues(area, outcome).Inc() }
func (m *metrics) filled(area, outcome string) { m.fills.WithLabelValues(area, outcome).Inc() }
func (m *metrics) redised(op, outcome string)  { m.redis.WithLabelValues(op, outcome).Inc() }
