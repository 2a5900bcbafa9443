package graph

import (
	"context"
	"fmt"
	"time"

	"github.com/strata-gateway/strata/fault"
)

// migration is one step of the schema: forward only, and safe to run again after it was cut short.
type migration struct {
	number     int
	about      string
	statements []string
}

func migrations() []migration {
	return []migration{
		{1, "unique ids and names", []string{
			`CREATE CONSTRAINT migration_number IF NOT EXISTS FOR (n:Migration) REQUIRE n.number IS UNIQUE`,
			`CREATE CONSTRAINT workspace_id IF NOT EXISTS FOR (n:Workspace) REQUIRE n.id IS UNIQUE`,
			`CREATE CONSTRAINT user_id IF NOT EXISTS FOR (n:User) REQUIRE n.id IS UNIQUE`,
			`CREATE CONSTRAINT user_email IF NOT EXISTS FOR (n:User) REQUIRE n.email IS UNIQUE`,
			`CREATE CONSTRAINT team_id IF NOT EXISTS FOR (n:Team) REQUIRE n.id IS UNIQUE`,
			`CREATE CONSTRAINT team_name IF NOT EXISTS FOR (n:Team) REQUIRE (n.workspace, n.name) IS UNIQUE`,
			`CREATE CONSTRAINT datasource_id IF NOT EXISTS FOR (n:Datasource) REQUIRE n.id IS UNIQUE`,
			`CREATE CONSTRAINT datasource_name IF NOT EXISTS FOR (n:Datasource) REQUIRE (n.workspace, n.name) IS UNIQUE`,
			`CREATE CONSTRAINT dataset_id IF NOT EXISTS FOR (n:Dataset) REQUIRE (n.id, n.workspace) IS UNIQUE`,
			`CREATE CONSTRAINT asset_name IF NOT EXISTS FOR (n:Asset) REQUIRE (n.datasource, n.name) IS UNIQUE`,
			`CREATE CONSTRAINT column_id IF NOT EXISTS FOR (n:Column) REQUIRE n.id IS UNIQUE`,
			`CREATE CONSTRAINT suite_id IF NOT EXISTS FOR (n:Suite) REQUIRE n.id IS UNIQUE`,
			`CREATE CONSTRAINT check_id IF NOT EXISTS FOR (n:Check) REQUIRE n.id IS UNIQUE`,
			`CREATE CONSTRAINT config_suite IF NOT EXISTS FOR (n:ValidationConfig) REQUIRE (n.suite, n.batch) IS UNIQUE`,
			`CREATE CONSTRAINT run_id IF NOT EXISTS FOR (n:Run) REQUIRE n.id IS UNIQUE`,
			`CREATE CONSTRAINT audit_id IF NOT EXISTS FOR (n:AuditEvent) REQUIRE n.id IS UNIQUE`,
			`CREATE CONSTRAINT epoch_shard IF NOT EXISTS FOR (n:Epoch) REQUIRE (n.workspace, n.shard) IS UNIQUE`,
			`CREATE CONSTRAINT secret_name IF NOT EXISTS FOR (n:Secret) REQUIRE n.name IS UNIQUE`,
			`CREATE CONSTRAINT assertion_id IF NOT EXISTS FOR (n:Assertion) REQUIRE (n.edge, n.producer, n.workspace) IS UNIQUE`,
			`CREATE CONSTRAINT feeds_id IF NOT EXISTS FOR ()-[r:FEEDS]-() REQUIRE (r.id, r.workspace) IS UNIQUE`,
			`CREATE CONSTRAINT share_id IF NOT EXISTS FOR ()-[r:SHARE]-() REQUIRE r.id IS UNIQUE`,
		}},
		{2, "indexes for lists, lookups and search", []string{
			`CREATE INDEX asset_by_name IF NOT EXISTS FOR (n:Asset) ON (n.workspace, n.name, n.id)`,
			`CREATE INDEX asset_by_workspace IF NOT EXISTS FOR (n:Asset) ON (n.workspace)`,
			`CREATE INDEX suite_by_workspace IF NOT EXISTS FOR (n:Suite) ON (n.workspace)`,
			`CREATE INDEX datasource_by_workspace IF NOT EXISTS FOR (n:Datasource) ON (n.workspace)`,
			`CREATE INDEX assertion_by_producer IF NOT EXISTS FOR (n:Assertion) ON (n.workspace, n.producer)`,
			`CREATE INDEX audit_by_time IF NOT EXISTS FOR (n:AuditEvent) ON (n.workspace, n.at)`,
			`CREATE FULLTEXT INDEX asset_text IF NOT EXISTS FOR (n:Asset) ON EACH [n.searchText, n.workspace] OPTIONS {indexConfig: {` +
				"`fulltext.analyzer`: 'whitespace'}}",
			`CALL db.awaitIndexes(300)`,
		}},
		{3, "groups of the directory", []string{
			`CREATE CONSTRAINT group_id IF NOT EXISTS FOR (n:Group) REQUIRE n.id IS UNIQUE`,
			`CREATE CONSTRAINT group_name IF NOT EXISTS FOR (n:Group) REQUIRE (n.workspace, n.name) IS UNIQUE`,
		}},
		{4, "the history of one thing", []string{
			`CREATE INDEX audit_by_resource IF NOT EXISTS FOR (n:AuditEvent) ON (n.resource, n.at)`,
			`CALL db.awaitIndexes(300)`,
		}},
		{5, "what is about a suite, and what one person or request did", []string{
			`CREATE INDEX audit_by_suite IF NOT EXISTS FOR (n:AuditEvent) ON (n.suite, n.at)`,
			`CREATE INDEX audit_by_actor IF NOT EXISTS FOR (n:AuditEvent) ON (n.actor, n.at)`,
			`CREATE INDEX audit_by_request IF NOT EXISTS FOR (n:AuditEvent) ON (n.requestId, n.at)`,
			`CALL db.awaitIndexes(300)`,
		}},
		{6, "what a request reads first stands by its workspace", []string{
			`MATCH (e:Epoch) WHERE size(e.v) = 15 SET e.v = e.v + [CASE e.workspace WHEN $organization THEN 16 ELSE 0 END + e.shard]`,
			`MATCH (t:Team) WHERE t.everyone MATCH (w:Workspace {id: t.workspace}) SET w.everyone = t.id
			 WITH w MATCH (e:Epoch) WHERE e.workspace IN [w.id, $organization] MERGE (w)-[:HAS_EPOCH]->(e)`,
		}},
		{7, "one counter of what belongs to the organization", []string{
			`MATCH (e:Epoch {workspace: $organization}) WHERE e.shard > 0 DETACH DELETE e`,
		}},
		{8, "retired edges", []string{
			`CREATE CONSTRAINT fed_id IF NOT EXISTS FOR ()-[r:FED]-() REQUIRE (r.id, r.workspace) IS UNIQUE`,
		}},
		{9, "dependencies of columns, by edge", []string{
			`CREATE INDEX derives_by_edge IF NOT EXISTS FOR ()-[r:DERIVES]-() ON (r.edge, r.workspace)`,
			`CREATE INDEX derives_all_by_edge IF NOT EXISTS FOR ()-[r:DERIVES_ALL]-() ON (r.edge, r.workspace)`,
			`CALL db.awaitIndexes(300)`,
		}},
	}
}

