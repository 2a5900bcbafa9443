package graph

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// Session is what the statements of one request share: the bookmarks that chain them, so that each
// sees what an earlier one wrote or read also on another member of a cluster, and how many there were.
type Session struct {
	statements atomic.Int64
	mu         sync.Mutex
	bookmarks  neo4j.Bookmarks
}

type sessionKey struct{}

// WithSession returns a context whose statements belong to a new session.
func WithSession(ctx context.Context) (context.Context, *Session) {
	s := new(Session)
	return context.WithValue(ctx, sessionKey{}, s), s
}

// Statements is how many statements the session has run.
func (s *Session) Statements() int { return int(s.statements.Load()) }

func sessionOf(ctx context.Context) *Session {
	if s, ok := ctx.Value(sessionKey{}).(*Session); ok {
		return s
	}
	return new(Session)
}

func (s *Session) latest() neo4j.Bookmarks {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bookmarks
}

func (s *Session) advance(b neo4j.Bookmarks) {
	if len(b) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bookmarks = b
}

// mode is the access mode of a statement: in a cluster, writes and authoritative reads go to the leader.
type mode = neo4j.AccessMode

const (
	readMode  = neo4j.AccessModeRead
	writeMode = neo4j.AccessModeWrite
)

// detached is ctx without its deadline, which makes the driver start a goroutine for every read; the
// time left is a transaction timeout on the server instead (docs/operations.md, "Neo4j"), and a guard
// stands beside what ctx ends before that.
func (s *Store) detached(ctx context.Context) (context.Context, time.Duration, error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	limit := s.limit(ctx)
	if at, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(at))
	}
	return context.WithoutCancel(ctx), max(limit, time.Millisecond), nil
}

// autoCommit runs one statement in a transaction of its own and retries what may pass on a second try.
func (s *Store) autoCommit(ctx context.Context, m mode, statement string, params map[string]any) ([]row, error) {
	var rows []row
	err := s.retry(ctx, func() error {
		var err error
		rows, err = s.runOnce(ctx, m, statement, params)
		return err
	})
	return rows, err
}

func (s *Store) runOnce(ctx context.Context, m mode, statement string, params map[string]any) ([]row, error) {
	guard := s.guard(ctx)
	defer guard.end()
	ctx, limit, err := s.detached(ctx)
	if err != nil {
		return nil, err
	}
	request := sessionOf(ctx)
	request.statements.Add(1)
	session := s.driver.NewSession(ctx, neo4j.SessionConfig{AccessMode: m, Bookmarks: request.latest(), FetchSize: neo4j.FetchAll})
	defer func() { _ = session.Close(ctx) }()
	result, err := session.Run(ctx, statement, params, guard.options(limit)...)
	if err != nil {
		return nil, err
	}
	rows, err := collect(ctx, result)
	if err != nil {
		return nil, err
	}
	request.advance(session.LastBookmarks())
	return rows, nil
}

// row is the values of one record, in the order of the statement's RETURN.
type row []any

func collect(ctx context.Context, result neo4j.ResultWithContext) ([]row, error) {
	var rows []row
	for result.Next(ctx) {
		rows = append(rows, result.Record().Values)
	}
	return rows, result.Err()
}
