package lineage

import (
	"slices"

	"github.com/strata-gateway/strata/graph"
)

// unreached is the degree of a node to which no path leads.
const unreached = -1

// answer is a set of nodes and edges with what follows from them. Nodes are named by their index.
type answer struct {
	nodes []graph.TopologyNode
	edges []graph.Edge
	focus int
	index map[string]int
	// ends are the nodes that are not walked through.
	ends []bool
	// feeds and fedBy are the neighbours of each node.
	feeds, fedBy adjacency
	// down and up are the degrees: the fewest hops from the focus, and to it.
	down, up []int
}

// adjacency lists the distinct neighbours of each node in one direction, itself included if it has a
// self edge.
type adjacency [][]int

// others is how many neighbours a node has, not counting itself.
func (a adjacency) others(i int) int {
	n := len(a[i])
	if _, self := slices.BinarySearch(a[i], i); self {
		n--
	}
	return n
}

// newAnswer is nothing if the focus is not among the nodes. Nodes that no path of the answer joins to the
// focus are left out: they can only be there because the graph changed between two statements.
func newAnswer(q Query, t graph.Topology) *answer {
	a := &answer{nodes: t.Nodes, edges: t.Edges}
	if !a.arrange(q) {
		return &answer{}
	}
	stray := func(n graph.TopologyNode) bool {
		i := a.index[n.ID]
		return a.down[i] == unreached && a.up[i] == unreached
	}
	if !slices.ContainsFunc(a.nodes, stray) {
		return a
	}
	var joined answer
	for _, n := range a.nodes {
		if !stray(n) {
			joined.nodes = append(joined.nodes, n)
		}
	}
	for _, e := range a.edges {
		if !stray(a.nodes[a.index[e.Source]]) && !stray(a.nodes[a.index[e.Target]]) {
			joined.edges = append(joined.edges, e)
		}
	}
	joined.arrange(q)
	return &joined
}

// isNothing reports whether not even the focus is there.
func (a *answer) isNothing() bool { return len(a.nodes) == 0 }

// arrange fills in everything that follows from nodes and edges; false without the focus.
func (a *answer) arrange(q Query) bool {
	a.index = make(map[string]int, len(a.nodes))
	for i, n := range a.nodes {
		a.index[n.ID] = i
	}
	var ok bool
	if a.focus, ok = a.index[q.Node]; !ok {
		return false
	}
	a.ends = make([]bool, len(a.nodes))
	for i, n := range a.nodes {
		a.ends[i] = q.stops() && !n.Fits && i != a.focus
	}
	a.feeds, a.fedBy = make(adjacency, len(a.nodes)), make(adjacency, len(a.nodes))
	for _, e := range a.edges {
		s, t := a.index[e.Source], a.index[e.Target]
		a.feeds[s] = append(a.feeds[s], t)
		a.fedBy[t] = append(a.fedBy[t], s)
	}
	for i := range a.nodes {
		slices.Sort(a.feeds[i])
		slices.Sort(a.fedBy[i])
		a.feeds[i], a.fedBy[i] = slices.Compact(a.feeds[i]), slices.Compact(a.fedBy[i])
	}
	a.down, a.up = hops(a.feeds, a.focus, a.ends), hops(a.fedBy, a.focus, a.ends)
	return true
}

// hops is the fewest hops from a node to each, on paths that go through none of ends.
func hops(next adjacency, from int, ends []bool) []int {
	out := make([]int, len(next))
	for i := range out {
		out[i] = unreached
	}
	out[from] = 0
	queue := append(make([]int, 0, len(next)), from)
	for head := 0; head < len(queue); head++ {
		if ends[queue[head]] {
			continue
		}
		for _, t := range next[queue[head]] {
			if out[t] == unreached {
				out[t] = out[queue[head]] + 1
				queue = append(queue, t)
			}
		}
	}
	return out
}

// degrees are the hops of each node in a direction of the walk, and next where that direction leads.
func (a *answer) degrees(d graph.Direction) []int {
	if d == graph.Upstream {
		return a.up
	}
	return a.down
}

func (a *answer) next(d graph.Direction) adjacency {
	if d == graph.Upstream {
		return a.fedBy
	}
	return a.feeds
}

// within are the ids of the nodes up to a depth in a direction.
func (a *answer) within(d graph.Direction, depth int) []string {
	var ids []string
	for i, hops := range a.degrees(d) {
		if hops != unreached && hops <= depth && !a.ends[i] {
			ids = append(ids, a.nodes[i].ID)
		}
	}
	return ids
}

// widest is the largest number of neighbours that a walk had to follow from one node.
func (a *answer) widest(q Query) int {
	most := 0
	for _, d := range q.directions() {
		next := a.next(d)
		for i, hops := range a.degrees(d) {
			if hops != unreached && hops < q.Depth {
				most = max(most, next.others(i))
			}
		}
	}
	return most
}

// distance is how far a node is from the focus, in whichever direction is shorter.
func (a *answer) distance(i int) int {
	if a.up[i] == unreached || (a.down[i] != unreached && a.down[i] < a.up[i]) {
		return a.down[i]
	}
	return a.up[i]
}

// degree is how the number of hops is given: nil for none.
func degree(hops int) *int {
	if hops == unreached {
		return nil
	}
	return &hops
}
