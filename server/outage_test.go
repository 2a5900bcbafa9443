package server_test

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
	"github.com/strata-gateway/strata/internal/teststack"
)

// relay stands between a gateway and the test server and can be cut.
type relay struct {
	listener net.Listener
	target   string

	mu    sync.Mutex
	cut   bool
	conns []net.Conn
}

// newRelay starts a relay to a Bolt address until the test ends.
func newRelay(t *testing.T, uri string) *relay {
	t.Helper()
	u, err := url.Parse(uri)
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	r := &relay{listener: listener, target: u.Host}
	go r.accept()
	t.Cleanup(func() {
		_ = listener.Close() // accept ends
		r.set(true)
	})
	return r
}

func (r *relay) accept() {
	for {
		client, err := r.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", r.target)
		if err != nil || !r.keep(client, server) {
			_ = client.Close()
			continue
		}
		for from, to := range map[net.Conn]net.Conn{client: server, server: client} {
			go func() {
				_, _ = io.Copy(to, from) // until either end is closed
				_ = to.Close()
			}()
		}
	}
}

// keep remembers connections for when the relay is cut; false if it is.
func (r *relay) keep(conns ...net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cut {
		for _, c := range conns {
			_ = c.Close()
		}
		return false
	}
	r.conns = append(r.conns, conns...)
	return true
}

// set cuts the relay, so that every connection breaks and new ones too, or mends it.
func (r *relay) set(cut bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cut = cut
	for _, c := range r.conns {
		_ = c.Close()
	}
	r.conns = nil
}

func TestStoreThatGoesAwayAndComesBack(t *testing.T) {
	uri, _, _ := teststack.Neo4j(t)
	r := newRelay(t, uri)
	t.Setenv("STRATA_TEST_NEO4J_URI", "bolt://"+r.listener.Addr().String())
	w := testkit.NewWorld(t)
	g := testkit.NewGateway(t, w)
	as := g.As(w.Member(graph.RoleMember).Email)
	ready := func() int {
		response, err := http.Get(g.URL + "/readyz")
		require.NoError(t, err)
		assert.NotEmpty(t, text(t, response))
		return response.StatusCode
	}
	as.Query(t.Context(), who, nil, nil).RequireNoErrors(t)
	require.Equal(t, http.StatusOK, ready())
	for range 2 {
		r.set(true)
		start := time.Now()
		answer := as.Query(t.Context(), who, nil, nil)
		answer.AssertCode(t, "UNAVAILABLE")
		assert.NotContains(t, answer.Errors[0].Message, "127.0.0.1")
		assert.Less(t, time.Since(start), time.Minute)
		assert.Equal(t, http.StatusServiceUnavailable, ready())

		r.set(false)
		require.Eventually(t, func() bool { return ready() == http.StatusOK }, time.Minute, 20*time.Millisecond)
		as.Query(t.Context(), who, nil, nil).RequireNoErrors(t)
	}
}
