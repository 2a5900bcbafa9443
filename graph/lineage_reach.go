package graph

import (
	"context"
	"strconv"
	"strings"

	"github.com/strata-gateway/strata/fault"
)

// MaxDepth is how many hops a walk may go in a direction.
const MaxDepth = 5

// ReachQuery asks for everything within some hops of a node.
type ReachQuery struct {
	Node      string
	Direction Direction
	// Depth is 0 to MaxDepth.
	Depth int
	// Limit is the most nodes that are of use: more are not read.
	Limit int
	// Filter cuts by its categories; the nodes that it hides are walked through, and do not fit.
	Filter WalkFilter
}

// Reached is what lies within reach.
type Reached struct {
	// Topology is empty if the node does not exist in the audience, or if Exceeded.
	Topology
	// Exceeded is set if more than Limit nodes are in reach.
	Exceeded bool
	// Beyond is set if a node that is not among Nodes lies one hop beyond the depth, in a direction walked.
	Beyond bool
}

// The parts of the walk: the node itself, and for each direction an arm. An arm of several hops is
// planned as a pruning breadth-first search, which looks at an edge once however many paths run over it,
// and stops at the limit; the condition holds on every node and edge of the path, so that nothing hidden
// is passed through. The planner keeps that plan only as long as no more than the end node and the
// shortest length leave the arm (TestWalksArePlannedAsPruningSearch), and not for a single hop, which is
// written as what it is.
const (
	reachHead = `
MATCH (a:Dataset {id: $node}) WHERE $VISIBLE(a)
CALL (a) {
  RETURN a AS b, 0 AS down, 0 AS up`
	reachDownstream = `
  UNION ALL
  MATCH p = (a)-[:FEEDS*1..$DEPTH]->(b)
  WHERE all(n IN nodes(p) WHERE $VISIBLE(n)) AND all(r IN relationships(p) WHERE ` + stated + `)
  WITH b, min(length(p)) AS down LIMIT $limit
  RETURN b, down, null AS up`
	reachUpstream = `
  UNION ALL
  MATCH p = (a)<-[:FEEDS*1..$DEPTH]-(b)
  WHERE all(n IN nodes(p) WHERE $VISIBLE(n)) AND all(r IN relationships(p) WHERE ` + stated + `)
  WITH b, min(length(p)) AS up LIMIT $limit
  RETURN b, null AS down, up`
	reachNextDownstream = `
  UNION ALL
  MATCH (a)-[r:FEEDS]->(b) WHERE $VISIBLE(b) AND ` + stated + `
  WITH DISTINCT b LIMIT $limit
  RETURN b, 1 AS down, null AS up`
	reachNextUpstream = `
  UNION ALL
  MATCH (a)<-[r:FEEDS]-(b) WHERE $VISIBLE(b) AND ` + stated + `
  WITH DISTINCT b LIMIT $limit
  RETURN b, null AS down, 1 AS up`
	reachTail = `
}
WITH b, min(down) AS down, min(up) AS up LIMIT $limit
RETURN collect([` + topologyColumns + `, down, up,
  COUNT { MATCH (b)<-[r:FEEDS]-(m) WHERE up = $depth AND m <> b AND $VISIBLE(m) AND ` + stated + ` WITH DISTINCT m LIMIT $limit RETURN m }])`
)

// reachQuery is the statement of a direction and a depth that reachable has checked.
func reachQuery(d Direction, depth int) string {
	downstream, upstream := reachDownstream, reachUpstream
	switch depth {
	case 0:
		downstream, upstream = "", ""
	case 1:
		downstream, upstream = reachNextDownstream, reachNextUpstream
	}
	if d == Upstream {
		downstream = ""
	}
	if d == Downstream {
		upstream = ""
	}
	return toDepth(reachHead+downstream+upstream+reachTail, depth)
}

// toDepth writes the depth of a walk into its statement: the bound of a variable-length pattern cannot
// be a parameter. It is the only number that is written into Cypher.
func toDepth(statement string, depth int) string {
	return strings.ReplaceAll(statement, "$DEPTH", strconv.Itoa(depth))
}

// reachable checks what is written into the statement.
func (q ReachQuery) reachable() error {
	if q.Depth < 0 || q.Depth > MaxDepth {
		return fault.BadInput("depth", "Walk 0 to "+strconv.Itoa(MaxDepth)+" hops.")
	}
	if q.Direction != Upstream && q.Direction != Downstream && q.Direction != Both {
		return fault.BadInput("direction", "Walk UPSTREAM, DOWNSTREAM or BOTH.")
	}
	return nil
}

// Reach returns what lies within reach of a node and all edges among it, in one statement unless a hub
// is part of it. Errors: BAD_USER_INPUT for a depth out of bounds.
func (s *Store) Reach(ctx context.Context, audience Audience, q ReachQuery) (Reached, error) {
	if err := q.reachable(); err != nil {
		return Reached{}, err
	}
	rows, err := s.read(ctx, audience, q.Filter.narrowed(reachQuery(q.Direction, q.Depth)), q.Filter.with(map[string]any{
		"node": q.Node, "depth": q.Depth, "limit": q.Limit + 1, "edges": listedEdges + 1,
	}))
	if err != nil {
		return Reached{}, err
	}
	found := list(rows[0][0])
	if len(found) > q.Limit {
		return Reached{Exceeded: true}, nil
	}
	read := newTopologyReader(found)
	if err := s.completeHubs(ctx, audience, read, q.Filter); err != nil {
		return Reached{}, err
	}
	beyond, err := s.liesBeyond(ctx, audience, q, found, read)
	return Reached{Topology: read.topology, Beyond: beyond}, err
}

// The columns that Reach adds to topologyColumns.
const (
	reachDown   = topologyFits + 1
	reachUp     = topologyFits + 2
	reachBehind = topologyFits + 3
)

// liesBeyond reports whether a node at the end of the walk has a neighbour, in the direction in which it
// was reached, that the walk did not reach. Downstream the listed edges tell, except on a hub; upstream
// the number of neighbours does.
func (s *Store) liesBeyond(ctx context.Context, audience Audience, q ReachQuery, found []any, read *topologyReader) (bool, error) {
	behind, hubs := map[string]int{}, []string{}
	for _, v := range found {
		c := list(v)
		id := text(c[0])
		if q.endsAt(Downstream, c[reachDown]) {
			if read.beyond[id] {
				return true, nil
			}
			if len(list(c[topologyEdges])) > listedEdges {
				hubs = append(hubs, id)
			}
		}
		if n := integer(c[reachBehind]); n > 0 && q.endsAt(Upstream, c[reachUp]) {
			behind[id] = n
		}
	}
	if len(behind) > 0 && read.topology.lacks(behind, Upstream) {
		return true, nil
	}
	if len(hubs) == 0 {
		return false, nil
	}
	ahead, err := s.NeighbourTotals(ctx, audience, hubs, Downstream, q.Filter)
	return read.topology.lacks(ahead, Downstream), err
}

// endsAt reports whether the walk in a direction ends at a node that is so many hops away.
func (q ReachQuery) endsAt(d Direction, hops any) bool {
	n := integerOrNil(hops)
	return n != nil && *n == q.Depth && (q.Direction == d || q.Direction == Both)
}
