package server

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pipes is a listener whose connections are made in memory.
type pipes struct {
	conns chan net.Conn
	ended chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.ended:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error {
	close(p.ended)
	return nil
}

func (pipes) Addr() net.Addr { return &net.TCPAddr{} }

// TestALongIngestOutlastsTheConnection: an ingest takes minutes, and the connection's own times would end it.
func TestALongIngestOutlastsTheConnection(t *testing.T) {
	for _, extended := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			var cancelled bool
			handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, err := io.ReadAll(r.Body)
				assert.NoError(t, err)
				if extended {
					assert.NoError(t, outlast(&answer{ResponseWriter: w}, DefaultIngestTime))
				}
				select {
				case <-time.After(DefaultIngestTime - time.Second):
				case <-r.Context().Done():
					cancelled = true
				}
				_, _ = io.WriteString(w, "done")
			})
			web, listener := NewHTTP(handler, slog.New(slog.DiscardHandler)), pipes{make(chan net.Conn), make(chan struct{})}
			go func() { _ = web.Serve(listener) }()
			client, server := net.Pipe()
			listener.conns <- server
			_, err := io.WriteString(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
			require.NoError(t, err)
			response, err := http.ReadResponse(bufio.NewReader(client), nil)
			if extended {
				require.NoError(t, err)
				assert.Equal(t, http.StatusOK, response.StatusCode)
			}
			assert.Equal(t, !extended, err != nil || cancelled)
			_ = client.Close()
			require.NoError(t, web.Close())
		})
	}
}
