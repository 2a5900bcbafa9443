package teststack

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/strata-gateway/strata/graph/neo4jd"
)

// heapMB is ample for the estates that tests make.
const heapMB = 1024

// stopTime is a little more than the server takes to end by force.
const stopTime = 10 * time.Second

// Run starts the servers, runs the command with their addresses in its environment,
// stops them and returns the command's exit code. Signals that ask this process to
// end are passed to the command and all it started. An error means that the
// command did not run, or that a server ended under it.
func Run(ctx context.Context, log *slog.Logger, command []string) (code int, err error) {
	program, err := exec.LookPath(command[0])
	if err != nil {
		return 0, fmt.Errorf("teststack: %w", err)
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)

	data, err := os.MkdirTemp("", "strata-teststack-")
	if err != nil {
		return 0, fmt.Errorf("teststack: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(data)) }()

	lib, err := findLib()
	if err != nil {
		return 0, err
	}
	server, err := startServer(ctx, signals, neo4jd.Config{
		Home: filepath.Join(data, "neo4j"), Lib: lib, HeapMB: heapMB, FastStart: true, Log: log,
	})
	if err != nil {
		return 0, err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
		defer cancel()
		err = errors.Join(err, server.Err(), server.Stop(ctx))
	}()
	redis, err := StartRedis()
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, redis.Stop()) }()
	return runCommand(signals, exec.CommandContext(ctx, program, command[1:]...), []string{
		neo4jURI + "=" + server.URI(),
		neo4jUser + "=" + server.User(),
		neo4jPassword + "=" + server.Password(),
		redisURL + "=" + redis.URL,
		neo4jd.LibVariable + "=" + lib,
	})
}

// startServer starts the server unless a signal comes first. It leaves a signal
// that comes later in the channel.
func startServer(ctx context.Context, signals chan os.Signal, c neo4jd.Config) (*neo4jd.Server, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	started := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case s := <-signals:
			cancel(fmt.Errorf("teststack: %s", s))
		case <-started:
		}
	}()
	server, err := neo4jd.Start(ctx, c)
	close(started)
	<-watched
	if cause := context.Cause(ctx); cause != nil {
		if err == nil {
			err = server.Stop(context.WithoutCancel(ctx))
		}
		return nil, errors.Join(cause, err)
	}
	return server, err
}

func runCommand(signals <-chan os.Signal, cmd *exec.Cmd, env []string) (int, error) {
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	// A group of its own, so that a signal reaches it once, and with it what it
	// started: `go test` runs the tests in processes of their own.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("teststack: %w", err)
	}
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	for {
		select {
		case s := <-signals:
			// Fails only if the whole group has gone, which exited reports.
			_ = syscall.Kill(-cmd.Process.Pid, s.(syscall.Signal))
		case err := <-exited:
			return exitCode(cmd.ProcessState, err)
		}
	}
}

// exitCode is the command's own, or, as shells have it, 128 and the signal that
// ended it.
func exitCode(state *os.ProcessState, err error) (int, error) {
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, fmt.Errorf("teststack: %w", err)
	}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return state.ExitCode(), nil
}

// findLib returns the folder with Neo4j's jars: that of neo4jd, else the one of
// the clone around the working directory, because tests run in the folder of their
// package.
func findLib() (string, error) {
	lib, err := neo4jd.FindLib()
	if err == nil {
		return filepath.Abs(lib)
	}
	dir, wdErr := os.Getwd()
	if wdErr != nil {
		return "", errors.Join(err, wdErr)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, statErr := os.Stat(filepath.Join(dir, "go.mod")); statErr == nil {
			return filepath.Join(dir, ".cache", "neo4j"), nil
		}
	}
	return "", err
}
