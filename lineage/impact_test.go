package lineage_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	"pgregory.net/rapid"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
	"github.com/strata-gateway/strata/pins"
)

// How long, and how often, a test looks for what happens beside it.
const (
	patience  = 10 * time.Second
	pollEvery = 5 * time.Millisecond
)

// impact is everything that a node leads to, in the order that is asked for, as far as a depth.
func (r *reference) impact(q lineage.ImpactQuery) []graph.Impacted {
	all := map[string]bool{}
	for id := range r.nodes {
		all[id] = true
	}
	out := []graph.Impacted{}
	for id, hops := range r.hops(all, q.Node, q.Direction) {
		if hops == 0 || hops > q.Depth || r.hides[id] {
			continue
		}
		v := r.nodes[id]
		x := graph.Impacted{ID: id, Degree: hops, Name: v.workspace + ".public." + id, Severity: v.severity, Owner: v.owner}
		if v.external {
			x.Name, x.Severity, x.Owner = id, "", ""
		}
		if q.OrderBy == lineage.ByConsumers {
			x.Consumers = len(r.next[graph.Downstream][id])
		}
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b graph.Impacted) int {
		by := map[lineage.ImpactField]int{
			lineage.ByDegree: cmp.Compare(a.Degree, b.Degree), lineage.BySeverity: cmp.Compare(a.Severity.Rank(), b.Severity.Rank()),
			lineage.ByName: strings.Compare(a.Name, b.Name), lineage.ByConsumers: cmp.Compare(a.Consumers, b.Consumers),
		}[q.OrderBy]
		if q.Descending {
			by = -by
		}
		return cmp.Or(by, cmp.Compare(a.Degree, b.Degree), strings.Compare(a.ID, b.ID))
	})
	return out
}

func drawImpact(t *rapid.T, w *world) lineage.ImpactQuery {
	return lineage.ImpactQuery{
		Node:       w.id(rapid.IntRange(0, len(w.vertices)-1).Draw(t, "start")),
		Direction:  rapid.SampledFrom([]graph.Direction{graph.Upstream, graph.Downstream}).Draw(t, "direction"),
		Depth:      rapid.SampledFrom([]int{1, 2, 3, 50}).Draw(t, "depth"),
		Filter:     drawFilter(t),
		OrderBy:    rapid.SampledFrom([]lineage.ImpactField{lineage.ByDegree, lineage.BySeverity, lineage.ByName, lineage.ByConsumers}).Draw(t, "order"),
		Descending: rapid.Bool().Draw(t, "descending"),
	}
}

func drawClass(t *rapid.T) graph.Class {
	return rapid.SampledFrom([]graph.Class{graph.ClassFull, graph.ClassOrgHidden, graph.ClassRestricted}).Draw(t, "class")
}

func TestImpactIsTheReferenceReach(t *testing.T) {
	s := newStage(t)
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, s.organization)
		s.seed(t, w)
		for range probes {
			q, audience := drawImpact(t, w), w.audience(drawClass(t))
			r := newReference(w, audience, lineage.Query{Node: q.Node, Filter: q.Filter})
			if _, known := r.nodes[q.Node]; !known {
				continue // the gate answers before
			}
			want := r.impact(q)
			farther := q
			farther.Depth++
			result, listed := s.impact(t, audience, q, rapid.IntRange(1, 4).Draw(t, "first"))
			require.Equal(t, want, result.All)
			require.Equal(t, len(r.impact(farther)) > len(want), result.Beyond)
			require.Equal(t, impacted(want), listed)
			checkCounts(t, result)
			for _, x := range want[:min(2, len(want))] { // whatever filters hide, who is hit is who would be found as the cause
				back := lineage.ImpactQuery{Node: x.ID, Direction: opposite(q.Direction), Depth: x.Degree, OrderBy: lineage.ByDegree, Filter: graph.WalkFilter{Categories: q.Filter.Categories}}
				causes, _ := s.impact(t, audience, back, 200)
				require.True(t, slices.ContainsFunc(causes.All, func(y graph.Impacted) bool { return y.ID == q.Node && y.Degree == x.Degree }))
			}
		}
	})
}

func opposite(d graph.Direction) graph.Direction {
	if d == graph.Upstream {
		return graph.Downstream
	}
	return graph.Upstream
}

