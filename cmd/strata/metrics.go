package main

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metricsTime bounds the reading of a request for metrics.
const metricsTime = 5 * time.Second

// newMetrics are those of the process; its parts add theirs.
func newMetrics() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// serveMetrics serves /metrics on an address of its own, so that it is not where clients are, and returns what stops
// it; nothing for "". Errors say what to do.
func serveMetrics(address string, metrics prometheus.Gatherer, log *slog.Logger) (stop func() error, err error) {
	if address == "" {
		return func() error { return nil }, nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen: %w; choose another address by --metrics-listen", err)
	}
	if !staysHere(listener.Addr()) {
		log.Warn("metrics are served beyond this machine, without a token", "address", listener.Addr().String())
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
	web := &http.Server{Handler: mux, ReadHeaderTimeout: metricsTime, ReadTimeout: metricsTime}
	go func() { _ = web.Serve(listener) }() // ends when it is closed
	log.Info("metrics are served", "url", baseURL(listener.Addr())+"/metrics")
	return web.Close, nil
}
