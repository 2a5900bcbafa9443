package lineage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/strata-gateway/strata/graph"
)

// gaps are what an answer leaves out.
type gaps struct {
	stopped   map[Budget]bool
	truncated []*Truncation
	// full is set if the budget of nodes is used up, late if the time is.
	full, late bool
	fanOut     int
}

// find compares how many neighbours the nodes of an answer have in a direction with how many of them
// are in it. What is missing next to a node at the full depth lies beyond it; what is missing next to a
// nearer one was cut.
func (g *gaps) find(a *answer, d graph.Direction, depth int, totals map[string]int) {
	degrees, next := a.degrees(d), a.next(d)
	for i, n := range a.nodes {
		missing := totals[n.ID] - next.others(i)
		switch {
		case missing <= 0 || degrees[i] == unreached || degrees[i] > depth || a.ends[i]:
			continue
		case degrees[i] == depth:
			g.stopped[BudgetDepth] = true
			continue
		}
		g.truncated = append(g.truncated, &Truncation{Node: n.ID, Direction: d, Omitted: missing})
		cut := max(0, totals[n.ID]-g.fanOut)
		if cut > 0 {
			g.stopped[BudgetFanOut] = true
		}
		if missing > cut {
			g.stopped[g.elsewhere()] = true
		}
	}
}

// elsewhere is what stopped the walk at a node if its own fan-out did not: there was no room or no time,
// or the fan-out of another node cut the shorter way to it, so that the walk came by too late to go on.
func (g *gaps) elsewhere() Budget {
	switch {
	case g.full:
		return BudgetNodes
	case g.late:
		return BudgetTime
	}
	return BudgetFanOut
}

// sorted are the truncations by node, then direction.
func (g *gaps) sorted() []*Truncation {
	slices.SortFunc(g.truncated, func(a, b *Truncation) int {
		return cmp.Or(strings.Compare(a.Node, b.Node), strings.Compare(string(a.Direction), string(b.Direction)))
	})
	return g.truncated
}
