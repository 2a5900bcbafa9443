package teststack

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

const (
	// redisStart is how long Redis may take to answer, redisPoll the time between two looks.
	redisStart, redisPoll = 10 * time.Second, 5 * time.Millisecond
)

// RedisServer is a Redis that listens on a socket of its own, so that no two look for one port.
type RedisServer struct {
	// URL is its address, unix:///….
	URL string

	folder  string
	socket  string
	process *os.Process
	ended   chan error
}

// StartRedis starts a Redis that keeps nothing on disk and ends with this process.
func StartRedis() (*RedisServer, error) {
	folder, err := os.MkdirTemp("", "strata-redis-")
	if err != nil {
		return nil, fmt.Errorf("teststack: %w", err)
	}
	socket := filepath.Join(folder, "redis.sock")
	r := &RedisServer{URL: "unix://" + socket, folder: folder, socket: socket}
	if err := r.Start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	return r, nil
}

// Start starts it, again after Kill, and waits until it answers.
func (r *RedisServer) Start() error {
	started := make(chan error, 1)
	r.ended = make(chan error, 1)
	go r.run(started)
	if err := <-started; err != nil {
		return fmt.Errorf("teststack: Redis does not start: %w", err)
	}
	for deadline := time.Now().Add(redisStart); ; {
		c, err := net.Dial("unix", r.socket)
		if err == nil {
			return c.Close()
		}
		select {
		case ended := <-r.ended:
			r.ended <- ended
			return fmt.Errorf("teststack: Redis ended: %w", ended)
		case <-time.After(redisPoll):
		}
		if time.Now().After(deadline) {
			return errors.Join(fmt.Errorf("teststack: Redis does not answer: %w", err), r.Kill())
		}
	}
}

// run keeps to one thread: the signal that ends a child with its parent follows the thread that started it.
func (r *RedisServer) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.Command("redis-server", "--port", "0", "--unixsocket", r.socket, "--dir", r.folder, "--save", "", "--appendonly", "no", "--maxmemory", "256mb", "--maxmemory-policy", "allkeys-lru")
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	err := cmd.Start()
	r.process = cmd.Process
	started <- err
	if err == nil {
		r.ended <- cmd.Wait()
	}
}

// Kill ends it at once, as a crash does.
func (r *RedisServer) Kill() error {
	if err := r.process.Kill(); err != nil {
		return fmt.Errorf("teststack: %w", err)
	}
	<-r.ended
	return nil
}

// Hang lets it answer nobody until the function that is returned is called.
func (r *RedisServer) Hang() (resume func() error, err error) {
	return func() error { return r.process.Signal(syscall.SIGCONT) }, r.process.Signal(syscall.SIGSTOP)
}

// Stop ends it for good.
func (r *RedisServer) Stop() error {
	return errors.Join(r.Kill(), os.RemoveAll(r.folder))
}
