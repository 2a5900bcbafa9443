package agreement

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/cache"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
	"github.com/strata-gateway/strata/internal/teststack"
)

// roundsVariable asks for another number of rounds of TestAWriteThroughOneReplicaIsSeenThroughTheOther.
const roundsVariable = "STRATA_TEST_REPLICA_ROUNDS"

// sharingRedis has a cache share the Redis of the tests with those of the same name, as replicas do.
func sharingRedis(t *testing.T, name string) func(*cache.Config) {
	return func(c *cache.Config) {
		c.Redis, c.Build = teststack.Redis(t), name
		c.Secret = []byte("the secret that the replicas of a test share")
	}
}

// TestAWriteThroughOneReplicaIsSeenThroughTheOther has eight clients change a workspace, each an asset's tags and an
// edge of its own, now through one of two replicas and now through the other; what they changed is in the very next
// answer of the other one, both of a batch of assets and of a graph.
func TestAWriteThroughOneReplicaIsSeenThroughTheOther(t *testing.T) {
	const clients, usual = 8, 800
	rounds := usual
	if v := os.Getenv(roundsVariable); v != "" {
		var err error
		rounds, err = strconv.Atoi(v)
		require.NoError(t, err)
	}
	w := testkit.NewWorld(t)
	admin := w.Member(graph.RoleAdmin)
	d := w.Datasource(admin, "warehouse", graph.Viewer)
	hub := w.Asset(admin, d, "hub").ID
	keep := sharingRedis(t, w.Workspace)
	replicas := []*testkit.Gateway{testkit.NewGateway(t, w, testkit.Keeping(t, w.Store, keep)), testkit.NewGateway(t, w, testkit.Keeping(t, w.Store, keep))}
	var all sync.WaitGroup
	for c := range clients {
		mine := w.Asset(admin, d, fmt.Sprintf("of client %d", c)).ID
		all.Go(func() {
			edge := ""
			for round := range rounds / clients {
				one, other := replicas[(c+round)%2].As(admin.Email), replicas[(c+round+1)%2].As(admin.Email)
				tag := fmt.Sprintf("round %d", round)
				one.Query(t.Context(), fmt.Sprintf(`mutation { updateAsset(input: {id: %q, tags: [%q]}) { asset { id } } }`, mine, tag), nil, nil).RequireNoErrors(t)
				edge = turn(t, one, edge, hub, mine)
				if !sees(t, other, hub, mine, tag, edge) {
					return
				}
			}
		})
	}
	all.Wait()
}

// turn deletes the edge that a client drew, or draws it if there is none, and returns which one there is now.
func turn(t *testing.T, c *testkit.Client, edge, source, target string) string {
	if edge != "" {
		c.Query(t.Context(), fmt.Sprintf(`mutation { deleteEdge(input: {edge: %q}) { outcome } }`, edge), nil, nil).RequireNoErrors(t)
		return ""
	}
	var drawn struct {
		AddEdge struct{ Edge struct{ ID string } }
	}
	c.Query(t.Context(), fmt.Sprintf(`mutation { addEdge(input: {source: {asset: %q}, target: {asset: %q}}) { edge { id } } }`, source, target), nil, &drawn).RequireNoErrors(t)
	return drawn.AddEdge.Edge.ID
}

// sees reports whether a batch of assets has the tag, and a graph the edge or none.
func sees(t *testing.T, c *testkit.Client, hub, mine, tag, edge string) bool {
	var got struct {
		Nodes   []struct{ Tags []string }
		Lineage struct{ Edges []struct{ ID, Target string } }
	}
	c.Query(t.Context(), fmt.Sprintf(`{ nodes(ids: [%q, %q]) { ... on Asset { tags } } lineage(node: %q, direction: DOWNSTREAM, depth: 1) { edges { id target } } }`, hub, mine, hub), nil, &got).RequireNoErrors(t)
	found := ""
	for _, e := range got.Lineage.Edges {
		if e.Target == mine {
			found = e.ID
		}
	}
	return assert.Equal(t, []string{tag}, got.Nodes[1].Tags) && assert.Equal(t, edge, found)
}

// TestManyWhoAskTheSameColdQuestionCostOneWalk: what is the same for all of an audience is read once for all of it.
func TestManyWhoAskTheSameColdQuestionCostOneWalk(t *testing.T) {
	const clients = 64
	w := testkit.NewWorld(t)
	admin := w.Member(graph.RoleAdmin)
	ids := w.Graph(admin, w.Datasource(admin, "warehouse", graph.Viewer), "project", "raw>staging", "staging>mart")
	question := fmt.Sprintf(`{ lineage(node: %q, depth: 5) { nodes { id } edges { id } } }`, ids["staging"])
	statements := func(g *testkit.Gateway) int {
		answer := g.As(admin.Email).Query(t.Context(), question, nil, nil)
		answer.RequireNoErrors(t)
		return answer.Statements
	}
	alone := statements(testkit.NewGateway(t, w))
	g := testkit.NewGateway(t, w, testkit.Keeping(t, w.Store))
	var (
		all   sync.WaitGroup
		count = make([]int, clients)
	)
	for i := range clients {
		all.Go(func() { count[i] = statements(g) })
	}
	all.Wait()
	sum := 0
	for _, n := range count {
		sum += n
	}
	require.Greater(t, alone, 1)
	assert.Equal(t, clients+alone-1, sum, "a first round trip for each, and one walk")
}

// TestPagesAreOfOneResultOnEveryReplica: with a Redis between them, the next page may be asked of another replica,
// whatever has changed; without, as long as the result is what it was.
func TestPagesAreOfOneResultOnEveryReplica(t *testing.T) {
	w := testkit.NewWorld(t)
	admin := w.Member(graph.RoleAdmin)
	d := w.Datasource(admin, "warehouse", graph.Viewer)
	ids := w.Graph(admin, d, "project", "raw>a", "raw>b", "raw>c", "raw>d")
	page := func(g *testkit.Gateway, after any) (names []string, cursor string, codes []string) {
		var got struct {
			Impact *struct {
				PageInfo struct{ EndCursor string }
				Edges    []struct{ Node struct{ Label string } }
			}
		}
		answer := g.As(admin.Email).Query(t.Context(), `query($node: ID!, $after: String) { impact(node: $node, first: 2, after: $after, orderBy: {field: NAME}) { pageInfo { endCursor } edges { node { label } } } }`,
			map[string]any{"node": ids["raw"], "after": after}, &got)
		if got.Impact == nil {
			return nil, "", answer.Codes()
		}
		for _, e := range got.Impact.Edges {
			names = append(names, e.Node.Label)
		}
		return names, got.Impact.PageInfo.EndCursor, answer.Codes()
	}
	one, other := testkit.NewGateway(t, w, testkit.Keeping(t, w.Store, sharingRedis(t, w.Workspace))), testkit.NewGateway(t, w, testkit.Keeping(t, w.Store, sharingRedis(t, w.Workspace)))
	apart := testkit.NewGateway(t, w)
	first, cursor, _ := page(one, nil)
	require.Equal(t, []string{"a", "b"}, first)
	w.Asset(admin, d, "an asset apart")
	rest, _, _ := page(apart, cursor)
	require.Equal(t, []string{"c", "d"}, rest, "nothing of it has changed")
	w.Feeds(admin, ids["raw"], w.Asset(admin, d, "ab").ID)
	rest, _, _ = page(other, cursor)
	assert.Equal(t, []string{"c", "d"}, rest)
	_, _, codes := page(testkit.NewGateway(t, w), cursor)
	assert.Equal(t, []string{"CURSOR_EXPIRED"}, codes)
}
