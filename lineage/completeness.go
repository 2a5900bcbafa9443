package lineage

import (
	"slices"

	"github.com/strata-gateway/strata/graph"
)

// Budget is a bound that can stop a walk before its natural end.
type Budget string

// The budgets, in the order in which they are reported.
const (
	BudgetDepth  Budget = "DEPTH"
	BudgetNodes  Budget = "NODES"
	BudgetFanOut Budget = "FAN_OUT"
	BudgetTime   Budget = "TIME"
)

// Completeness says whether an answer is whole, and if not, why not and by how much.
type Completeness struct {
	IsComplete bool
	// StoppedBy is in the order of the budgets.
	StoppedBy []Budget
	// HiddenByFilter is how many nodes a filter hid.
	HiddenByFilter int
	// Truncated are the nodes within the depth of which neighbours are missing, by id, then direction.
	Truncated []*Truncation
	// GraphVersion is the version of the graph that the request found first.
	GraphVersion string
}

// Truncation says how many neighbours of a node an answer leaves out.
type Truncation struct {
	Node string
	// Direction is Upstream or Downstream.
	Direction graph.Direction
	// Omitted is how many distinct neighbours in that direction are not in the answer.
	Omitted int
}

// newCompleteness is the completeness of an answer that was stopped by these budgets.
func newCompleteness(stopped map[Budget]bool, truncated []*Truncation) *Completeness {
	c := &Completeness{StoppedBy: []Budget{}, Truncated: truncated}
	if c.Truncated == nil {
		c.Truncated = []*Truncation{}
	}
	for _, b := range []Budget{BudgetDepth, BudgetNodes, BudgetFanOut, BudgetTime} {
		if stopped[b] {
			c.StoppedBy = append(c.StoppedBy, b)
		}
	}
	c.IsComplete = len(c.StoppedBy) == 0
	return c
}

// stopped reports whether a budget stopped the walk.
func (c *Completeness) stopped(by Budget) bool { return slices.Contains(c.StoppedBy, by) }
