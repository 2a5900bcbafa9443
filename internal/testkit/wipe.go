package testkit

import (
	"maps"
	"slices"

	"github.com/stretchr/testify/require"
)

// wipes delete what a workspace holds, each by an index or from what the one before it found: the server is
// shared, and looking at all of it takes long.
func wipes() []string {
	return []string{
		`MATCH (s:Suite {workspace: $workspace})
			OPTIONAL MATCH (s)-[:HAS_CONFIG]->(k:ValidationConfig) OPTIONAL MATCH (k)-[:HAS_RUN]->(r:Run)
			OPTIONAL MATCH (r)-[:HAS_RESULT]->(x:Result) OPTIONAL MATCH (x)-[:OF_CHECK]->(p:Check) OPTIONAL MATCH (s)-[:HAS_CHECK]->(c:Check)
			DETACH DELETE x, r, k, p, c, s RETURN count(*)`,
		`MATCH (a:Asset {workspace: $workspace}) OPTIONAL MATCH (a)-[:FEEDS|FED]-(x:External) OPTIONAL MATCH (a)-[:HAS_COLUMN]->(c:Column)
			DETACH DELETE a, x, c RETURN count(*)`,
		`MATCH (y:Assertion {workspace: $workspace}) WHERE y.producer IS NOT NULL DELETE y RETURN count(*)`,
		`MATCH (d:Datasource {workspace: $workspace}) DETACH DELETE d RETURN count(*)`,
		`MATCH (t:Team {workspace: $workspace}) WHERE t.name IS NOT NULL DETACH DELETE t RETURN count(*)`,
		`MATCH (g:Group {workspace: $workspace}) WHERE g.name IS NOT NULL DETACH DELETE g RETURN count(*)`,
		`MATCH (e:AuditEvent {workspace: $workspace}) WHERE e.at IS NOT NULL DELETE e RETURN count(*)`,
		`MATCH (e:Epoch {workspace: $workspace}) WHERE e.shard IS NOT NULL DETACH DELETE e RETURN count(*)`,
		`UNWIND $emails AS email MATCH (u:User {email: email}) DETACH DELETE u RETURN count(*)`,
		`MATCH (w:Workspace {id: $workspace}) OPTIONAL MATCH (w)-[:HAS_PROJECT]->(p) DETACH DELETE p, w RETURN count(*)`,
	}
}

// Wipe deletes all that the world holds, its members and workspace included, and makes it anew, empty.
func (w *World) Wipe() {
	w.t.Helper()
	emails := []string{}
	for m := range maps.Values(w.members) {
		emails = append(emails, m.Email)
	}
	slices.Sort(emails)
	for _, statement := range wipes() {
		w.plant(statement, map[string]any{"emails": emails})
	}
	w.members, w.groups, w.runs = map[string]Member{}, map[string]string{}, 0
	require.NoError(w.t, w.Store.EnsureWorkspace(w.t.Context(), w.Workspace))
}
