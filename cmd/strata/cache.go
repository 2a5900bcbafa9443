package main

import (
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/strata-gateway/strata/cache"
	"github.com/strata-gateway/strata/graph"
)

// newCache makes what is kept of a store, nil if nothing is. All replicas of a store share the secret.
func newCache(store *graph.Store, secret []byte, o serveOptions, metrics prometheus.Registerer, log *slog.Logger) (*cache.Cache, error) {
	if o.cacheMB == 0 {
		return nil, nil
	}
	return cache.New(cache.Config{
		Epochs: store, Bytes: uint64(o.cacheMB) << 20, Redis: o.redis, RedisUser: o.redisUser, RedisPassword: o.redisPassword,
		Secret: secret, Build: describeVersion(), Metrics: metrics, Log: log,
	})
}
