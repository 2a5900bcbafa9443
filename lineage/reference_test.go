package lineage_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
)

// reference is what an audience sees of a world, as plain sets: the definition of a walk, slow and
// without a store.
type reference struct {
	nodes map[string]vertex
	edges map[string]graph.Edge
	// next are the distinct neighbours of a node in a direction, itself not among them.
	next map[graph.Direction]map[string]map[string]bool
	// retired are the edges that are not walked.
	retired map[string]graph.Edge
	// hides tells the nodes that the filter hides, ends those of them that are not walked through.
	hides, ends map[string]bool
}

func newReference(w *world, a graph.Audience, q lineage.Query) *reference {
	hiddenFrom := map[graph.Class]int{graph.ClassFull: 3, graph.ClassOrgHidden: 2, graph.ClassRestricted: 1}[a.Class]
	mine := func(workspace string) bool { return workspace == a.Workspace || workspace == w.organization }
	r := &reference{
		nodes: map[string]vertex{}, edges: map[string]graph.Edge{}, next: map[graph.Direction]map[string]map[string]bool{},
		retired: map[string]graph.Edge{}, hides: map[string]bool{}, ends: map[string]bool{},
	}
	for _, v := range w.vertices {
		if mine(v.workspace) && v.hiddenRank < hiddenFrom {
			r.nodes[v.id] = v
			r.hides[v.id] = v.id != q.Node && !passes(v, q.Filter)
			r.ends[v.id] = r.hides[v.id] && q.StopAt
		}
	}
	for _, d := range []graph.Direction{graph.Upstream, graph.Downstream} {
		r.next[d] = map[string]map[string]bool{}
		for id := range r.nodes {
			r.next[d][id] = map[string]bool{}
		}
	}
	for _, x := range w.arcs {
		s, t := w.id(x.from), w.id(x.to)
		_, seesSource := r.nodes[s]
		_, seesTarget := r.nodes[t]
		if !seesSource || !seesTarget || !mine(x.workspace) || !takes(q.Filter, x.category) {
			continue
		}
		id := graph.EdgeID(s, t, x.category)
		if x.retired {
			r.retired[id] = graph.Edge{ID: id, Source: s, Target: t, Category: x.category}
			continue
		}
		r.edges[id] = graph.Edge{ID: id, Source: s, Target: t, Category: x.category}
		if s != t {
			r.next[graph.Downstream][s][t], r.next[graph.Upstream][t][s] = true, true
		}
	}
	return r
}

// degree is how many distinct nodes a node feeds or is fed by.
func (r *reference) degree(id string) int {
	all := maps.Clone(r.next[graph.Upstream][id])
	maps.Copy(all, r.next[graph.Downstream][id])
	return len(all)
}

// ranked are ids by degree, the largest first, then by id.
func (r *reference) ranked(ids map[string]bool) []string {
	return slices.SortedFunc(maps.Keys(ids), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.degree(b), r.degree(a)), strings.Compare(a, b))
	})
}

func directions(d graph.Direction) []graph.Direction {
	if d == graph.Both {
		return []graph.Direction{graph.Upstream, graph.Downstream}
	}
	return []graph.Direction{d}
}

// within are the nodes of an answer, for given bounds on nodes and on neighbours. Without bounds it is
// everything in reach.
func (r *reference) within(q lineage.Query, nodes, fanOut int) map[string]bool {
	in := map[string]bool{q.Node: true}
	seen, frontier := map[graph.Direction]map[string]bool{}, map[graph.Direction]map[string]bool{}
	for _, d := range directions(q.Direction) {
		seen[d], frontier[d] = map[string]bool{q.Node: true}, map[string]bool{q.Node: true}
	}
	for range q.Depth {
		if len(in) >= nodes {
			break
		}
		fresh, found := map[string]bool{}, map[graph.Direction]map[string]bool{}
		for _, d := range directions(q.Direction) {
			found[d] = map[string]bool{}
			for x, goesOn := range frontier[d] {
				if !goesOn {
					continue
				}
				near := r.ranked(r.next[d][x])
				for _, y := range near[:min(fanOut, len(near))] {
					if !seen[d][y] {
						found[d][y] = true
					}
					if !in[y] {
						fresh[y] = true
					}
				}
			}
		}
		for _, y := range r.ranked(fresh) {
			if len(in) < nodes {
				in[y] = true
			}
		}
		for _, d := range directions(q.Direction) {
			frontier[d] = map[string]bool{}
			for y := range found[d] {
				if in[y] {
					seen[d][y], frontier[d][y] = true, !r.ends[y]
				}
			}
		}
	}
	return in
}

const (
	none    = 1 << 20 // more hops than there are nodes
	noLimit = 1 << 20
)

// hops are the fewest hops from a node to each of a set, in a direction, along edges among the set.
func (r *reference) hops(in map[string]bool, from string, d graph.Direction) map[string]int {
	out := map[string]int{}
	for x := range in {
		out[x] = none
	}
	level := map[string]bool{from: true}
	for n := 0; len(level) > 0; n++ {
		next := map[string]bool{}
		for x := range level {
			out[x] = n
		}
		for x := range level {
			for y := range r.next[d][x] {
				if r.ends[x] {
					continue
				}
				if in[y] && out[y] == none {
					next[y] = true
				}
			}
		}
		level = next
	}
	return out
}

// measured is a set of nodes and how far they are from the focus.
type measured struct {
	in       map[string]bool
	down, up map[string]int
}

