package testkit

import (
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/teststack"
)

// Restrict hides an asset from restricted viewers, as the world's admin.
func (w *World) Restrict(asset string) {
	w.t.Helper()
	_, err := w.Store.UpdateAsset(w.t.Context(), w.Writer(w.Member(graph.RoleAdmin), authz.UpdateAsset), asset,
		graph.AssetChange{IsRestricted: graph.Change[bool]{Set: true, Value: true}})
	require.NoError(w.t, err)
}

// Give makes a member the owner of a suite.
func (w *World) Give(suite string, to Member) {
	w.t.Helper()
	w.plant(`MATCH (s:Suite {id: $id, workspace: $workspace}) SET s.owner = $owner RETURN s.id`, map[string]any{"id": suite, "owner": to.ID})
}

// ForgetVersions sets every version of the world back to where it began.
func (w *World) ForgetVersions() {
	w.t.Helper()
	w.plant(`MATCH (e:Epoch {workspace: $workspace}) SET e.v = [i IN range(0, size(e.v) - 2) | 0] + e.v[-1..] RETURN count(e)`, map[string]any{})
}

// plant runs what no mutation writes and no query reads yet, straight through the driver. The statement
// returns one value.
func (w *World) plant(statement string, params map[string]any) any {
	w.t.Helper()
	uri, user, password := teststack.Neo4j(w.t)
	driver, err := neo4j.NewDriverWithContext(uri, neo4j.BasicAuth(user, password, ""))
	require.NoError(w.t, err)
	defer func() { _ = driver.Close(w.t.Context()) }()
	params["workspace"] = w.Workspace
	result, err := neo4j.ExecuteQuery(w.t.Context(), driver, statement, params, neo4j.EagerResultTransformer)
	require.NoError(w.t, err)
	require.Len(w.t, result.Records, 1, "nothing to plant on")
	return result.Records[0].Values[0]
}

// Events is how many audit events the world has.
func (w *World) Events() int {
	w.t.Helper()
	return int(w.plant(`MATCH (e:AuditEvent {workspace: $workspace}) RETURN count(e)`, map[string]any{}).(int64))
}
