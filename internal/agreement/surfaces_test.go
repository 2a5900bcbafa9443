package agreement

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/strata-gateway/strata/internal/testkit"
	"github.com/strata-gateway/strata/server"
)

// TestMain makes each law be tried on fewer worlds than rapid's hundred: a world takes half a second.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		_ = f.Value.Set("15") // a number: cannot fail
	}
	os.Exit(m.Run())
}

// everything is all that a surface can tell of an asset.
const everything = `fragment everything on Asset {
  __typename id name type env namespace description sourceDescription ownerEmail sourceOwners tags isRestricted isMonitored
  lastSeenAt columnCount upstreamCount downstreamCount datasource { id name kind }
  columns(first: 5) { totalCount edges { node { id name type ordinal } } }
  verdict { worstSeverity checksTotal checksPassed hasFailedRun hasRunningRun hasOpenIncident lastRunAt suiteCount
    scorecard { dimension coverage score } }
  suites(first: 10) { totalCount edges { node { id name } } }
  restrictedSuiteCount
}`

// sight is how one caller sees one asset.
type sight struct {
	IsMonitored bool
	Verdict     json.RawMessage
	Suites      struct {
		TotalCount int
		Edges      []struct{ Node struct{ ID string } }
	}
	RestrictedSuiteCount int
}

// surfaces asks for every asset in every way there is, and returns what each way tells of each asset, by
// the name of the way and the id of the asset.
func surfaces(t *rapid.T, e *estate, c *testkit.Client, ctx testing.TB) map[string]map[string]string {
	ids := make([]string, len(e.assets))
	var doc, next, hit strings.Builder
	for i, a := range e.assets {
		ids[i] = a.id
		fmt.Fprintf(&doc, " detail%d: asset(id: %q) { ...everything } node%d: node(id: %q) { ...everything }"+
			" graph%d: lineage(node: %q, depth: 2) { nodes { id kind asset { ...everything } } }", i, a.id, i, a.id, i, a.id)
		fmt.Fprintf(&next, " expand%d: expand(node: %q, direction: DOWNSTREAM) { edges { node { node { asset { ...everything } } } } }", i, a.id)
		fmt.Fprintf(&hit, " impact%d: impact(node: %q) { edges { node { asset { ...everything } } } }", i, a.id)
	}
	ways := map[string]map[string]string{}
	fmt.Fprintf(&hit, " canvas: workspaceLineage(datasources: [%q]) { nodes { asset { ...everything } } }"+
		" ranking: impactRanking(datasource: %q) { edges { node { asset { ...everything } } } }", e.datasource, e.datasource)
	first := c.Query(ctx.Context(), `query($ids: [ID!]!) {
	  assets(first: 20) { totalCount edges { node { ...everything } } }
	  nodes(ids: $ids) { ...everything }
	  search(text: "asset", first: 20) { totalCount edges { node { ...everything } } }
	} `+everything, map[string]any{"ids": ids}, nil)
	require.Empty(t, first.Errors)
	for way, data := range fields(t, first.Data) {
		ways[way] = gathered(t, data)
	}
	for i, doc := range []string{doc.String(), next.String(), hit.String()} {
		answer := c.Query(ctx.Context(), "{"+doc+"} "+everything, nil, nil)
		for _, code := range answer.Codes() {
			require.Equal(t, 2, i, "of an impact alone it may be said what it needs")
			require.Equal(t, "FORBIDDEN", code)
		}
		for alias, data := range fields(t, answer.Data) {
			gather(t, ways, strings.TrimRight(alias, "0123456789"), data)
		}
	}
	return ways
}

// gather adds what an answer tells of assets to a way, which agrees with itself.
func gather(t *rapid.T, ways map[string]map[string]string, way string, data json.RawMessage) {
	if ways[way] == nil {
		ways[way] = map[string]string{}
	}
	for id, seen := range gathered(t, data) {
		if before, ok := ways[way][id]; ok {
			require.Equal(t, before, seen, "%s disagrees with itself", way)
		}
		ways[way][id] = seen
	}
}

func fields(t *rapid.T, data json.RawMessage) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(data, &out))
	return out
}

