package graph

import (
	"context"
	"time"
)

// Check is one expectation of a suite.
type Check struct {
	ID          string
	Name        string
	Expectation string
	Column      *string
	Severity    Severity
	Dimension   Dimension
	Config      any
}

// content is what the check is made of.
func (c *Check) content() NewCheck {
	return NewCheck{Name: c.Name, Expectation: c.Expectation, Column: c.Column, Severity: c.Severity, Dimension: c.Dimension, Config: c.Config}
}

// facts are what an audit event says of a check.
func (c NewCheck) facts(id string) map[string]any {
	return map[string]any{
		"check": id, "name": c.Name, "expectation": c.Expectation, "column": c.Column, "severity": string(c.Severity),
		"dimension": string(c.Dimension), "config": c.Config,
	}
}

// CheckChange is what to change on a check.
type CheckChange struct {
	Name, Expectation Change[string]
	Column            Change[*string]
	Severity          Change[Severity]
	Dimension         Change[Dimension]
	Config            Change[any]
}

// after is what the change makes of a check.
func (c CheckChange) after(v NewCheck) NewCheck {
	c.Name.apply(&v.Name)
	c.Expectation.apply(&v.Expectation)
	c.Column.apply(&v.Column)
	c.Severity.apply(&v.Severity)
	c.Dimension.apply(&v.Dimension)
	c.Config.apply(&v.Config)
	return v
}

// checkColumns is a check c as one list.
const checkColumns = `[c.id, c.name, c.expectation, c.column, c.severity, c.dimension, c.config]`

func readCheck(v any) *Check {
	c := list(v)
	return &Check{
		ID: text(c[0]), Name: text(c[1]), Expectation: text(c[2]), Column: textOrNil(c[3]),
		Severity: Severity(text(c[4])), Dimension: Dimension(text(c[5])), Config: decoded(c[6]),
	}
}

const checksQuery = `
UNWIND $ids AS id
MATCH (s:Suite {id: id})-[:CHECKS]->(a:Dataset:Asset) WHERE $VISIBLE(a) AND $LADDER(s)
RETURN s.id, COLLECT { MATCH (s)-[:HAS_CHECK]->(c:Check) RETURN ` + checkColumns + ` ORDER BY c.name, c.id }`

// Checks returns the checks of the suites that the caller may view, by suite id.
func (s *Store) Checks(ctx context.Context, scope Scope, suites []string) (map[string][]*Check, error) {
	rows, err := s.readScoped(ctx, scope, checksQuery, map[string]any{"ids": suites})
	if err != nil {
		return nil, err
	}
	out := make(map[string][]*Check, len(rows))
	for _, r := range rows {
		checks := []*Check{}
		for _, v := range list(r[1]) {
			checks = append(checks, readCheck(v))
		}
		out[text(r[0])] = checks
	}
	return out, nil
}

// Share is a grant of one user or group on a suite: one of the two is nil.
type Share struct {
	ID         string
	User       *User
	Group      *Group
	Permission SharePermission
	CreatedAt  time.Time
}

// shareColumns is the share g of a holder h as one list.
const shareColumns = `[g.id, h.id, h.email, h.name, g.permission, g.at]`

const sharesQuery = `
UNWIND $ids AS id
MATCH (s:Suite {id: id})-[:CHECKS]->(a:Dataset:Asset) WHERE $VISIBLE(a) AND $LADDER(s)
RETURN s.id, COLLECT { MATCH (h)-[g:SHARE]->(s) RETURN ` + shareColumns + ` ORDER BY coalesce(h.email, h.name), h.id }`

// Shares returns the shares of the suites that the caller may view, by suite id.
func (s *Store) Shares(ctx context.Context, scope Scope, suites []string) (map[string][]*Share, error) {
	rows, err := s.readScoped(ctx, scope, sharesQuery, map[string]any{"ids": suites})
	if err != nil {
		return nil, err
	}
	out := make(map[string][]*Share, len(rows))
	for _, r := range rows {
		shares := []*Share{}
		for _, v := range list(r[1]) {
			shares = append(shares, readShare(v))
		}
		out[text(r[0])] = shares
	}
	return out, nil
}

func readShare(v any) *Share {
	c := list(v)
	share := &Share{ID: text(c[0]), Permission: SharePermission(text(c[4]))}
	if c[2] != nil {
		share.User = &User{ID: text(c[1]), Email: text(c[2])}
	} else {
		share.Group = &Group{ID: text(c[1]), Name: text(c[3])}
	}
	if at := instant(c[5]); at != nil {
		share.CreatedAt = *at
	}
	return share
}
