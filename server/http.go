package server

import (
	"log/slog"
	"net/http"
	"time"
)

// What a connection may take. The times bound clients that send or read one byte at a time; an upload and
// an answer fit many times over.
const (
	headerTime     = 10 * time.Second
	readTime       = 2 * time.Minute
	writeTime      = 3 * time.Minute
	idleTime       = 2 * time.Minute
	maxHeaderBytes = 64 << 10
)

// NewHTTP makes the http.Server that serves h, with the timeouts and bounds of a server that faces
// strangers. It does not listen.
func NewHTTP(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: idleTime,
		MaxHeaderBytes: maxHeaderBytes, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}
