package graph

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// tx is an explicit write transaction. It gathers the audit events and the epochs of what its work
// changed and writes both, in one last statement, before it commits: none can be forgotten or half-done.
type tx struct {
	store   *Store
	ctx     context.Context
	raw     neo4j.ExplicitTransaction
	request *Session
	actor   Actor
	events  []Event
	touched touched
}

// Actor is who a transaction is written for: what audit events say of them.
type Actor struct {
	// User is the caller's id.
	User string
	// Workspace is the workspace of the request.
	Workspace string
	// RequestID ties the events of one request together.
	RequestID string
}

// write runs work in one transaction; a deadlock or a leader switch runs it again from the start, so
// that work must not keep results of a try that failed. Errors of work roll back and pass through.
func (s *Store) write(ctx context.Context, actor Actor, work func(*tx) error) error {
	return s.retry(ctx, func() error { return s.writeOnce(ctx, actor, work) })
}

func (s *Store) writeOnce(ctx context.Context, actor Actor, work func(*tx) error) error {
	guard := s.guard(ctx)
	defer guard.end()
	ctx, limit, err := s.detached(ctx)
	if err != nil {
		return err
	}
	request := sessionOf(ctx)
	session := s.driver.NewSession(ctx, neo4j.SessionConfig{AccessMode: writeMode, Bookmarks: request.latest(), FetchSize: neo4j.FetchAll})
	defer func() { _ = session.Close(ctx) }()
	raw, err := session.BeginTransaction(ctx, guard.options(limit)...)
	if err != nil {
		return err
	}
	defer func() { _ = raw.Close(ctx) }() // rolls back unless committed
	t := &tx{store: s, ctx: ctx, raw: raw, request: request, actor: actor, touched: touched{}}
	if err := work(t); err != nil {
		return err
	}
	if err := t.seal(); err != nil {
		return err
	}
	if err := raw.Commit(ctx); err != nil {
		return err
	}
	request.advance(session.LastBookmarks())
	return nil
}

// run runs a statement over what the audience may see.
func (t *tx) run(audience Audience, statement string, params map[string]any) ([]row, error) {
	all, err := t.store.conditioned(statement, audience, nil, params)
	if err != nil {
		return nil, unrunnable(err, statement)
	}
	return t.runUnscoped(t.store.text(statement), all)
}

// runUnscoped runs a statement on objects that an earlier statement of the transaction found through
// the condition, or on what belongs to no workspace.
//
// SECURITY: its callers are listed, with reasons, in TestEveryUnscopedWriteIsListed.
func (t *tx) runUnscoped(statement string, params map[string]any) ([]row, error) {
	t.request.statements.Add(1)
	result, err := t.raw.Run(t.ctx, statement, params)
	if err != nil {
		return nil, err
	}
	return collect(t.ctx, result)
}
