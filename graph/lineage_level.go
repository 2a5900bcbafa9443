package graph

import "context"

// NeighboursQuery asks for one level of a walk: the direct neighbours of some nodes in one direction.
type NeighboursQuery struct {
	Nodes []string
	// Direction is Upstream or Downstream.
	Direction Direction
	// FanOut is how many neighbours of a node are returned.
	FanOut int
}

// Neighbour is a node next to another one.
type Neighbour struct {
	ID string
	// Degree is how many distinct nodes, other than itself, it feeds or is fed by.
	Degree int
}

// The arrows of a level, from a node x to a neighbour y.
const (
	levelDownstream = `(x)-[r:FEEDS]->(y)`
	levelUpstream   = `(x)<-[r:FEEDS]-(y)`
)

func levelArrow(d Direction) string {
	if d == Upstream {
		return levelUpstream
	}
	return levelDownstream
}

// The level's statement, around its arrow. Where a node has too many neighbours those with the most
// neighbours of their own are kept: they are where the graph goes on. A self edge makes no neighbour.
// Most neighbours of a hub have no edge but the one to it, which the store knows without looking at any.
const (
	levelHead = `
UNWIND $ids AS id
MATCH (x:Dataset {id: id}) WHERE $VISIBLE(x)
RETURN x.id, COLLECT {
  MATCH `
	levelTail = ` WHERE y <> x AND $VISIBLE(y) AND ` + stated + `
  WITH DISTINCT y
  WITH y.id AS next, CASE WHEN COUNT { (y)-[:FEEDS]-() } = 1 THEN 1 ELSE
    COUNT { MATCH (y)-[r:FEEDS]-(z) WHERE z <> y AND $VISIBLE(z) AND ` + stated + ` RETURN DISTINCT z } END AS degree
  ORDER BY degree DESC, next LIMIT $fanOut
  RETURN [next, degree] }`
)

// Neighbours returns, for each of the nodes that exists in the audience, at most FanOut of its distinct
// neighbours: by degree, the largest first, then by id. NeighbourTotals says how many there are.
func (s *Store) Neighbours(ctx context.Context, audience Audience, q NeighboursQuery) (map[string][]Neighbour, error) {
	rows, err := s.read(ctx, audience, levelHead+levelArrow(q.Direction)+levelTail, map[string]any{"ids": q.Nodes, "fanOut": q.FanOut})
	if err != nil {
		return nil, err
	}
	out := make(map[string][]Neighbour, len(rows))
	for _, r := range rows {
		neighbours := []Neighbour{}
		for _, v := range list(r[1]) {
			n := list(v)
			neighbours = append(neighbours, Neighbour{ID: text(n[0]), Degree: integer(n[1])})
		}
		out[text(r[0])] = neighbours
	}
	return out, nil
}

const (
	totalsHead = `
UNWIND $ids AS id
MATCH (x:Dataset {id: id}) WHERE $VISIBLE(x)
RETURN x.id, COUNT { MATCH `
	totalsTail = ` WHERE y <> x AND $VISIBLE(y) AND ` + stated + ` RETURN DISTINCT y }`
)

// NeighbourTotals counts the distinct neighbours of nodes in one direction, by id; a node is no
// neighbour of itself.
//
// SECURITY: counted under the condition of the audience, never as the store's own degree, which would
// count what is hidden (TestRestrictedWalkDoesNotBetrayHiddenNodes).
func (s *Store) NeighbourTotals(ctx context.Context, audience Audience, ids []string, d Direction) (map[string]int, error) {
	rows, err := s.read(ctx, audience, totalsHead+levelArrow(d)+totalsTail, map[string]any{"ids": ids})
	if err != nil {
		return nil, err
	}
	out := make(map[string]int, len(rows))
	for _, r := range rows {
		out[text(r[0])] = integer(r[1])
	}
	return out, nil
}
