package server_test

import (
	"bufio"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/internal/testkit"
)

func TestHeadersAreBounded(t *testing.T) {
	g := testkit.NewGateway(t, testkit.NewWorld(t))
	conn, err := net.Dial("tcp", strings.TrimPrefix(g.URL, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	go func() {
		// The server stops to read in the middle and closes: then the rest cannot be written.
		_, _ = conn.Write([]byte("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: " + strings.Repeat("x", 1<<20) + "\r\n\r\n"))
	}()
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer response.Body.Close()
	assert.Equal(t, http.StatusRequestHeaderFieldsTooLarge, response.StatusCode)
}

func TestHealthNeedsNoToken(t *testing.T) {
	g := testkit.NewGateway(t, testkit.NewWorld(t))
	for path, says := range map[string]string{"/healthz": "ok\n", "/readyz": "ready\n"} {
		response, err := http.Get(g.URL + path)
		require.NoError(t, err)
		assert.Equal(t, http.StatusOK, response.StatusCode)
		assert.Equal(t, "no-store", response.Header.Get("Cache-Control"))
		assert.Equal(t, says, text(t, response))
	}
	response, err := http.Post(g.URL+"/healthz", "text/plain", nil)
	require.NoError(t, err)
	assert.NotEqual(t, http.StatusOK, response.StatusCode)
	assert.NotEmpty(t, text(t, response))
}
