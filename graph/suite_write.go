package graph

import (
	"context"
	"slices"

	"github.com/strata-gateway/strata/fault"
)

// NewSuite is what a suite is made of.
type NewSuite struct {
	Asset       string
	Name        string
	Description *string
	Checks      []NewCheck
}

// NewCheck is what a check is made of.
type NewCheck struct {
	Name, Expectation string
	Column            *string
	Severity          Severity
	Dimension         Dimension
	Config            any
}

const assetForWriteQuery = `
MATCH (a:Dataset:Asset {id: $id}) WHERE $VISIBLE(a)
RETURN a.workspace, a.hiddenRank, a.datasource, [(a)-[:HAS_COLUMN]->(c:Column) | c.name]`

// assetForWrite is what a write must know of the asset that it is about.
type assetForWrite struct {
	ID, Workspace, Datasource string
	Hidden                    int
	Columns                   []string
}

// assetForWrite reads it. Errors: NOT_FOUND for one that is not there or hidden.
func (e entered) assetForWrite(id string) (assetForWrite, error) {
	rows, err := e.run(e.Audience, assetForWriteQuery, map[string]any{"id": id})
	if err != nil {
		return assetForWrite{}, err
	}
	if len(rows) == 0 {
		return assetForWrite{}, fault.NotFound("asset")
	}
	r := rows[0]
	return assetForWrite{ID: id, Workspace: text(r[0]), Hidden: integer(r[1]), Datasource: text(r[2]), Columns: texts(r[3])}, nil
}

const createSuiteQuery = `
MATCH (a:Dataset:Asset {id: $asset, workspace: $workspace})
CREATE (s:Suite {id: $id, workspace: a.workspace, asset: a.id, name: $name, description: $description, owner: $owner, createdAt: $at})-[:CHECKS]->(a)
CREATE (s)-[:HAS_CONFIG]->(:ValidationConfig {workspace: a.workspace, suite: s.id, batch: ''})
FOREACH (c IN $checks |
  CREATE (s)-[:HAS_CHECK]->(:Check {id: c.id, workspace: a.workspace, suite: s.id, name: c.name, expectation: c.expectation,
    column: c.column, severity: c.severity, dimension: c.dimension, config: c.config}))
RETURN s.id`

// CreateSuite makes a suite that the caller owns. Errors: NOT_FOUND for the asset, BAD_USER_INPUT for a
// check on a column that the asset does not have, and what the rule says.
func (s *Store) CreateSuite(ctx context.Context, w Writer, in NewSuite) (string, error) {
	var id string
	err := s.write(ctx, w.Actor, func(t *tx) error {
		e, err := t.enter(w)
		if err != nil {
			return err
		}
		asset, err := e.assetForWrite(in.Asset)
		if err != nil {
			return err
		}
		datasources, err := e.datasourceFacts(asset.Datasource)
		if err != nil {
			return err
		}
		right, err := e.permit(Facts{Datasources: datasources, ReadsRows: len(in.Checks) > 0})
		if err != nil {
			return err
		}
		checks, err := e.newChecks(asset, in.Checks)
		if err != nil {
			return err
		}
		if err := t.lockAssets(asset.Workspace, []string{asset.ID}); err != nil {
			return err
		}
		id = s.ids.New(KindSuite)
		made, err := t.runUnscoped(createSuiteQuery, map[string]any{
			"asset": asset.ID, "workspace": asset.Workspace, "id": id, "name": in.Name, "description": in.Description,
			"owner": e.User, "at": s.nowMillis(), "checks": checks,
		})
		if err != nil {
			return err
		}
		if len(made) == 0 {
			return fault.NotFound("asset") // it went away while the lock was waited for
		}
		t.record(Event{Action: "suite.create", Resource: id, AdminOverride: right.AdminOverride, After: map[string]any{"asset": asset.ID, "name": in.Name, "checks": len(checks)}})
		return t.keepVerdicts(asset.Workspace, []string{asset.ID})
	})
	return id, err
}

// newChecks are the parameters of the checks. Errors: BAD_USER_INPUT for an unknown column.
func (e entered) newChecks(asset assetForWrite, checks []NewCheck) ([]any, error) {
	out := make([]any, 0, len(checks))
	for _, c := range checks {
		params, err := asset.checkParams("input.checks", e.store.ids.New(KindCheck), c)
		if err != nil {
			return nil, err
		}
		out = append(out, params)
	}
	return out, nil
}

// checkParams are the parameters of a check on the asset, field where it stands in the input. Errors:
// BAD_USER_INPUT for an unknown column.
func (a assetForWrite) checkParams(field, id string, c NewCheck) (map[string]any, error) {
	if c.Column != nil && !slices.Contains(a.Columns, *c.Column) {
		return nil, fault.BadInput(field+".column", "The asset has no column of this name. Look at asset.columns.")
	}
	config, err := encoded(c.Config)
	if err != nil {
		return nil, fault.BadInput(field+".config", "The config is no JSON value.")
	}
	return map[string]any{
		"id": id, "name": c.Name, "expectation": c.Expectation, "column": c.Column,
		"severity": string(c.Severity), "dimension": string(c.Dimension), "config": config,
	}, nil
}