func (r *reference) measure(in map[string]bool, focus string) measured {
	return measured{in: in, down: r.hops(in, focus, graph.Downstream), up: r.hops(in, focus, graph.Upstream)}
}

func (m measured) walked(d graph.Direction, x string) int {
	if d == graph.Upstream {
		return m.up[x]
	}
	return m.down[x]
}

func (m measured) distance(x string) int { return min(m.up[x], m.down[x]) }

// walk is the answer.
func (r *reference) walk(q lineage.Query, b lineage.Budgets, version string) *lineage.Graph {
	if _, ok := r.nodes[q.Node]; !ok {
		return nil
	}
	m := r.measure(r.within(q, noLimit, noLimit), q.Node)
	fits := len(m.in) <= b.Nodes
	for _, d := range directions(q.Direction) {
		for x := range m.in {
			if m.walked(d, x) < q.Depth && len(r.next[d][x]) > b.FanOut {
				fits = false
			}
		}
	}
	if !fits || (q.StopAt && q.Filter.Hides()) {
		m = r.measure(r.within(q, b.Nodes, b.FanOut), q.Node)
	}
	edges := r.answerEdges(m)
	if q.Retired {
		edges = r.withRetired(edges, m)
	}
	return &lineage.Graph{Nodes: r.answerNodes(q, m), Edges: edges, Completeness: r.completeness(q, b, m, version)}
}

func hopsOrNil(n int) *int {
	if n >= none {
		return nil
	}
	return &n
}

func (r *reference) answerNodes(q lineage.Query, m measured) []*lineage.Node {
	var out []*lineage.Node
	for x := range m.in {
		if r.hides[x] {
			continue
		}
		n := &lineage.Node{ID: x, IsFocus: x == q.Node}
		n.UpstreamDegree, n.DownstreamDegree = hopsOrNil(m.up[x]), hopsOrNil(m.down[x])
		for _, e := range r.edges { // impacted: an edge leads here from what the focus leads to
			if m.in[e.Source] && e.Target == x && m.down[e.Source] < none && !r.ends[e.Source] {
				n.IsImpacted = true
			}
		}
		if v := r.nodes[x]; v.external {
			system, link := "test", "https://example.test/"+x
			n.Kind, n.Label, n.System, n.Model, n.URL = lineage.KindExternal, x, &system, &x, &link
		} else {
			n.Kind, n.Label, n.AssetID, n.Datasource, n.ColumnCount = lineage.KindAsset, x, x, "ds-"+x, 3
		}
		out = append(out, n)
	}
	slices.SortFunc(out, func(a, b *lineage.Node) int {
		return cmp.Or(cmp.Compare(m.distance(a.ID), m.distance(b.ID)), strings.Compare(a.ID, b.ID))
	})
	return out
}

func (r *reference) answerEdges(m measured) []*lineage.Edge {
	out := []*lineage.Edge{}
	datasource := func(id string) string {
		if !r.nodes[id].external {
			return "ds-" + id
		}
		return ""
	}
	for _, e := range r.edges {
		if !m.in[e.Source] || !m.in[e.Target] || r.hides[e.Source] || r.hides[e.Target] {
			continue
		}
		out = append(out, &lineage.Edge{
			ID: e.ID, Source: e.Source, Target: e.Target, Category: e.Category,
			SourceDatasource: datasource(e.Source), TargetDatasource: datasource(e.Target),
			OnImpactPath: m.down[e.Source] < none && m.down[e.Target] < none,
			ClosesCycle:  m.distance(e.Target) <= m.distance(e.Source) && r.leads(m.in, e.Target, e.Source),
		})
	}
	slices.SortFunc(out, func(a, b *lineage.Edge) int { return strings.Compare(a.ID, b.ID) })
	return out
}

func (r *reference) completeness(q lineage.Query, b lineage.Budgets, m measured, version string) *lineage.Completeness {
	c := &lineage.Completeness{StoppedBy: []lineage.Budget{}, Truncated: []*lineage.Truncation{}, GraphVersion: version}
	stopped := map[lineage.Budget]bool{}
	for x := range m.in {
		if r.hides[x] {
			c.HiddenByFilter++
		}
	}
	for _, x := range slices.Sorted(maps.Keys(m.in)) {
		for _, d := range []graph.Direction{graph.Downstream, graph.Upstream} {
			if !slices.Contains(directions(q.Direction), d) {
				continue
			}
			missing := 0
			for y := range r.next[d][x] {
				if !m.in[y] {
					missing++
				}
			}
			at := m.walked(d, x)
			if missing == 0 || at > q.Depth || r.ends[x] {
				continue
			}
			if at == q.Depth {
				stopped[lineage.BudgetDepth] = true
				continue
			}
			c.Truncated = append(c.Truncated, &lineage.Truncation{Node: x, Direction: d, Omitted: missing})
			byFanOut := max(0, len(r.next[d][x])-b.FanOut)
			isFull := len(m.in) == b.Nodes
			stopped[lineage.BudgetFanOut] = stopped[lineage.BudgetFanOut] || byFanOut > 0 || !isFull
			stopped[lineage.BudgetNodes] = stopped[lineage.BudgetNodes] || (isFull && missing > byFanOut)
		}
	}
	for _, budget := range []lineage.Budget{lineage.BudgetDepth, lineage.BudgetNodes, lineage.BudgetFanOut, lineage.BudgetTime} {
		if stopped[budget] {
			c.StoppedBy = append(c.StoppedBy, budget)
		}
	}
	c.IsComplete = len(c.StoppedBy) == 0
	return c
}
