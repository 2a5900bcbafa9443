package graph

import (
	"context"

	"github.com/strata-gateway/strata/fault"
)

const suiteOfCheckQuery = `
MATCH (s:Suite)-[:HAS_CHECK]->(:Check {id: $id})
MATCH (s)-[:CHECKS]->(a:Dataset:Asset) WHERE $VISIBLE(a) AND $LADDER(s)
RETURN s.id`

// suiteOfCheck is the suite that a check is in. Errors: NOT_FOUND, also where the caller may not know of it.
func (e entered) suiteOfCheck(id string) (string, error) {
	rows, err := e.runScoped(suiteOfCheckQuery, map[string]any{"id": id})
	if err != nil {
		return "", err
	}
	if len(rows) == 0 {
		return "", fault.NotFound("check")
	}
	return text(rows[0][0]), nil
}

// changeChecks changes the checks of a suite and keeps the verdict: coverage follows at once, outcomes with
// the next run.
func (s *Store) changeChecks(ctx context.Context, w Writer, find func(entered) (string, error), readsRows bool, change func(entered, suiteBefore, Right) error) error {
	return s.changeSuite(ctx, w, find, readsRows, func(e entered, before suiteBefore, right Right) error {
		if err := change(e, before, right); err != nil {
			return err
		}
		return e.keepVerdicts(before.asset.Workspace, []string{before.asset.ID})
	})
}

const createCheckQuery = `
MATCH (s:Suite {id: $suite})
CREATE (s)-[:HAS_CHECK]->(:Check {id: $check.id, workspace: s.workspace, suite: s.id, name: $check.name, expectation: $check.expectation,
  column: $check.column, severity: $check.severity, dimension: $check.dimension, config: $check.config})`

// maxChecks is how many checks can be added to a suite.
const maxChecks = 500

// CreateCheck adds a check to a suite and returns its id. Errors: NOT_FOUND for a suite on which the caller
// holds nothing, BAD_USER_INPUT for a column that the asset does not have, LIMIT_EXCEEDED for one check too
// many, and what the rule says.
func (s *Store) CreateCheck(ctx context.Context, w Writer, suite string, in NewCheck) (string, error) {
	var id string
	err := s.changeChecks(ctx, w, theSuite(suite), true, func(e entered, before suiteBefore, right Right) error {
		if len(before.checks) >= maxChecks {
			return fault.New(fault.CodeLimitExceeded, "A suite has at most 500 checks. Put more of them into another suite.")
		}
		id = s.ids.New(KindCheck)
		params, err := before.asset.checkParams("input", id, in)
		if err != nil {
			return err
		}
		if _, err := e.runUnscoped(createCheckQuery, map[string]any{"suite": suite, "check": params}); err != nil {
			return err
		}
		e.record(Event{Action: "check.create", Resource: suite, AdminOverride: right.AdminOverride, After: in.facts(id)})
		return nil
	})
	return id, err
}

const updateCheckQuery = `
MATCH (c:Check {id: $check.id})
SET c.name = $check.name, c.expectation = $check.expectation, c.column = $check.column, c.severity = $check.severity,
  c.dimension = $check.dimension, c.config = $check.config`

// UpdateCheck changes a check and returns its suite. Results of past runs keep the severity that they
// failed at. Errors: NOT_FOUND for a check of a suite on which the caller holds nothing, BAD_USER_INPUT for
// a column that the asset does not have, and what the rule says.
func (s *Store) UpdateCheck(ctx context.Context, w Writer, id string, c CheckChange) (suite string, err error) {
	err = s.changeCheck(ctx, w, id, true, func(e entered, before suiteBefore, right Right) error {
		suite = before.ID
		was := before.checks[id].content()
		is := c.after(was)
		params, err := before.asset.checkParams("input", id, is)
		if err != nil {
			return err
		}
		if jsonOrNil(was.facts(id)) == jsonOrNil(is.facts(id)) {
			return nil
		}
		if _, err := e.runUnscoped(updateCheckQuery, map[string]any{"check": params}); err != nil {
			return err
		}
		e.record(Event{Action: "check.update", Resource: suite, AdminOverride: right.AdminOverride, Before: was.facts(id), After: is.facts(id)})
		return nil
	})
	return suite, err
}

// DeleteCheck takes a check from its suite. A run that has a result of it can still say what it checked.
// Errors: NOT_FOUND for a check of a suite on which the caller holds nothing, and what the rule says.
func (s *Store) DeleteCheck(ctx context.Context, w Writer, id string) error {
	return s.changeCheck(ctx, w, id, false, func(e entered, before suiteBefore, right Right) error {
		if _, err := e.runBatched(dropChecksQuery, []any{id}, nil); err != nil {
			return err
		}
		e.record(Event{Action: "check.delete", Resource: before.ID, AdminOverride: right.AdminOverride, Before: before.checks[id].content().facts(id)})
		return nil
	})
}

// changeCheck changes one check, which is there when change is called.
func (s *Store) changeCheck(ctx context.Context, w Writer, id string, readsRows bool, change func(entered, suiteBefore, Right) error) error {
	find := func(e entered) (string, error) { return e.suiteOfCheck(id) }
	return s.changeChecks(ctx, w, find, readsRows, func(e entered, before suiteBefore, right Right) error {
		if before.checks[id] == nil {
			return fault.NotFound("check") // taken away between the look and the lock
		}
		return change(e, before, right)
	})
}