func impacted(all []graph.Impacted) []string {
	out := []string{}
	for _, x := range all {
		out = append(out, x.ID)
	}
	return out
}

// unkept are impacts that keep no result but those that cursors are of.
func unkept(store lineage.ImpactStore) *lineage.Impacts {
	return lineage.NewImpacts(store, nil, pins.New(nil, time.Now))
}

// impact reads all pages: what the first one tells of the whole, and the ids of the nodes that all list.
func (s *stage) impact(t require.TestingT, audience graph.Audience, q lineage.ImpactQuery, first int) (lineage.Result, []string) {
	i := unkept(s.store)
	ids := []string{}
	for at := (lineage.ImpactPosition{First: first}); ; {
		page, err := i.Impact(context.Background(), lineage.Asked{Audience: audience}, q, at)
		require.NoError(t, err)
		for _, e := range page.Edges {
			require.NotNil(t, e.Node)
			ids = append(ids, e.Node.ID)
			degree := e.Node.DownstreamDegree
			if q.Direction == graph.Upstream {
				degree = e.Node.UpstreamDegree
			}
			require.Equal(t, e.Degree, *degree)
		}
		if at.Offset += len(page.Edges); at.Offset == len(page.All) {
			return page.Result, ids
		}
		at.Pinned = page.Pinned
	}
}

// checkCounts: every way to count comes to the same total.
func checkCounts(t *rapid.T, r lineage.Result) {
	var degrees, severities, owners int
	for _, c := range r.CountByDegree() {
		degrees += c.Count
	}
	for _, c := range r.CountBySeverity() {
		severities += c.Count
	}
	for _, c := range r.CountByOwner() {
		owners += c.Count
	}
	require.Equal(t, []int{len(r.All), len(r.All), len(r.All)}, []int{degrees, severities, owners})
}

// TestAPinIsOfOneClassAndItsArguments: what differs in anything is another result.
func TestAPinIsOfOneClassAndItsArguments(t *testing.T) {
	s := newStage(t)
	w := newWorld()
	nodes := w.addMany(4)
	w.feed(nodes[0], nodes[1], nodes[2])
	w.feed(nodes[1], nodes[3])
	w.vertices[nodes[2]].hiddenRank = 1
	s.seed(t, w)
	i := unkept(s.store)
	base := lineage.ImpactQuery{Node: w.id(nodes[0]), Direction: graph.Downstream, Depth: 50, OrderBy: lineage.ByDegree}
	seen := map[string]bool{}
	ask := func(c graph.Class, q lineage.ImpactQuery) *lineage.ImpactPage {
		page, err := i.Impact(t.Context(), lineage.Asked{Audience: w.audience(c)}, q, lineage.ImpactPosition{First: 1})
		require.NoError(t, err)
		assert.False(t, seen[page.Pinned], "another result")
		seen[page.Pinned] = true
		return page
	}
	assert.Len(t, ask(graph.ClassFull, base).All, 3)
	assert.Len(t, ask(graph.ClassRestricted, base).All, 2)
	for _, change := range []func(*lineage.ImpactQuery){
		func(q *lineage.ImpactQuery) { q.Node = w.id(nodes[1]) }, func(q *lineage.ImpactQuery) { q.Direction = graph.Upstream },
		func(q *lineage.ImpactQuery) { q.Depth = 1 }, func(q *lineage.ImpactQuery) { q.OrderBy = lineage.ByName },
		func(q *lineage.ImpactQuery) { q.Descending = true }, func(q *lineage.ImpactQuery) { q.Filter.Text = "x" },
		func(q *lineage.ImpactQuery) { q.Filter.Tags = []string{"a"} }, func(q *lineage.ImpactQuery) { q.Filter.Systems = []string{"a"} },
	} {
		q := base
		change(&q)
		ask(graph.ClassFull, q)
	}
}

