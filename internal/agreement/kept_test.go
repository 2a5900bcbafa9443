package agreement

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
	"github.com/strata-gateway/strata/server"
)

// TestWhatIsKeptIsWhatWouldBeRead has random changes made, by an admin through a gateway that keeps answers, by
// ingests and by reports of runs, and after each of them asks that gateway, a second replica that shares a Redis with
// it, and a gateway that keeps nothing for everything that is kept, as callers with other rights: all answer the same,
// to the byte. So every change that an answer can show moves a version of its key, and nothing that is one caller's own
// is another's.
func TestWhatIsKeptIsWhatWouldBeRead(t *testing.T) {
	ids := &switchedIDs{source: testkit.SeededIDs([32]byte{})}
	w := testkit.NewWorld(t, testkit.Clock(frozen), testkit.IDs(ids), testkit.Named(testkit.RandomName()))
	draws := 0
	rapid.Check(t, func(rt *rapid.T) {
		p := drawPlan(rt)
		draws++
		ids.use(fmt.Sprintf("%s %d workspace", w.Workspace, draws))
		w.Wipe()
		b := &builder{plan: p, World: w, ids: ids, name: fmt.Sprintf("%s %d", w.Workspace, draws)}
		b.build()
		open := func(change ...func(*server.Deps)) *testkit.Gateway {
			g := testkit.NewGateway(t, w, append(change, func(d *server.Deps) { d.Limits.Complexity = 10_000_000 })...)
			rt.Cleanup(g.Close)
			return g
		}
		redis := sharingRedis(t, b.name)
		first, second, plain := open(testkit.Keeping(t, w.Store, redis)), open(testkit.Keeping(t, w.Store, redis)), open()
		all := append(append([]string{}, b.public...), b.secret...)
		asked := keptQueries(rt, all)
		for range rapid.IntRange(4, 8).Draw(rt, "changes") {
			change := drawChange(rt, b, all)
			b.ids.use(b.name + " " + change.name)
			change.make(first.As(b.owner.Email))
			for _, q := range asked {
				for _, who := range []testkit.Member{b.caller, b.other} {
					want := plain.As(who.Email).Query(t.Context(), q, nil, nil)
					for name, g := range map[string]*testkit.Gateway{"the first": first, "the second": second} {
						got := g.As(who.Email).Query(t.Context(), q, nil, nil)
						require.Equal(rt, want.Body, got.Body, "%s answers %s otherwise after %s", name, q, change.name)
					}
				}
			}
		}
	})
}

// change is something that an admin does to the world, or tries to.
type change struct {
	name string
	make func(*testkit.Client)
}

// drawChange draws a mutation, an ingest or a report of a run.
func drawChange(rt *rapid.T, b *builder, ids []string) change {
	of := func(kinds ...string) string { return rapid.SampledFrom(ofKinds(ids, kinds...)).Draw(rt, kinds[0]) }
	ctx := b.T().Context()
	return rapid.SampledFrom([]func() change{
		func() change {
			mutation := drawMutation(rt, of)
			return change{mutation, func(c *testkit.Client) { c.Query(ctx, mutation, nil, nil) }}
		},
		func() change {
			in := drawIngest(rt, b)
			return change{fmt.Sprintf("ingest of %v", in), func(*testkit.Client) { b.Ingest(b.owner, in) }}
		},
		func() change {
			suite, state := of("suite"), rapid.SampledFrom([]graph.RunState{graph.RunSucceeded, graph.RunFailed, graph.RunErrored, graph.RunRunning}).Draw(rt, "state")
			return change{fmt.Sprintf("%s of %s", state, suite), func(*testkit.Client) { b.tryReport(suite, state) }}
		},
	}).Draw(rt, "change")()
}

