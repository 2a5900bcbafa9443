package neo4jd

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// roleVariable makes the test binary play a gateway that can be killed, instead of
// running tests: "serve" starts a server, "spawn" only launches it. Either prints
// the server's process number, or "refused" and why, and then waits to be killed.
const (
	roleVariable = "STRATA_NEO4JD_TEST_ROLE"
	homeVariable = "STRATA_NEO4JD_TEST_HOME"
)

func TestMain(m *testing.M) {
	role := os.Getenv(roleVariable)
	if role == "" {
		os.Exit(m.Run())
	}
	pid, err := playGateway(role, Config{Home: os.Getenv(homeVariable), FastStart: true, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		fmt.Println("refused", strings.ReplaceAll(err.Error(), "\n", " "))
		os.Exit(1)
	}
	fmt.Println(pid)
	select {}
}

func playGateway(role string, c Config) (pid int, err error) {
	if role == "serve" {
		s, err := Start(context.Background(), c)
		if err != nil {
			return 0, err
		}
		return s.process.cmd.Process.Pid, nil
	}
	if c, err = c.withDefaults(); err != nil {
		return 0, err
	}
	if _, err := claimHome(context.Background(), c); err != nil {
		return 0, err
	}
	java, err := findJava(context.Background())
	if err != nil {
		return 0, err
	}
	p, err := spawn(java, c)
	if err != nil {
		return 0, err
	}
	return p.cmd.Process.Pid, nil
}

// startGateway starts another process in one of the roles and returns it with what it
// prints.
func startGateway(t *testing.T, role, home string) (*exec.Cmd, string) {
	t.Helper()
	binary, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(binary)
	cmd.Env = append(os.Environ(), roleVariable+"="+role, homeVariable+"="+home, LibVariable+"="+lib(t))
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	return cmd, strings.TrimSpace(line)
}

// lib is the folder with the jars. Tests run in the folder of their package, where
// FindLib does not find it.
func lib(t *testing.T) string {
	t.Helper()
	if lib := os.Getenv(LibVariable); lib != "" {
		return lib
	}
	dir, err := os.Getwd()
	require.NoError(t, err)
	for ; dir != "/"; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			lib := filepath.Join(dir, ".cache", "neo4j")
			require.NoError(t, checkLib(lib))
			return lib
		}
	}
	t.Fatal("no go.mod above the working directory")
	return ""
}

func config(t *testing.T) Config {
	return Config{Home: filepath.Join(t.TempDir(), "neo4j"), Lib: lib(t), HeapMB: 256, FastStart: true, Log: slog.New(slog.DiscardHandler)}
}

func start(t *testing.T, c Config) *Server {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	s, err := Start(ctx, c)
	require.NoError(t, err)
	t.Cleanup(func() { stop(t, s) })
	return s
}

func stop(t *testing.T, s *Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	require.NoError(t, s.Stop(ctx))
}

// gone says whether a process has ended. One that nobody has waited for yet still
// has its number, and ended all the same.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) == syscall.ESRCH {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return os.IsNotExist(err)
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(state, "Z")
}