// TestPagesAreOfTheResultThatTheFirstFound lets the graph change between two pages.
func TestPagesAreOfTheResultThatTheFirstFound(t *testing.T) {
	s := newStage(t)
	w := newWorld()
	nodes := w.addMany(5)
	w.feed(nodes[0], nodes[1:]...)
	s.seed(t, w)
	q := lineage.ImpactQuery{Node: w.id(nodes[0]), Direction: graph.Downstream, Depth: 50, OrderBy: lineage.ByDegree}
	asked := lineage.Asked{Audience: w.audience(graph.ClassFull)}
	kept := unkept(s.store)
	first, err := kept.Impact(t.Context(), asked, q, lineage.ImpactPosition{First: 2})
	require.NoError(t, err)
	rest := lineage.ImpactPosition{First: 9, Offset: 2, Pinned: first.Pinned}
	elsewhere, err := unkept(s.store).Impact(t.Context(), asked, q, rest)
	require.NoError(t, err, "another replica finds the same")
	assert.Equal(t, first.All, elsewhere.All)
	assert.Len(t, elsewhere.Edges, 2)
	s.write(t, `UNWIND $rows AS id MATCH (n:Dataset {id: id}) DETACH DELETE n`, []any{w.id(nodes[1]), w.id(nodes[3])})

	second, err := kept.Impact(t.Context(), asked, q, rest)
	require.NoError(t, err)
	require.Len(t, second.Edges, 2, "no skip and no repeat")
	assert.Nil(t, second.Edges[0].Node, "gone meanwhile")
	assert.Equal(t, w.id(nodes[4]), second.Edges[1].Node.ID)
	assert.Len(t, second.All, 4)

	_, err = unkept(s.store).Impact(t.Context(), asked, q, rest)
	assert.Equal(t, fault.CodeCursorExpired, fault.CodeOf(err))
}

// counting counts how often a result is computed, and holds all of them until told.
type counting struct {
	lineage.ImpactStore
	asked   atomic.Int64
	release chan struct{}
}

func (c *counting) Impact(ctx context.Context, a graph.Audience, q graph.ImpactQuery) ([]graph.Impacted, error) {
	c.asked.Add(1)
	<-c.release
	return c.ImpactStore.Impact(ctx, a, q)
}

// TestManyWhoAskTheSameWaitForOne: and who gives up takes nothing from the others.
func TestManyWhoAskTheSameWaitForOne(t *testing.T) {
	s := newStage(t)
	w := newWorld()
	nodes := w.addMany(3)
	w.feed(nodes[0], nodes[1:]...)
	s.seed(t, w)
	store := &counting{ImpactStore: s.store, release: make(chan struct{})}
	metrics := prometheus.NewRegistry()
	kept, epochs := keeping(t, metrics)
	i := lineage.NewImpacts(store, kept, pins.New(nil, time.Now))
	q := lineage.ImpactQuery{Node: w.id(nodes[0]), Direction: graph.Downstream, Depth: 50, OrderBy: lineage.ByDegree}
	ask := func(ctx context.Context) (int, error) {
		page, err := i.Impact(ctx, lineage.Asked{Audience: w.audience(graph.ClassFull), Epochs: epochs}, q, lineage.ImpactPosition{First: 9})
		if err != nil {
			return 0, err
		}
		return len(page.Edges), nil
	}
	impatient, giveUp := context.WithCancel(t.Context())
	first := make(chan error, 1)
	go func() {
		_, err := ask(impatient)
		first <- err
	}()
	require.Eventually(t, func() bool { return store.asked.Load() == 1 }, patience, pollEvery)
	var others errgroup.Group
	for range 64 {
		others.Go(func() error {
			n, err := ask(t.Context())
			if err == nil && n != 2 {
				err = fmt.Errorf("%d results", n)
			}
			return err
		})
	}
	require.Eventually(t, func() bool { return joined(t, metrics) > 0 }, patience, pollEvery, "who gives up while nobody else waits ends the work")
	giveUp()
	require.ErrorIs(t, <-first, context.Canceled)
	close(store.release)
	require.NoError(t, others.Wait())
	assert.EqualValues(t, 1, store.asked.Load())
}

// joined is how many joined who asked first.
func joined(t *testing.T, metrics prometheus.Gatherer) (n float64) {
	t.Helper()
	families, err := metrics.Gather()
	require.NoError(t, err)
	for _, f := range families {
		for _, m := range f.GetMetric() {
			for _, l := range m.GetLabel() {
				if l.GetName() == "outcome" && l.GetValue() == "joined" {
					n += m.GetCounter().GetValue()
				}
			}
		}
	}
	return n
}

