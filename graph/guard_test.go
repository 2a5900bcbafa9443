package graph

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/internal/teststack"
)

// hanging stands between a store and the test server, and can stop to pass anything on without closing.
type hanging struct {
	listener net.Listener
	pass     sync.RWMutex // held for writing while it hangs
}

func newHanging(t *testing.T, uri string) *hanging {
	u, err := url.Parse(uri)
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	h := &hanging{listener: listener}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", u.Host)
			if err != nil {
				_ = client.Close()
				continue
			}
			go h.copy(client, server)
			go h.copy(server, client)
		}
	}()
	t.Cleanup(func() { _ = listener.Close() })
	return h
}

func (h *hanging) copy(to, from net.Conn) {
	defer func() { _ = to.Close() }()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		h.pass.RLock()
		if n > 0 {
			_, _ = to.Write(buffer[:n])
		}
		h.pass.RUnlock()
		if err != nil {
			return
		}
	}
}

func TestAStoreThatHangsHoldsNobody(t *testing.T) {
	uri, user, password := teststack.Neo4j(t)
	change := func(ctx context.Context, s *Store, before func()) error {
		return s.write(ctx, Actor{}, func(t *tx) error {
			before()
			_, err := t.runUnscoped(`RETURN 1`, nil)
			return err
		})
	}
	for name, ask := range map[string]func(ctx context.Context, s *Store, hang func()) error{
		"a statement": func(ctx context.Context, s *Store, hang func()) error {
			hang()
			return s.Ready(ctx)
		},
		"a transaction": func(ctx context.Context, s *Store, hang func()) error {
			hang()
			return change(ctx, s, func() {})
		},
		"within a transaction": change,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHanging(t, uri)
			s, err := Open(t.Context(), Config{URI: "bolt://" + h.listener.Addr().String(), User: user, Password: password})
			require.NoError(t, err)
			t.Cleanup(func() { _ = s.Close(context.WithoutCancel(t.Context())) })
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			err = ask(ctx, s, h.pass.Lock) // that it returns is what is tested: nothing else ends it
			h.pass.Unlock()
			assert.Equal(t, fault.CodeTimeout, fault.CodeOf(err), "%v", err)
			require.NoError(t, s.Ready(t.Context()), "it goes on with other connections")
		})
	}
}

// endless takes the server hours.
const endless = `UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b WITH a, b WHERE a + b < 0 RETURN count(*)`

func TestWhatNobodyWaitsForEndsOnTheServer(t *testing.T) {
	s := openForPlans(t)
	s.timeout = 10 * time.Minute
	running := func(mark string) bool {
		rows, err := s.readUnscoped(t.Context(), `SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS $mark AND NOT currentQuery CONTAINS 'SHOW' RETURN count(*)`, map[string]any{"mark": mark})
		require.NoError(t, err)
		return integer(rows[0][0]) > 0
	}
	for name, ask := range map[string]func(ctx context.Context, statement string) error{
		"statement": func(ctx context.Context, statement string) error {
			_, err := s.readUnscoped(ctx, statement, nil)
			return err
		},
		"transaction": func(ctx context.Context, statement string) error {
			return s.write(ctx, Actor{}, func(t *tx) error {
				_, err := t.runUnscoped(statement, nil)
				return err
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			mark := RandomIDs{}.New(KindAudit)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			failed := make(chan error, 1)
			go func() { failed <- ask(ctx, "/* "+mark+" */ "+endless) }()
			require.Eventually(t, func() bool { return running(mark) }, time.Minute, 10*time.Millisecond)
			cancel()
			require.ErrorIs(t, <-failed, context.Canceled)
			require.Eventually(t, func() bool { return !running(mark) }, time.Minute, 10*time.Millisecond)
		})
	}
}

func TestDriverDialsByTheStore(t *testing.T) {
	s := openForPlans(t)
	require.NoError(t, s.Ready(t.Context()))
	s.wires.mu.Lock()
	defer s.wires.mu.Unlock()
	assert.NotEmpty(t, s.wires.open)
}

func TestOnlySilentConnectionsAreBroken(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	all := newWires("bolt://x")
	waiting, err := all.dial(t.Context(), listener.Addr().String())
	require.NoError(t, err)
	idle, err := all.dial(t.Context(), listener.Addr().String())
	require.NoError(t, err)
	read := make(chan error, 1)
	go func() {
		_, err := waiting.Read(make([]byte, 1))
		read <- err
	}()
	require.Eventually(t, func() bool { return waiting.(*wire).since.Load() != 0 }, time.Minute, time.Millisecond)
	all.breakSilent(time.Hour)
	assert.Len(t, read, 0)
	all.breakSilent(0)
	require.ErrorIs(t, <-read, net.ErrClosed)
	_, err = idle.Write([]byte{1})
	require.NoError(t, err, "nobody waits for it")
	require.NoError(t, idle.Close())
	assert.True(t, errors.Is(waiting.Close(), net.ErrClosed))
	assert.Empty(t, all.open)
	_, err = all.dial(t.Context(), "127.0.0.1:0")
	require.Error(t, err)
	assert.NotErrorIs(t, err, io.EOF)
}
