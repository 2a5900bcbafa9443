package lineage

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// levels is a walk that goes level by level, because the whole of what is in reach is too much. In both
// directions it takes a step at a time, so that neither uses up the budget of nodes alone.
type levels struct {
	store    Store
	audience graph.Audience
	query    Query
	budgets  Budgets
	// kept are the nodes of the answer so far, in the order in which they were found.
	kept  []string
	isIn  map[string]bool
	seen  map[graph.Direction]map[string]bool
	ended bool // out of time
}

func newLevels(store Store, audience graph.Audience, q Query, b Budgets) *levels {
	l := &levels{
		store: store, audience: audience, query: q, budgets: b,
		kept: []string{q.Node}, isIn: map[string]bool{q.Node: true}, seen: map[graph.Direction]map[string]bool{},
	}
	for _, d := range q.directions() {
		l.seen[d] = map[string]bool{q.Node: true}
	}
	return l
}

// walk finds the nodes of the answer. Running out of time is no error: what was found stands.
func (l *levels) walk(ctx context.Context) error {
	frontier := map[graph.Direction][]string{}
	for _, d := range l.query.directions() {
		frontier[d] = []string{l.query.Node}
	}
	for hop := 0; hop < l.query.Depth && len(l.kept) < l.budgets.Nodes && !l.ended; hop++ {
		found := map[graph.Direction][]graph.Neighbour{}
		for _, d := range l.query.directions() {
			next, err := l.next(ctx, d, frontier[d])
			if fault.CodeOf(err) == fault.CodeTimeout {
				l.ended = true
				break
			}
			if err != nil {
				return err
			}
			found[d] = next
		}
		l.admit(found)
		for _, d := range l.query.directions() {
			frontier[d] = l.enter(d, found[d])
		}
	}
	return nil
}

// next are the neighbours of a frontier that the walk in this direction has not seen, each once.
func (l *levels) next(ctx context.Context, d graph.Direction, frontier []string) ([]graph.Neighbour, error) {
	if len(frontier) == 0 {
		return nil, nil
	}
	level, err := l.store.Neighbours(ctx, l.audience, graph.NeighboursQuery{Nodes: frontier, Direction: d, FanOut: l.budgets.FanOut, Filter: l.query.Filter})
	if err != nil {
		return nil, err
	}
	taken := map[string]bool{}
	var out []graph.Neighbour
	for _, neighbours := range level {
		for _, n := range neighbours {
			if !l.seen[d][n.ID] && !taken[n.ID] {
				taken[n.ID] = true
				out = append(out, n)
			}
		}
	}
	return out, nil
}

// admit takes as many new nodes as the budget allows: those with the most neighbours, then by id.
func (l *levels) admit(found map[graph.Direction][]graph.Neighbour) {
	var fresh []graph.Neighbour
	taken := map[string]bool{}
	for _, neighbours := range found {
		for _, n := range neighbours {
			if !l.isIn[n.ID] && !taken[n.ID] {
				taken[n.ID] = true
				fresh = append(fresh, n)
			}
		}
	}
	slices.SortFunc(fresh, func(a, b graph.Neighbour) int {
		return cmp.Or(cmp.Compare(b.Degree, a.Degree), strings.Compare(a.ID, b.ID))
	})
	for _, n := range fresh[:min(len(fresh), l.budgets.Nodes-len(l.kept))] {
		l.kept = append(l.kept, n.ID)
		l.isIn[n.ID] = true
	}
}

// enter marks what of a level is in the answer as seen, and returns as the next frontier what of it is walked
// through.
func (l *levels) enter(d graph.Direction, level []graph.Neighbour) []string {
	var frontier []string
	for _, n := range level {
		if l.isIn[n.ID] {
			l.seen[d][n.ID] = true
			if l.query.stops() && !n.Fits {
				continue
			}
			frontier = append(frontier, n.ID)
		}
	}
	return frontier
}

// answer reads what was found and says what is missing. If there is no time even for that, the focus
// alone is the answer.
func (l *levels) answer(ctx context.Context) (*answer, *Completeness, error) {
	topology, err := l.store.Topology(ctx, l.audience, l.kept, l.query.Filter)
	if fault.CodeOf(err) == fault.CodeTimeout {
		l.ended = true
		topology, err = l.store.Topology(ctx, l.audience, l.kept[:1], l.query.Filter)
	}
	if err != nil {
		return nil, nil, err
	}
	a := newAnswer(l.query, topology)
	gaps := gaps{stopped: map[Budget]bool{}, full: len(l.kept) >= l.budgets.Nodes, late: l.ended, fanOut: l.budgets.FanOut}
	for _, d := range l.query.directions() {
		totals, err := l.store.NeighbourTotals(ctx, l.audience, a.within(d, l.query.Depth), d, l.query.Filter)
		if fault.CodeOf(err) == fault.CodeTimeout {
			l.ended = true
			break
		}
		if err != nil {
			return nil, nil, err
		}
		gaps.find(a, d, l.query.Depth, totals)
	}
	if l.ended {
		gaps.stopped[BudgetTime] = true
	}
	return a, newCompleteness(gaps.stopped, gaps.sorted()), nil
}