// crowded has so many nodes at each of two hops.
type crowded struct {
	lineage.ImpactStore
	first, second int
}

func (c crowded) Impact(_ context.Context, _ graph.Audience, q graph.ImpactQuery) ([]graph.Impacted, error) {
	out := []graph.Impacted{}
	for hop, n := range []int{c.first, c.second} {
		for i := range n {
			if hop < q.Depth && len(out) <= q.Limit {
				out = append(out, graph.Impacted{ID: fmt.Sprintf("%d-%d", hop, i), Degree: hop + 1})
			}
		}
	}
	return out, nil
}

func (crowded) Topology(context.Context, graph.Audience, []string, graph.WalkFilter) (graph.Topology, error) {
	return graph.Topology{}, nil
}

// TestWhatLiesBeyondTheDepthTakesNoPlace: however much it is, what was asked for is listed.
func TestWhatLiesBeyondTheDepthTakesNoPlace(t *testing.T) {
	const most = 200_000
	for _, c := range []struct {
		first, second, depth int
		want                 int // results, -1 for too many
		beyond               bool
	}{
		{10, most + 5, 1, 10, true}, {10, most - 10, 1, 10, true}, {most, 1, 1, most, true}, {most, 0, 1, most, false},
		{most, 1, 2, -1, false}, {most + 1, 0, 1, -1, false}, {10, most - 10, 2, most, false},
	} {
		q := lineage.ImpactQuery{Node: "x", Direction: graph.Downstream, Depth: c.depth, OrderBy: lineage.ByDegree}
		page, err := unkept(crowded{first: c.first, second: c.second}).Impact(t.Context(), lineage.Asked{}, q, lineage.ImpactPosition{First: 1})
		if c.want < 0 {
			assert.Equal(t, fault.CodeLimitExceeded, fault.CodeOf(err), "%+v", c)
			continue
		}
		require.NoError(t, err, "%+v", c)
		assert.Len(t, page.All, c.want)
		assert.Equal(t, c.beyond, page.Beyond, "%+v", c)
	}
}

// failing panics, or waits for the end of its context.
type failing struct {
	lineage.ImpactStore
	panics bool
}

func (f failing) Impact(ctx context.Context, _ graph.Audience, _ graph.ImpactQuery) ([]graph.Impacted, error) {
	if f.panics {
		panic("defect")
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestAResultThatFailsEndsNothingElse: nor does one take longer than the request that asked for it.
func TestAResultThatFailsEndsNothingElse(t *testing.T) {
	q, at := lineage.ImpactQuery{Node: "x", Direction: graph.Downstream, Depth: 1}, lineage.ImpactPosition{First: 1}
	kept, epochs := keeping(t, nil)
	asked := lineage.Asked{Epochs: epochs}
	impacts := func(store lineage.ImpactStore) *lineage.Impacts {
		return lineage.NewImpacts(store, kept, pins.New(nil, time.Now))
	}
	_, err := impacts(failing{panics: true}).Impact(t.Context(), asked, q, at)
	assert.Equal(t, fault.CodeInternal, fault.CodeOf(err))
	ctx, cancel := context.WithTimeout(t.Context(), pollEvery)
	defer cancel()
	_, err = impacts(failing{}).Impact(ctx, asked, q, at)
	assert.ErrorIs(t, err, context.DeadlineExceeded)
}

// TestFewResultsAreComputedAtOnce: the others wait for their turn.
func TestFewResultsAreComputedAtOnce(t *testing.T) {
	const most, all = 4, 20
	store := &counting{ImpactStore: crowded{first: 1}, release: make(chan struct{})}
	i := unkept(store)
	var asking errgroup.Group
	for n := range all {
		asking.Go(func() error {
			q := lineage.ImpactQuery{Node: fmt.Sprint(n), Direction: graph.Downstream, Depth: 1}
			_, err := i.Impact(t.Context(), lineage.Asked{}, q, lineage.ImpactPosition{First: 1})
			return err
		})
	}
	require.Eventually(t, func() bool { return store.asked.Load() == most }, patience, pollEvery)
	for n := range all {
		store.release <- struct{}{}
		assert.LessOrEqual(t, store.asked.Load(), int64(most+n+1))
	}
	require.NoError(t, asking.Wait())
	assert.EqualValues(t, all, store.asked.Load())
}
