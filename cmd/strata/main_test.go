package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph/neo4jd"
)

// binaryVariable tells the tests where the binary is that TestMain built.
const binaryVariable = "STRATA_TEST_BINARY"

// TestMain builds the binary, which the tests run as a person would.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "strata-cmd-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binary := filepath.Join(dir, "strata")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		os.Exit(1)
	}
	code := 1
	if err := os.Setenv(binaryVariable, binary); err == nil {
		code = m.Run()
	}
	_ = os.RemoveAll(dir) // a temporary folder: the system's to remove if this fails
	os.Exit(code)
}

// patience is how long a test waits for what must happen, on a machine with little time for it.
const patience = 5 * time.Minute

// environment is what the binary runs in: nothing of STRATA_ but where Neo4j is installed, and a Java that
// keeps to its quick compiler, since it does not run for long.
func environment(t *testing.T, more ...string) []string {
	t.Helper()
	lib := os.Getenv(neo4jd.LibVariable)
	if lib == "" {
		var err error
		lib, err = filepath.Abs("../../.cache/neo4j")
		require.NoError(t, err)
	}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "STRATA_") })
	return append(append(env, neo4jd.LibVariable+"="+lib, "JDK_JAVA_OPTIONS=-XX:TieredStopAtLevel=1"), more...)
}

// result is what a command that ended left behind.
type result struct {
	code        int
	out, errOut string
}

// strata runs the binary to its end.
func strata(t *testing.T, env []string, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Getenv(binaryVariable), args...)
	cmd.Env, cmd.Dir = env, t.TempDir()
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError), errOut.String())
	}
	require.NoError(t, ctx.Err(), "the command did not end: %s", errOut.String())
	return result{cmd.ProcessState.ExitCode(), out.String(), errOut.String()}
}

// running is a gateway as a process of its own.
type running struct {
	t      *testing.T
	url    string
	cmd    *exec.Cmd
	out    *bufio.Reader
	errOut *transcript
	exited chan struct{}
}

// transcript keeps what a process writes to standard error, for a test to read meanwhile.
type transcript struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *transcript) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *transcript) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// launch starts `strata serve` and does not wait. The process is gone when the test has ended.
func launch(t *testing.T, env []string, args ...string) *running {
	t.Helper()
	cmd := exec.Command(os.Getenv(binaryVariable), append([]string{"serve"}, args...)...)
	r := &running{t: t, cmd: cmd, errOut: new(transcript), exited: make(chan struct{})}
	out, write := io.Pipe()
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = env, t.TempDir(), write, r.errOut
	r.out = bufio.NewReader(out)
	require.NoError(t, cmd.Start())
	go func() {
		defer close(r.exited)
		_ = cmd.Wait()    // the state says all there is to know
		_ = write.Close() // never fails
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		<-r.exited
	})
	return r
}

// ready waits until the gateway says that it is, and returns how long that took.
func (r *running) ready() time.Duration {
	r.t.Helper()
	start, line := time.Now(), make(chan string, 1)
	go func() {
		text, _ := r.out.ReadString('\n') // cut short by the end of the process, which is told below
		line <- text
	}()
	select {
	case text := <-line:
		url, ok := strings.CutPrefix(strings.TrimSuffix(text, "\n"), "ready ")
		require.True(r.t, ok, "standard output: %q\nstandard error: %s", text, r.errOut)
		r.url = url
	case <-time.After(patience):
		require.FailNow(r.t, "not ready in time", r.errOut.String())
	}
	return time.Since(start)
}

// end sends a signal and waits for the end.
func (r *running) end(s syscall.Signal) (int, string) {
	r.t.Helper()
	require.NoError(r.t, r.cmd.Process.Signal(s))
	return r.wait()
}

// wait waits for the end, and returns the exit code and what was left on standard output.
func (r *running) wait() (int, string) {
	r.t.Helper()
	rest := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(r.out) // of a pipe: ends with the process
		rest <- string(text)
	}()
	select {
	case <-r.exited:
	case <-time.After(patience):
		require.FailNow(r.t, "did not end in time", r.errOut.String())
	}
	return r.cmd.ProcessState.ExitCode(), <-rest
}
