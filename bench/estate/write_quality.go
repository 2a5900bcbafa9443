package estate

import (
	"context"
	"time"
)

const suitesQuery = `
UNWIND $rows AS v
MATCH (a:Dataset:Asset {id: v.asset, workspace: $workspace})
CREATE (s:Suite {id: v.id, workspace: $workspace, asset: a.id, name: v.name, owner: v.owner, createdAt: $at})-[:CHECKS]->(a)
CREATE (s)-[:HAS_CONFIG]->(:ValidationConfig {workspace: $workspace, suite: s.id, batch: ''})`

const sharesQuery = `
UNWIND $rows AS v
MATCH (u:User {id: v.user})
MATCH (s:Suite {id: v.suite})
CREATE (u)-[:SHARE {id: v.id, permission: v.permission, at: $at, by: s.owner}]->(s)`

const checksQuery = `
UNWIND $rows AS v
MATCH (s:Suite {id: v.suite})
CREATE (s)-[:HAS_CHECK]->(:Check {id: v.id, workspace: $workspace, suite: s.id, name: v.name, expectation: v.expectation,
  column: v.column, severity: v.severity, dimension: v.dimension})`

const runsQuery = `
UNWIND $rows AS v
MATCH (k:ValidationConfig {suite: v.suite, batch: ''})
CREATE (k)-[:HAS_RUN]->(r:Run {id: v.id, workspace: $workspace, suite: v.suite, state: v.state, digest: v.digest, startedAt: v.startedAt,
  finishedAt: v.finishedAt, createdAt: v.createdAt, severityRank: v.severityRank, checksTotal: v.checksTotal,
  checksPassed: v.checksPassed, byDimension: v.byDimension})
FOREACH (_ IN CASE WHEN v.isLatest THEN [1] ELSE [] END | CREATE (k)-[:LATEST]->(r))
FOREACH (_ IN CASE WHEN v.finishedAt IS NULL THEN [1] ELSE [] END | CREATE (k)-[:ACTIVE]->(r))`

const resultsQuery = `
UNWIND $rows AS v
MATCH (r:Run {id: v.run})
MATCH (c:Check {id: v.check})
CREATE (r)-[:HAS_RESULT]->(:Result {workspace: $workspace, status: v.status, severity: v.severity, observed: v.observed,
  failingCount: v.failingCount})-[:OF_CHECK]->(c)`

// writeSuites writes the suites and what belongs to them.
func (l *loader) writeSuites(ctx context.Context) error {
	suites := l.params.Suites()
	for _, part := range []struct {
		statement string
		rows      func(Suite, func(record) bool) bool
	}{
		{suitesQuery, l.suiteRow}, {sharesQuery, l.shareRows}, {checksQuery, checkRows}, {runsQuery, runRows}, {resultsQuery, resultRows},
	} {
		if err := l.writeAll(ctx, part.statement, func(yield func(record) bool) {
			for _, s := range suites {
				if !part.rows(s, yield) {
					return
				}
			}
		}); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) suiteRow(s Suite, yield func(record) bool) bool {
	return yield(record{"id": s.ID, "asset": l.params.AssetID(s.Asset), "name": s.Name, "owner": l.users[s.Owner]})
}

func (l *loader) shareRows(s Suite, yield func(record) bool) bool {
	for _, g := range s.Shares {
		if !yield(record{"id": g.ID, "suite": s.ID, "user": l.users[g.User], "permission": string(g.Permission)}) {
			return false
		}
	}
	return true
}

func checkRows(s Suite, yield func(record) bool) bool {
	for _, c := range s.Checks {
		if !yield(record{
			"id": c.ID, "suite": s.ID, "name": c.Name, "expectation": c.Expectation, "column": orAbsent(c.Column),
			"severity": string(c.Severity), "dimension": string(c.Dimension),
		}) {
			return false
		}
	}
	return true
}

func runRows(s Suite, yield func(record) bool) bool {
	latest := s.latest()
	for i, r := range s.Runs {
		if !yield(record{
			"id": r.ID, "suite": s.ID, "state": string(r.State), "digest": r.digest(), "startedAt": r.StartedAt.UnixMilli(),
			"finishedAt": millisOrAbsent(r.FinishedAt), "createdAt": r.StartedAt.UnixMilli(), "severityRank": r.Severity.Rank(),
			"checksTotal": r.Total, "checksPassed": r.PassedTotal, "byDimension": r.ByDimension, "isLatest": latest == &s.Runs[i],
		}) {
			return false
		}
	}
	return true
}

func resultRows(s Suite, yield func(record) bool) bool {
	for _, r := range s.Runs {
		for i, passed := range r.Passed {
			row := record{"run": r.ID, "check": s.Checks[i].ID, "status": "PASSED", "severity": "NONE"}
			if !passed {
				row["status"], row["severity"] = "FAILED", string(s.Checks[i].Severity)
				row["observed"], row["failingCount"] = `{"rows":1000}`, len(s.Checks[i].Name)
			}
			if !yield(row) {
				return false
			}
		}
	}
	return true
}

func millisOrAbsent(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}