// migrationLock is held, as a write lock on a node, by the replica that migrates.
const migrationLockQuery = `
MERGE (l:Secret {name: 'migration-lock'})
SET l.holder = $holder
WITH l
OPTIONAL MATCH (m:Migration)
RETURN collect(m.number)`

const migrationDoneQuery = `
MERGE (m:Migration {number: $number})
ON CREATE SET m.about = $about, m.at = $at`

const migrationsDoneQuery = `MATCH (m:Migration) RETURN collect(m.number)`

// isCurrent reports whether exactly this build's migrations are done, which most starts find: it takes one
// read instead of the lock.
func (s *Store) isCurrent(ctx context.Context) (bool, error) {
	rows, err := s.readUnscoped(ctx, migrationsDoneQuery, nil)
	if err != nil {
		return false, err
	}
	done := map[int]bool{}
	for _, n := range integers(rows[0][0]) {
		done[n] = true
	}
	for _, m := range migrations() {
		if !done[m.number] {
			return false, nil
		}
	}
	return len(done) == len(migrations()), nil
}

// Migrate brings the store to the schema of this build. Two replicas that start together take turns.
// Errors: CONFLICT if the store was migrated by a newer build.
func (s *Store) Migrate(ctx context.Context) error {
	if current, err := s.isCurrent(ctx); err != nil || current {
		return err
	}
	steps := migrations()
	// The lock itself needs its constraint, or two replicas could make two locks.
	for _, name := range []string{
		`CREATE CONSTRAINT secret_name IF NOT EXISTS FOR (n:Secret) REQUIRE n.name IS UNIQUE`,
		`CREATE CONSTRAINT migration_number IF NOT EXISTS FOR (n:Migration) REQUIRE n.number IS UNIQUE`,
	} {
		if _, err := s.autoCommit(ctx, writeMode, name, nil); err != nil {
			return fmt.Errorf("prepare migrations: %w", err)
		}
	}
	return s.write(ctx, Actor{}, func(t *tx) error {
		rows, err := t.runUnscoped(migrationLockQuery, map[string]any{"holder": s.ids.New(KindAudit)})
		if err != nil {
			return err
		}
		done := map[int]bool{}
		for _, n := range list(rows[0][0]) {
			done[integer(n)] = true
			if integer(n) > steps[len(steps)-1].number {
				return fault.New(fault.CodeConflict, "The graph store was migrated by a newer Strata. Start that version, or use another data folder.")
			}
		}
		for _, m := range steps {
			if done[m.number] {
				continue
			}
			if err := s.apply(ctx, t, m); err != nil {
				return fmt.Errorf("migration %d (%s): %w", m.number, m.about, err)
			}
		}
		return nil
	})
}

// apply runs a step's statements in transactions of their own, since the store does not mix changes of
// schema and of data, and notes it as done in the transaction that holds the lock.
func (s *Store) apply(ctx context.Context, t *tx, m migration) error {
	for _, statement := range m.statements {
		if _, err := s.autoCommit(ctx, writeMode, statement, map[string]any{"organization": s.organization}); err != nil {
			return err
		}
	}
	s.log.InfoContext(ctx, "migrated", "number", m.number, "about", m.about)
	_, err := t.runUnscoped(migrationDoneQuery, map[string]any{"number": m.number, "about": m.about, "at": time.Now().UnixMilli()})
	return err
}