// gathered finds every asset in an answer, wherever it stands, by id.
func gathered(t *rapid.T, data json.RawMessage) map[string]string {
	out := map[string]string{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			if v["__typename"] == "Asset" {
				b, err := json.Marshal(v)
				require.NoError(t, err)
				out[v["id"].(string)] = string(b)
				return
			}
			for _, x := range v {
				walk(x)
			}
		}
	}
	var v any
	require.NoError(t, json.Unmarshal(data, &v))
	walk(v)
	return out
}

func TestThreeSurfacesAgree(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		e := drawEstate(t, rt)
		g := testkit.NewGateway(t, e.World, func(d *server.Deps) { d.Limits.Complexity = 10_000_000 })
		public := map[string]string{} // the verdict of each asset as the first caller saw it
		for _, c := range e.callers {
			ways := surfaces(rt, e, g.As(c.Email), t)
			require.ElementsMatch(rt, []string{"assets", "nodes", "search", "detail", "node", "graph", "expand", "impact", "canvas", "ranking"}, slices.Collect(maps.Keys(ways)))
			for _, a := range e.assets {
				checkAsset(rt, e, c, a, ways, public)
			}
			checkSuites(rt, e, g.As(c.Email), c, t)
		}
	})
}

func checkAsset(t *rapid.T, e *estate, c subject, a *asset, ways map[string]map[string]string, public map[string]string) {
	want, seen := ways["detail"][a.id]
	require.Equal(t, c.sees(a), seen, "%s and %s", c.name, a.name)
	for way, found := range ways {
		got, ok := found[a.id]
		if !ok && slices.Contains([]string{"expand", "impact", "canvas", "ranking"}, way) {
			continue // they show what others lead to, or what only some may read out
		}
		require.Equal(t, seen, ok, "%s shows %s to %s otherwise than its detail", way, a.name, c.name)
		require.Equal(t, want, got, "%s of %s for %s", way, a.name, c.name)
	}
	if !seen {
		return
	}
	var s sight
	require.NoError(t, json.Unmarshal([]byte(want), &s))
	if public[a.id] == "" {
		public[a.id] = string(s.Verdict)
	}
	require.Equal(t, public[a.id], string(s.Verdict), "one verdict for everyone")
	ids := []string{}
	for _, edge := range s.Suites.Edges {
		ids = append(ids, edge.Node.ID)
	}
	require.Equal(t, e.viewable(c, a), ids, "%s's suites on %s", c.name, a.name)
	require.Len(t, ids, s.Suites.TotalCount)
	require.Equal(t, e.monitoredBy(a)-len(ids), s.RestrictedSuiteCount)
	require.Equal(t, e.monitoredBy(a) > 0, s.IsMonitored)
}

// checkSuites asks for every suite and run in every way there is.
func checkSuites(t *rapid.T, e *estate, g *testkit.Client, c subject, ctx testing.TB) {
	ids, want := []string{}, []string(nil)
	var visible []string
	for _, s := range e.suites {
		for _, id := range append([]string{s.id}, s.runs...) {
			ids = append(ids, id)
			if c.views(s) {
				want = append(want, id)
			}
		}
		if c.views(s) {
			visible = append(visible, s.id)
		}
	}
	var list struct {
		Suites struct {
			TotalCount int
			Edges      []struct{ Node struct{ ID string } }
		}
		Nodes []*struct{ ID string }
	}
	g.Query(ctx.Context(), `query($ids: [ID!]!) { suites(first: 50) { totalCount edges { node { id } } } nodes(ids: $ids) { id } }`,
		map[string]any{"ids": ids}, &list).RequireNoErrors(ctx)
	var listed, found []string
	for _, edge := range list.Suites.Edges {
		listed = append(listed, edge.Node.ID)
	}
	for i, n := range list.Nodes {
		if n != nil {
			require.Equal(t, ids[i], n.ID)
			found = append(found, n.ID)
		}
	}
	require.Equal(t, visible, listed)
	require.Len(t, visible, list.Suites.TotalCount)
	require.Equal(t, want, found)
	for _, id := range ids {
		field := "suite"
		if strings.HasPrefix(id, "run_") {
			field = "run"
		}
		answer := g.Query(ctx.Context(), fmt.Sprintf(`{ x: %s(id: %q) { id } }`, field, id), nil, nil)
		require.Empty(t, answer.Errors)
		require.Equal(t, slices.Contains(want, id), string(answer.Data) != `{"x":null}`, "%s of %s", id, c.name)
	}
}
