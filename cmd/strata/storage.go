package main

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"path/filepath"
	"time"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/graph/neo4jd"
)

const (
	// storeWait is how long a start waits for a Neo4j that does not answer.
	storeWait = time.Minute
	// statementTime bounds a statement. It is for the demo on a slow machine and for migrations: a request
	// has less, by its own deadline.
	statementTime = 5 * time.Minute
	// storePause is the time between two tries, storeTry that of one.
	storePause, storeTry = 2 * time.Second, 10 * time.Second
	// stopTime is a little more than the embedded Neo4j takes to end by force.
	stopTime = 10 * time.Second
)

// storage is the graph store, and the embedded server behind it if there is one.
type storage struct {
	*graph.Store
	embedded *neo4jd.Server // nil if the server is not ours
}

// openStorage starts the embedded server, or waits for the one that --neo4j names, and connects.
func openStorage(ctx context.Context, o serveOptions, log *slog.Logger) (*storage, error) {
	if !o.embedded() {
		store, err := await(ctx, storeConfig(o.neo4j, o.neo4jUser, o.neo4jPassword, log), log)
		return &storage{Store: store}, err
	}
	embedded, err := neo4jd.Start(ctx, neo4jd.Config{Home: filepath.Join(o.data, "neo4j"), HeapMB: o.heapMB, Log: log})
	if err != nil {
		return nil, err
	}
	store, err := graph.Open(ctx, storeConfig(embedded.URI(), embedded.User(), embedded.Password(), log))
	if err != nil {
		return nil, errors.Join(err, stopServer(embedded))
	}
	return &storage{Store: store, embedded: embedded}, nil
}

// storeConfig says how to reach a server.
func storeConfig(uri, user, password string, log *slog.Logger) graph.Config {
	return graph.Config{URI: uri, User: user, Password: password, StatementTimeout: statementTime, Log: log}
}

// gone is closed when the embedded server has ended; never if the server is not ours.
func (s *storage) gone() <-chan struct{} {
	if s.embedded == nil {
		return nil
	}
	return s.embedded.Done()
}

// close ends the connections, then the embedded server.
func (s *storage) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	err := s.Close(ctx)
	if s.embedded != nil {
		err = errors.Join(err, stopServer(s.embedded))
	}
	return err
}

func stopServer(s *neo4jd.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	return s.Stop(ctx)
}

// await opens the store as soon as the server answers. A server that answers and refuses is not asked
// again.
func await(ctx context.Context, c graph.Config, log *slog.Logger) (*graph.Store, error) {
	host := ""
	if u, err := url.Parse(c.URI); err == nil {
		host = u.Host
	}
	limit := time.NewTimer(storeWait)
	defer limit.Stop()
	for {
		store, err := try(ctx, c)
		switch {
		case err == nil:
			return store, nil
		case refusesCredentials(err):
			return nil, fault.Wrap(fault.CodeUnavailable, "Neo4j at "+host+" refuses the credentials. Check STRATA_NEO4J_USER and STRATA_NEO4J_PASSWORD.", err)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
		log.Warn("waiting for Neo4j", "host", host, "error", err)
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-limit.C:
			return nil, fault.Wrap(fault.CodeUnavailable, "Neo4j at "+host+" has not answered for a minute. Start it, or check --neo4j.", err)
		case <-time.After(storePause):
		}
	}
}

func try(ctx context.Context, c graph.Config) (*graph.Store, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTry)
	defer cancel()
	return graph.Open(ctx, c)
}

// refusesCredentials tells by what the driver's errors can do, not by their type: only package graph knows
// the driver.
func refusesCredentials(err error) bool {
	var refusal interface{ HasSecurityCode() bool }
	return errors.As(err, &refusal) && refusal.HasSecurityCode()
}
