// Package neo4jd runs the embedded Neo4j: a real Neo4j server, as a child process,
// for a gateway that was given no other. The server listens on the loopback
// interface only, asks for a random password that lives in the data folder, ends
// with its parent however that ends, and refuses to share its folder. Every way a
// start can fail has an error of its own that says what to do. The jars come from
// `make setup`; the Java side is deploy/neo4j/StrataNeo4j.java. It needs a Unix:
// process groups and file locks.
package neo4jd

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"
)

// user is the one account of Neo4j's Community edition.
const user = "neo4j"

// Server is a running Neo4j. All methods are safe for concurrent use.
type Server struct {
	uri      string
	password string
	process  *process
	log      *slog.Logger
	stopping atomic.Bool
	done     chan struct{}
	err      error
}

// Start starts a server on the data folder c.Home and returns when it answers,
// after a recovery of the store if one is needed. A first start takes about four
// seconds, a later one less. ctx bounds the start only: a server that is up stays
// up until Stop, or until this process ends.
//
// A failure is a *StartError, or ctx's error.
func Start(ctx context.Context, c Config) (*Server, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := checkLib(c.Lib); err != nil {
		return nil, err
	}
	java, err := findJava(ctx)
	if err != nil {
		return nil, err
	}
	h, err := claimHome(ctx, c)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	c.Log.Info("starting the embedded Neo4j", "home", c.Home, "java", java)
	p, err := spawn(java, c)
	if err != nil {
		h.release()
		return nil, err
	}
	port, err := awaitReady(ctx, p, c)
	if err != nil {
		h.release()
		return nil, err
	}
	s := &Server{
		uri:      "bolt://127.0.0.1:" + port,
		password: h.password,
		process:  p,
		log:      c.Log,
		done:     make(chan struct{}),
	}
	go s.watch(h)
	c.Log.Info("the embedded Neo4j is ready", "uri", s.uri, "took", time.Since(begin).Round(time.Millisecond))
	return s, nil
}

// URI is the server's address, bolt://127.0.0.1:PORT.
func (s *Server) URI() string { return s.uri }

// User is the name to sign in with.
func (s *Server) User() string { return user }

// Password is the password of User. It must not be logged.
func (s *Server) Password() string { return s.password }

// Done is closed when the server is gone and its data folder is free again,
// whether by Stop or by an accident. Err tells which.
func (s *Server) Done() <-chan struct{} { return s.done }

// Err returns nil while the server runs and after a Stop, and why it ended after
// an accident.
func (s *Server) Err() error {
	select {
	case <-s.done:
		return s.err
	default:
		return nil
	}
}

// Stop ends the server and returns when it is gone. The store is closed cleanly if
// that takes less than five seconds; after them, or when ctx ends, the server is
// ended by force, and the next start recovers the store: what was committed is
// safe in each case. The error, if any, says that it came to that. Stop after the
// end does nothing.
func (s *Server) Stop(ctx context.Context) error {
	select {
	case <-s.done:
		return nil
	default:
	}
	s.stopping.Store(true)
	// Fails only when it is closed already.
	_ = s.process.parent.Close()
	select {
	case <-s.done:
	case <-ctx.Done():
		s.process.kill()
		<-s.done
		return fmt.Errorf("embedded Neo4j: ended by force: %w", ctx.Err())
	}
	if s.err == nil && s.process.cmd.ProcessState.ExitCode() != 0 {
		return fmt.Errorf("embedded Neo4j: did not stop cleanly: %s", s.process.cmd.ProcessState)
	}
	return nil
}

// watch waits for the end of the server and frees the folder after it.
func (s *Server) watch(h *home) {
	<-s.process.exited
	h.release()
	state := s.process.cmd.ProcessState
	if s.stopping.Load() {
		s.log.Info("the embedded Neo4j has stopped")
	} else {
		s.err = fmt.Errorf("embedded Neo4j: ended unasked: %s; its last lines:\n  %s",
			state, strings.Join(s.process.log.last(), "\n  "))
	}
	close(s.done)
}
