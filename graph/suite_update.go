package graph

import (
	"context"

	"github.com/strata-gateway/strata/fault"
)

const suiteBeforeQuery = `
MATCH (s:Suite {id: $id})-[:CHECKS]->(a:Dataset:Asset) WHERE $VISIBLE(a) AND $LADDER(s)
RETURN s.id, s.owner, $HELD(s), s.name, s.description, a.id, a.workspace, a.datasource, [(a)-[:HAS_COLUMN]->(c:Column) | c.name],
  [(s)-[:HAS_CHECK]->(c:Check) | ` + checkColumns + `]`

// suiteBefore is a suite as a change finds it.
type suiteBefore struct {
	SuiteFacts
	name        string
	description *string
	asset       assetForWrite
	checks      map[string]*Check
}

// suiteBefore reads a suite. Errors: NOT_FOUND.
func (e entered) suiteBefore(id string) (suiteBefore, error) {
	rows, err := e.runScoped(suiteBeforeQuery, map[string]any{"id": id})
	if err != nil {
		return suiteBefore{}, err
	}
	if len(rows) == 0 {
		return suiteBefore{}, fault.NotFound("suite")
	}
	r := rows[0]
	s := suiteBefore{
		SuiteFacts: SuiteFacts{ID: text(r[0]), Owner: text(r[1]), Share: highestShare(r[2])}, name: text(r[3]), description: textOrNil(r[4]),
		asset:  assetForWrite{ID: text(r[5]), Workspace: text(r[6]), Datasource: text(r[7]), Columns: texts(r[8])},
		checks: map[string]*Check{},
	}
	for _, v := range list(r[9]) {
		c := readCheck(v)
		s.checks[c.ID] = c
	}
	return s, nil
}

// permitSuite asks the rule about the suite, and about the datasource of its asset where rows are read.
func (e entered) permitSuite(s suiteBefore, readsRows bool) (Right, error) {
	facts := Facts{Suites: []SuiteFacts{s.SuiteFacts}, ReadsRows: readsRows}
	datasources, err := e.datasourceFacts(s.asset.Datasource)
	if err != nil {
		return Right{}, err
	}
	facts.Datasources = datasources
	return e.permit(facts)
}

// lockedSuite asks for permission, takes the lock of the suite's asset, so that changes of its suites take
// turns, and asks again about the suite as it is under the lock. Who is refused has locked nothing.
func (e entered) lockedSuite(id string, permit func(suiteBefore) (Right, error)) (suiteBefore, Right, error) {
	s, err := e.suiteBefore(id)
	if err != nil {
		return suiteBefore{}, Right{}, err
	}
	if _, err := permit(s); err != nil {
		return suiteBefore{}, Right{}, err
	}
	if err := e.lockAssets(s.asset.Workspace, []string{s.asset.ID}); err != nil {
		return suiteBefore{}, Right{}, err
	}
	if s, err = e.suiteBefore(id); err != nil {
		return suiteBefore{}, Right{}, err
	}
	right, err := permit(s)
	return s, right, err
}

// changeSuite runs a change of a suite under the lock of its asset, if the rule allows it.
func (s *Store) changeSuite(ctx context.Context, w Writer, find func(entered) (id string, err error), readsRows bool, change func(entered, suiteBefore, Right) error) error {
	return s.write(ctx, w.Actor, func(t *tx) error {
		e, err := t.enter(w)
		if err != nil {
			return err
		}
		id, err := find(e)
		if err != nil {
			return err
		}
		before, right, err := e.lockedSuite(id, func(s suiteBefore) (Right, error) { return e.permitSuite(s, readsRows) })
		if err != nil {
			return err
		}
		return change(e, before, right)
	})
}

// theSuite is a suite that is named by its id.
func theSuite(id string) func(entered) (string, error) {
	return func(entered) (string, error) { return id, nil }
}

// SuiteChange is what to change on a suite.
type SuiteChange struct {
	Name        Change[string]
	Description Change[*string]
}

const updateSuiteQuery = `MATCH (s:Suite {id: $id}) SET s.name = $name, s.description = $description`

// UpdateSuite changes a suite's name and description. Errors: NOT_FOUND for one on which the caller holds
// nothing, and what the rule says.
func (s *Store) UpdateSuite(ctx context.Context, w Writer, id string, c SuiteChange) error {
	return s.changeSuite(ctx, w, theSuite(id), false, func(e entered, before suiteBefore, right Right) error {
		name, description := before.name, before.description
		c.Name.apply(&name)
		c.Description.apply(&description)
		if name == before.name && equalText(description, before.description) {
			return nil
		}
		if _, err := e.runUnscoped(updateSuiteQuery, map[string]any{"id": id, "name": name, "description": description}); err != nil {
			return err
		}
		e.record(Event{
			Action: "suite.update", Resource: id, AdminOverride: right.AdminOverride,
			Before: map[string]any{"name": before.name, "description": before.description},
			After:  map[string]any{"name": name, "description": description},
		})
		return nil
	})
}
