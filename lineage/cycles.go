package lineage

// cycles numbers the strongly connected components of a graph: two nodes have the same number exactly if
// each leads to the other. So an edge lies on a cycle exactly if its ends have the same number. (Tarjan;
// as deep as the answer has nodes.)
func cycles(next adjacency) []int {
	c := components{
		next: next, component: make([]int, len(next)), found: make([]int, len(next)), low: make([]int, len(next)), open: make([]bool, len(next)),
	}
	for i := range next {
		if c.found[i] == 0 {
			c.visit(i)
		}
	}
	return c.component
}

type components struct {
	next      adjacency
	component []int
	// found is when a node was found, from 1; low is the earliest open node that it leads back to.
	found, low []int
	open       []bool
	stack      []int
	clock      int
	number     int
}

func (c *components) visit(i int) {
	c.clock++
	c.found[i], c.low[i], c.open[i] = c.clock, c.clock, true
	c.stack = append(c.stack, i)
	for _, t := range c.next[i] {
		if c.found[t] == 0 {
			c.visit(t)
			c.low[i] = min(c.low[i], c.low[t])
		} else if c.open[t] {
			c.low[i] = min(c.low[i], c.found[t])
		}
	}
	if c.low[i] < c.found[i] {
		return
	}
	c.number++
	for {
		last := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		c.open[last], c.component[last] = false, c.number
		if last == i {
			return
		}
	}
}