// drawIngest draws what a project states of a few tables.
func drawIngest(rt *rapid.T, b *builder) graph.Ingest {
	in := graph.Ingest{Project: "shop", Producer: "dbt:shop", Category: graph.EdgeDBT, SuiteName: "dbt"}
	for i := range rapid.IntRange(1, 3).Draw(rt, "tables") {
		name := fmt.Sprintf("shop.table%d", i)
		description := rapid.SampledFrom([]string{"", "stated"}).Draw(rt, "description")
		a := graph.IngestAsset{Key: name, Datasource: b.warehouse.ID, Name: name, Type: graph.TypeView, Builds: true, SourceDescription: &description, Observed: true}
		for c := range rapid.IntRange(0, 2).Draw(rt, "columns") {
			a.Columns = append(a.Columns, graph.IngestColumn{Name: fmt.Sprintf("stated%d", c), Type: &description})
		}
		in.Assets = append(in.Assets, a)
		if i > 0 && rapid.Bool().Draw(rt, "fed") {
			in.Edges = append(in.Edges, graph.IngestEdge{Source: in.Assets[i-1].Key, Target: name})
		}
	}
	return in
}

// tryReport reports a run in which each check of the suite failed, passed or has not ended; a suite that is gone has none.
func (b *builder) tryReport(suite string, state graph.RunState) {
	checks, err := b.Store.Checks(b.T().Context(), b.Caller(b.owner).Scope(), []string{suite})
	require.NoError(b.T(), err)
	if _, there := checks[suite]; !there {
		return
	}
	started, finished := frozen().Add(-time.Minute), frozen()
	r := graph.Report{RunID: string(state), Suite: suite, State: state, StartedAt: &started}
	if state == graph.RunSucceeded || state == graph.RunFailed {
		for _, c := range checks[suite] {
			result := graph.ReportedResult{CheckID: c.ID, Status: graph.CheckPassed}
			if state == graph.RunFailed {
				result.Status = graph.CheckFailed
			}
			r.Results = append(r.Results, result)
		}
	}
	if state != graph.RunRunning {
		r.FinishedAt = &finished
	}
	_, err = b.Store.RecordRuns(b.T().Context(), b.Writer(b.owner, authz.ReportRuns), []graph.Report{r})
	if fault.CodeOf(err) != fault.CodeConflict && fault.CodeOf(err) != fault.CodeBadUserInput {
		require.NoError(b.T(), err)
	}
}

// ofKinds are the ids of some kinds, or all if there is none.
func ofKinds(ids []string, kinds ...string) []string {
	found := []string{}
	for _, id := range ids {
		if slices.ContainsFunc(kinds, func(k string) bool { return strings.HasPrefix(id, k) }) {
			found = append(found, id)
		}
	}
	if len(found) == 0 {
		return ids
	}
	return found
}

// keptQueries are one of each kind of answer that is kept, of everything that there is.
func keptQueries(rt *rapid.T, ids []string) []string {
	of := func(kind string) string { return rapid.SampledFrom(ofKinds(ids, kind)).Draw(rt, kind) }
	start, a, b := of("asset"), of("datasource"), of("datasource")
	return []string{
		fmt.Sprintf(`query { lineage(node: %q, depth: 5) { %s } %s }`, start, lineageFields, `assets(first: 50) { edges { node { ...everything } } }`) + everything,
		fmt.Sprintf(`query { lineage(node: %q, depth: 3, filter: {worstSeverityAtLeast: NONE, stopAt: true, includeRetired: true}) { %s } }`, of("ext"), lineageFields) + everything,
		fmt.Sprintf(`query { between: datasourceLineage(a: %q, b: %q) { %s } all: workspaceLineage(datasources: [%q, %q], maxNodes: 4) { %s } }`, a, b, lineageFields, a, b, lineageFields) + everything,
		fmt.Sprintf(`query { columnLineage(column: %q, depth: 3) { nodes { id column { name } asset { ...everything } } edges { source target kind } completeness { graphVersion } } }`, of("column")) + everything,
	}
}
