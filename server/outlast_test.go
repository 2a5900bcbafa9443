package server

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/slots"
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
			response, err := answered(t, handler, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
			if extended {
				require.NoError(t, err)
				assert.Equal(t, http.StatusOK, response.StatusCode)
			}
			assert.Equal(t, !extended, err != nil || cancelled)
		})
	}
}

// answered sends a request to a server of a handler, on a connection in memory that ends with the test.
func answered(t *testing.T, handler http.Handler, request string) (*http.Response, error) {
	t.Helper()
	web, listener := NewHTTP(handler, slog.New(slog.DiscardHandler)), pipes{make(chan net.Conn), make(chan struct{})}
	go func() { _ = web.Serve(listener) }()
	client, server := net.Pipe()
	t.Cleanup(func() {
		_ = client.Close()
		require.NoError(t, web.Close())
	})
	listener.conns <- server
	_, err := io.WriteString(client, request)
	require.NoError(t, err)
	return http.ReadResponse(bufio.NewReader(client), nil)
}

// slowPages are two pages of an impact, the second of which takes longer than a connection has.
func slowPages(after time.Duration) http.Handler {
	pages := 0
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if pages++; pages > 1 {
			time.Sleep(after)
		}
		_, _ = fmt.Fprintf(w, `{"data":{"impact":{"pageInfo":{"hasNextPage":%t,"endCursor":"c"},"edges":[{"degree":%d}]}}}`, pages == 1, pages)
	})
}

// TestALongDownloadOutlastsTheConnection: what is listed is written, as long as that takes.
func TestALongDownloadOutlastsTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := export{executor: slowPages(exportTime - time.Second), allowed: true, slots: slots.New("downloads", 1, 0), format: csvFormat()}
		response, err := answered(t, file, "GET /?node=x HTTP/1.1\r\nHost: x\r\n\r\n")
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		assert.Equal(t, 3, strings.Count(string(body), "\n"), "a head and two rows: %s", body)
	})
}

// TestHeavyWorkWaitsForItsTurn: beyond its slots, a request is told to come again.
func TestHeavyWorkWaitsForItsTurn(t *testing.T) {
	full := slots.New("of them", 1, time.Millisecond)
	_, err := full.Take(t.Context())
	require.NoError(t, err)
	for name, h := range map[string]http.HandlerFunc{
		"uploads":   func(w http.ResponseWriter, r *http.Request) { upload{slots: full}.Do(w, r, nil) },
		"downloads": export{allowed: true, slots: full}.ServeHTTP,
	} {
		t.Run(name, func(t *testing.T) {
			recorder := httptest.NewRecorder()
			h(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/?node=x", http.NoBody))
			assert.Equal(t, http.StatusTooManyRequests, recorder.Code)
			assert.Contains(t, recorder.Body.String(), "Try again in a moment.")
		})
	}
}
