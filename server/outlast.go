package server

import (
	"errors"
	"net/http"
	"time"
)

// outlast lets the connection outlive work that takes long, an ingest or a download: a server's times for reading and
// writing run from the request's start, and its end would cancel the work.
func outlast(w http.ResponseWriter, d time.Duration) error {
	connection, until := http.NewResponseController(w), time.Now().Add(d)
	return errors.Join(connection.SetReadDeadline(until), connection.SetWriteDeadline(until))
}
