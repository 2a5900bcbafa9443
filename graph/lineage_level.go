package graph

import "context"

// NeighboursQuery asks for one level of a walk: the direct neighbours of some nodes in one direction.
type NeighboursQuery struct {
	Nodes []string
	// Direction is Upstream or Downstream.
	Direction Direction
	// FanOut is how many neighbours of a node are returned.
	FanOut int
	// Filter cuts by its categories, and says which neighbours fit.
	Filter WalkFilter
}

// Neighbour is a node next to another one.
type Neighbour struct {
	ID string
	// Degree is how many distinct nodes, other than itself, it feeds or is fed by.
	Degree int
	// Fits says whether it passes the filter.
	Fits bool
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
const (
	levelHead = `
UNWIND $ids AS id
MATCH (x:Dataset {id: id}) WHERE $VISIBLE(x)
RETURN x.id, COLLECT {
  MATCH `
	levelTail = ` WHERE y <> x AND $VISIBLE(y) AND ` + stated + `
  WITH DISTINCT y AS b
  WITH b, ` + neighbourDegree + ` AS degree
  ORDER BY degree DESC, b.id LIMIT $fanOut
  RETURN [b.id, degree, ` + fitsMark + `] }`

	// degreeOf is how many distinct nodes b feeds or is fed by, and neighbourDegree the same of a node that an
	// edge of the walk led to: most neighbours of a hub have no other, which the store knows without looking.
	degreeOf        = `COUNT { MATCH (b)-[r:FEEDS]-(z) WHERE z <> b AND $VISIBLE(z) AND ` + stated + ` RETURN DISTINCT z }`
	neighbourDegree = `CASE WHEN COUNT { (b)-[:FEEDS]-() } = 1 THEN 1 ELSE ` + degreeOf + ` END`
)

// Neighbours returns, for each of the nodes that exists in the audience, at most FanOut of its distinct
// neighbours: by degree, the largest first, then by id. NeighbourTotals says how many there are.
func (s *Store) Neighbours(ctx context.Context, audience Audience, q NeighboursQuery) (map[string][]Neighbour, error) {
	rows, err := s.read(ctx, audience, q.Filter.narrowed(levelHead+levelArrow(q.Direction)+levelTail), q.Filter.with(map[string]any{"ids": q.Nodes, "fanOut": q.FanOut}))
	if err != nil {
		return nil, err
	}
	out := make(map[string][]Neighbour, len(rows))
	for _, r := range rows {
		neighbours := []Neighbour{}
		for _, v := range list(r[1]) {
			n := list(v)
			neighbours = append(neighbours, Neighbour{ID: text(n[0]), Degree: integer(n[1]), Fits: boolean(n[2])})
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

// NeighbourTotals counts the distinct neighbours of nodes in one direction, by id, as far as the filter lets
// edges be walked; a node is no neighbour of itself.
//
// SECURITY: counted under the condition of the audience, never as the store's own degree, which would
// count what is hidden (TestRestrictedWalkDoesNotBetrayHiddenNodes).
func (s *Store) NeighbourTotals(ctx context.Context, audience Audience, ids []string, d Direction, f WalkFilter) (map[string]int, error) {
	rows, err := s.read(ctx, audience, f.narrowed(totalsHead+levelArrow(d)+totalsTail), f.with(map[string]any{"ids": ids}))
	if err != nil {
		return nil, err
	}
	out := make(map[string]int, len(rows))
	for _, r := range rows {
		out[text(r[0])] = integer(r[1])
	}
	return out, nil
}
