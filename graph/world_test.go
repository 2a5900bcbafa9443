package graph_test

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/teststack"
)

// world is a workspace of its own in the real store, with one member of each role.
type world struct {
	t         *testing.T
	store     *graph.Store
	driver    neo4j.DriverWithContext
	workspace string
	// organization is the test's own too, so that worlds do not see each other's assets.
	organization string
	policy       *authz.Policy
}

// newWorld makes the world of a test, which runs beside others.
func newWorld(t *testing.T) *world {
	t.Parallel()
	return anotherWorld(t)
}

func anotherWorld(t *testing.T) *world {
	ctx := t.Context()
	uri, user, password := teststack.Neo4j(t)
	var b [6]byte
	_, _ = rand.Read(b[:])
	workspace := "t-" + hex.EncodeToString(b[:])
	organization := "org-" + workspace
	store, err := graph.Open(ctx, graph.Config{URI: uri, User: user, Password: password, Organization: organization, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close(context.WithoutCancel(ctx)) })
	require.NoError(t, store.Migrate(ctx))
	driver, err := neo4j.NewDriverWithContext(uri, neo4j.BasicAuth(user, password, ""))
	require.NoError(t, err)
	t.Cleanup(func() { _ = driver.Close(context.WithoutCancel(ctx)) })
	w := &world{t: t, store: store, driver: driver, workspace: workspace, organization: organization, policy: authz.NewPolicy()}
	require.NoError(t, store.EnsureWorkspace(ctx, w.workspace))
	for _, role := range []graph.Role{graph.RoleAdmin, graph.RoleManager, graph.RoleMember, graph.RoleViewer} {
		w.enrol(role, w.email(role))
	}
	return w
}

// email is the address of the world's member of a role.
func (w *world) email(role graph.Role) string { return string(role) + "@" + w.workspace + ".test" }

func (w *world) enrol(role graph.Role, email string) string {
	id, err := w.store.EnsureMember(w.t.Context(), w.workspace, email, role, graph.Unrestricted)
	require.NoError(w.t, err)
	return id
}

// caller is who a member is now.
func (w *world) caller(email string) *authz.Caller {
	facts, _, err := w.store.Caller(w.t.Context(), email, w.workspace)
	require.NoError(w.t, err)
	c, err := w.policy.Caller(facts)
	require.NoError(w.t, err)
	return c
}

// as is a member who asks for a change under a rule.
func (w *world) as(email string, rule authz.Rule) graph.Writer {
	writer, err := authz.Writer(authz.WithCaller(w.t.Context(), w.caller(email)), "request-1", rule)
	require.NoError(w.t, err)
	return writer
}

// datasource makes a datasource that the manager owns.
func (w *world) datasource(in graph.NewDatasource) *graph.Datasource {
	d, err := w.store.CreateDatasource(w.t.Context(), w.as(w.email(graph.RoleManager), authz.CreateDatasource), in)
	require.NoError(w.t, err)
	return d
}

// rows runs a statement straight through the driver: what tests look at behind the store's back.
func (w *world) rows(statement string, params map[string]any) [][]any {
	if params == nil {
		params = map[string]any{}
	}
	params["workspace"] = w.workspace
	result, err := neo4j.ExecuteQuery(w.t.Context(), w.driver, statement, params, neo4j.EagerResultTransformer)
	require.NoError(w.t, err)
	var out [][]any
	for _, r := range result.Records {
		out = append(out, r.Values)
	}
	return out
}

// count is the one number that a statement returns.
func (w *world) count(statement string) int {
	rows := w.rows(statement, nil)
	require.Len(w.t, rows, 1)
	return int(rows[0][0].(int64))
}

// audience sees everything of the workspace.
func (w *world) audience() graph.Audience { return w.caller(w.email(graph.RoleAdmin)).Audience }

// verdict is the kept verdict of an asset.
func (w *world) verdict(asset string) graph.Verdict {
	found, err := w.store.Verdicts(w.t.Context(), w.audience(), []string{asset})
	require.NoError(w.t, err)
	require.Contains(w.t, found, asset)
	return *found[asset]
}

// versions are the epochs as the widest class sees them, by family.
func (w *world) versions() map[graph.Family]string {
	_, epochs, err := w.store.Caller(w.t.Context(), w.email(graph.RoleAdmin), w.workspace)
	require.NoError(w.t, err)
	out := map[graph.Family]string{}
	for _, f := range []graph.Family{graph.FamilyLineage, graph.FamilyCatalog, graph.FamilyVerdict, graph.FamilyDirectory, graph.FamilyPolicy} {
		out[f] = epochs.Version(f, graph.ClassFull)
	}
	return out
}

// events are the actions of the workspace's audit events, in no order.
func (w *world) events() []string {
	var actions []string
	for _, r := range w.rows(`MATCH (e:AuditEvent {workspace: $workspace}) RETURN e.action`, nil) {
		actions = append(actions, r[0].(string))
	}
	return actions
}
