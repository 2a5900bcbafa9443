package lineage

import (
	"context"
	"time"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// Store is what a walk reads.
type Store interface {
	// Reach returns everything within reach, or that there is too much.
	Reach(context.Context, graph.Audience, graph.ReachQuery) (graph.Reached, error)
	// Neighbours returns one level, cut to the fan-out.
	Neighbours(context.Context, graph.Audience, graph.NeighboursQuery) (map[string][]graph.Neighbour, error)
	// NeighbourTotals counts distinct neighbours in one direction.
	NeighbourTotals(ctx context.Context, audience graph.Audience, ids []string, d graph.Direction, f graph.WalkFilter) (map[string]int, error)
	// Topology returns nodes and the edges among them.
	Topology(ctx context.Context, audience graph.Audience, ids []string, f graph.WalkFilter) (graph.Topology, error)
	// RetiredEdges returns the edges among nodes that are not walked any more.
	RetiredEdges(ctx context.Context, audience graph.Audience, ids []string, f graph.WalkFilter) ([]graph.Edge, error)
}

// Query says where a walk starts, whither it goes, and how far.
type Query struct {
	// Node is the id of an asset or external node: the focus.
	Node      string
	Direction graph.Direction
	// Depth is in hops, 0 to graph.MaxDepth, in each direction.
	Depth int
	// Filter cuts by its categories; by all else it hides nodes, never the focus, and walks through them.
	Filter graph.WalkFilter
	// StopAt makes the walk end at a node that the filter hides.
	StopAt bool
	// Retired asks for the retired edges among the nodes too.
	Retired bool
}

// Filter narrows a walk and what is shown of it.
type Filter struct {
	graph.WalkFilter
	// StopAt and IncludeRetired are those of a Query.
	StopAt, IncludeRetired bool
}

// stops reports whether some nodes are not walked through.
func (q Query) stops() bool { return q.StopAt && q.Filter.Hides() }

// directions are those that are walked.
func (q Query) directions() []graph.Direction {
	if q.Direction == graph.Both {
		return []graph.Direction{graph.Upstream, graph.Downstream}
	}
	return []graph.Direction{q.Direction}
}

// Budgets bound a walk.
type Budgets struct {
	// Nodes is the most nodes in an answer, at least 1.
	Nodes int
	// FanOut is the most neighbours of a node that are followed in a direction, at least 1.
	FanOut int
	// Time bounds the walking; 0: only the context does. Half of it is for the one statement that
	// answers most walks. Reading what was found until then is not bounded by it.
	Time time.Duration
}

// DefaultBudgets are those of the canvas.
func DefaultBudgets() Budgets { return Budgets{Nodes: 500, FanOut: 100, Time: 5 * time.Second} }

// Untimed is the same without a bound in time: what it answers does not depend on how busy a machine is.
func (b Budgets) Untimed() Budgets {
	b.Time = 0
	return b
}

// Walk answers a query for an audience. It returns nil for an id of nothing, and equally for one that
// the audience may not know. The version goes into the answer as it is. A walk that runs out of time
// answers with what it found. Errors: BAD_USER_INPUT for a depth out of bounds, UNAVAILABLE, and TIMEOUT
// if not even the focus could be read.
//
// SECURITY: it reads through the store's condition alone, and computes from the answer alone
// (TestRestrictedWalkDoesNotBetrayHiddenNodes).
func Walk(ctx context.Context, store Store, audience graph.Audience, q Query, b Budgets, version string) (*Graph, error) {
	walking, whole := ctx, ctx
	if b.Time > 0 {
		var cancelWhole, cancelWalking context.CancelFunc
		whole, cancelWhole = context.WithTimeout(ctx, b.Time/2)
		defer cancelWhole()
		walking, cancelWalking = context.WithTimeout(ctx, b.Time)
		defer cancelWalking()
	}
	a, c, err := atOnce(whole, store, audience, q, b)
	if err == nil && a == nil {
		l := newLevels(store, audience, q, b)
		if err := l.walk(walking); err != nil {
			return nil, err
		}
		a, c, err = l.answer(ctx)
	}
	if err != nil || a == nil {
		return nil, err
	}
	if a.isNothing() {
		return nil, nil
	}
	c.GraphVersion = version
	g := a.graph(c)
	return g, g.drawRetired(ctx, store, audience, q)
}

// atOnce walks by one statement. It returns nil for a walk that takes more.
func atOnce(ctx context.Context, store Store, audience graph.Audience, q Query, b Budgets) (*answer, *Completeness, error) {
	if q.stops() {
		return nil, nil, nil // the search keeps its plan only if what ends it is the same for inner nodes and ends
	}
	reached, err := store.Reach(ctx, audience, graph.ReachQuery{Node: q.Node, Direction: q.Direction, Depth: q.Depth, Limit: b.Nodes, Filter: q.Filter})
	if fault.CodeOf(err) == fault.CodeTimeout || reached.Exceeded {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	a := newAnswer(q, reached.Topology)
	if a.widest(q) > b.FanOut {
		return nil, nil, nil
	}
	return a, newCompleteness(map[Budget]bool{BudgetDepth: reached.Beyond}, nil), nil
}
