package teststack

import (
	"context"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// run runs a shell script under the stack and returns its exit code, after checking
// that no file is left of the stack.
func run(t *testing.T, script string) (int, error) {
	t.Helper()
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	code, err := Run(context.Background(), slog.New(slog.DiscardHandler), []string{"sh", "-c", script})
	left, globErr := filepath.Glob(filepath.Join(temp, "*"))
	require.NoError(t, globErr)
	assert.Empty(t, left)
	return code, err
}

func TestCommandReachesServerAndItsCodeIsReturned(t *testing.T) {
	// The script hands its environment out and waits until it has been used.
	dir := t.TempDir()
	env, used := filepath.Join(dir, "env"), filepath.Join(dir, "used")
	require.NoError(t, syscall.Mkfifo(env, 0o600))
	require.NoError(t, syscall.Mkfifo(used, 0o600))

	var serverErr error
	var uri string
	done := make(chan struct{})
	go func() {
		defer close(done)
		content, err := os.ReadFile(env)
		if err != nil {
			serverErr = err
			return
		}
		fields := strings.Fields(string(content))
		uri = fields[0]
		serverErr = verify(fields)
		if err := os.WriteFile(used, nil, 0); err != nil {
			serverErr = err
		}
	}()
	code, err := run(t, `echo "$`+neo4jURI+` $`+neo4jUser+` $`+neo4jPassword+`" >`+env+`; cat `+used+`; exit 7`)
	require.NoError(t, err)
	assert.Equal(t, 7, code)
	<-done
	assert.NoError(t, serverErr)
	_, err = net.Dial("tcp", strings.TrimPrefix(uri, "bolt://"))
	assert.ErrorIs(t, err, syscall.ECONNREFUSED, "the server must be gone")
}

func verify(target []string) error {
	ctx := context.Background()
	driver, err := neo4j.NewDriverWithContext(target[0], neo4j.BasicAuth(target[1], target[2], ""))
	if err != nil {
		return err
	}
	defer driver.Close(ctx)
	return driver.VerifyConnectivity(ctx)
}

func TestSignalsReachCommandAndItsChildren(t *testing.T) {
	// yes is a child of the command, as a test is of `go test`: it ends by the signal
	// or never, and has certainly begun when a line of it can be read.
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	code, err := run(t, `trap 'wait; exit 9' TERM; yes >`+pipe+` & exec 3<`+pipe+`; read line <&3; kill -TERM $PPID; wait`)
	require.NoError(t, err)
	assert.Equal(t, 9, code)
}

func TestSignalDuringStartEndsIt(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	ended := make(chan error, 1)
	go func() {
		_, err := Run(context.Background(), slog.New(slog.DiscardHandler), []string{"true"})
		ended <- err
	}()
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for begun := false; !begun; {
		select {
		case err := <-ended:
			t.Fatal("ended before the signal: ", err)
		case <-poll.C:
			data, err := filepath.Glob(filepath.Join(temp, "*", "neo4j", "data"))
			require.NoError(t, err)
			begun = len(data) == 1
		}
	}
	require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGTERM))
	assert.ErrorContains(t, <-ended, "terminated")
	left, err := filepath.Glob(filepath.Join(temp, "*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestCommandThatDoesNotExist(t *testing.T) {
	_, err := Run(context.Background(), slog.New(slog.DiscardHandler), []string{"/does/not/exist"})
	assert.ErrorIs(t, err, os.ErrNotExist)
}
