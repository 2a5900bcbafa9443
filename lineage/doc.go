// Package lineage walks the graph of what feeds what. A walk goes up to five hops from a node, in one
// direction or both, and returns what it reached, every edge among it, and whether the answer is whole.
// One statement answers it as long as the answer keeps to the budgets; where a node has more neighbours
// than are shown, or more nodes are in reach, the walk goes level by level and cuts the same way every
// time: the nodes with the most neighbours stay. What an answer says of its nodes and edges (degrees,
// what a change reaches, which edge closes a cycle) is computed from the answer alone, so that whoever
// has the answer can check it.
package lineage
