package neo4jd

import (
	"context"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ask runs one statement and returns the first column.
func ask(t *testing.T, uri, password, cypher string) ([]any, error) {
	t.Helper()
	ctx := context.Background()
	driver, err := neo4j.NewDriverWithContext(uri, neo4j.BasicAuth(user, password, ""))
	require.NoError(t, err)
	defer driver.Close(ctx)
	result, err := neo4j.ExecuteQuery(ctx, driver, cypher, nil, neo4j.EagerResultTransformer)
	if err != nil {
		return nil, err
	}
	var column []any
	for _, record := range result.Records {
		column = append(column, record.Values[0])
	}
	return column, nil
}

func TestRunningServer(t *testing.T) {
	s := start(t, config(t))
	t.Run("asks for its password", func(t *testing.T) { testPassword(t, s) })
	t.Run("listens on loopback only", func(t *testing.T) { testLoopback(t, s) })
	t.Run("Cypher reaches neither files nor network", func(t *testing.T) { testNoLoading(t, s) })
	t.Run("has a process group of its own", func(t *testing.T) { testGroup(t, s) })
	t.Run("tells of an end that nobody asked for", func(t *testing.T) { testUnaskedEnd(t, s) })
}

func testPassword(t *testing.T, s *Server) {
	assert.Equal(t, "neo4j", s.User())
	got, err := ask(t, s.URI(), s.Password(), "RETURN 1")
	require.NoError(t, err)
	assert.Equal(t, []any{int64(1)}, got)

	for _, wrong := range []string{"neo4j", "", strings.Repeat("0", len(s.Password()))} {
		_, err = ask(t, s.URI(), wrong, "RETURN 1")
		var refused *neo4j.Neo4jError
		require.ErrorAs(t, err, &refused)
		assert.Equal(t, "Neo.ClientError.Security.Unauthorized", refused.Code)
	}
	_, err = ask(t, s.URI(), s.Password(), "RETURN 1")
	assert.NoError(t, err, "failed tries of others must not lock the gateway out")
}

func testLoopback(t *testing.T, s *Server) {
	_, port, err := net.SplitHostPort(strings.TrimPrefix(s.URI(), "bolt://"))
	require.NoError(t, err)
	addresses, err := net.InterfaceAddrs()
	require.NoError(t, err)
	// 127.0.0.1 alone: the other loopback addresses are refused too.
	outside := []string{"127.0.0.2"}
	for _, address := range addresses {
		if ip := address.(*net.IPNet).IP; !ip.IsLoopback() && !ip.IsLinkLocalUnicast() {
			outside = append(outside, ip.String())
		}
	}
	for _, host := range outside {
		conn, err := net.Dial("tcp", net.JoinHostPort(host, port))
		if err == nil {
			conn.Close()
		}
		assert.ErrorIs(t, err, syscall.ECONNREFUSED, host)
	}
}

func testNoLoading(t *testing.T, s *Server) {
	for _, source := range []string{"file:///etc/hostname", "http://127.0.0.1:9/"} {
		_, err := ask(t, s.URI(), s.Password(), "LOAD CSV FROM '"+source+"' AS line RETURN line")
		var refused *neo4j.Neo4jError
		require.ErrorAs(t, err, &refused)
		assert.Equal(t, "Neo.ClientError.Statement.ExternalResourceFailed", refused.Code)
		assert.Regexp(t, "blocked via the configuration|configuration property .* is false", refused.Msg)
	}
}

func testGroup(t *testing.T, s *Server) {
	pid := s.process.cmd.Process.Pid
	group, err := syscall.Getpgid(pid)
	require.NoError(t, err)
	assert.Equal(t, pid, group, "Ctrl-C on the terminal would reach the server, and not only the gateway")
}

func testUnaskedEnd(t *testing.T, s *Server) {
	select {
	case <-s.Done():
		t.Fatal("done while running")
	default:
		require.NoError(t, s.Err())
	}
	require.NoError(t, syscall.Kill(s.process.cmd.Process.Pid, syscall.SIGKILL))
	<-s.Done()
	assert.ErrorContains(t, s.Err(), "ended unasked: signal: killed")
	assert.NoError(t, s.Stop(context.Background()), "nothing is left to stop")
}

func TestDataSurvivesStopAndKill(t *testing.T) {
	c := config(t)
	first := start(t, c)
	_, err := ask(t, first.URI(), first.Password(), "CREATE (:Kept {by: 'stop'})")
	require.NoError(t, err)
	stop(t, first)
	assert.NoError(t, first.Err())

	second := start(t, c)
	assert.Equal(t, first.Password(), second.Password())
	_, err = ask(t, second.URI(), second.Password(), "CREATE (:Kept {by: 'kill'})")
	require.NoError(t, err)
	second.process.kill()
	<-second.Done()

	third := start(t, c)
	got, err := ask(t, third.URI(), third.Password(), "MATCH (n:Kept) RETURN n.by ORDER BY n.by")
	require.NoError(t, err)
	assert.Equal(t, []any{"kill", "stop"}, got)
}

// testStopByForce stops a server that cannot answer a polite request.
func testStopByForce(t *testing.T, s *Server) {
	t.Helper()
	pid := s.process.cmd.Process.Pid
	require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	assert.ErrorIs(t, s.Stop(ctx), context.DeadlineExceeded)
	<-s.Done()
	assert.True(t, gone(pid))
}

func TestCancelledStartLeavesNothing(t *testing.T) {
	c := config(t)
	ctx, cancel := context.WithCancel(context.Background())
	failed := make(chan error)
	go func() {
		_, err := Start(ctx, c)
		failed <- err
	}()
	// The server has begun when Neo4j makes its store.
	require.Eventually(t, func() bool {
		_, err := os.Stat(c.Home + "/data")
		return err == nil
	}, time.Minute, 5*time.Millisecond)
	cancel()
	require.ErrorIs(t, <-failed, context.Canceled)

	held, _, err := storeHolder(c.Home)
	require.NoError(t, err)
	assert.False(t, held, "a server is left")
	claim(t, c)
}

func TestServerDiesWithKilledParent(t *testing.T) {
	t.Run("while it runs", func(t *testing.T) {
		c := config(t)
		cmd, pid := gatewayWithServer(t, "serve", c.Home)
		require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))

		// A supervisor starts a killed gateway again at once.
		s := start(t, c)
		assert.True(t, gone(pid), "two servers on one store")
		_, err := ask(t, s.URI(), s.Password(), "RETURN 1")
		assert.NoError(t, err)
	})
	t.Run("while it starts", func(t *testing.T) {
		cmd, pid := gatewayWithServer(t, "spawn", config(t).Home)
		require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))
		require.Eventually(t, func() bool { return gone(pid) }, 2*orphanGrace, 10*time.Millisecond)
	})
}

func gatewayWithServer(t *testing.T, role, home string) (gateway *exec.Cmd, server int) {
	t.Helper()
	cmd, line := startGateway(t, role, home)
	pid, err := strconv.Atoi(line)
	require.NoError(t, err, line)
	require.False(t, gone(pid))
	return cmd, pid
}
