package graph

import (
	"context"
	"math"
)

// ExpandQuery asks for the neighbours of one node.
type ExpandQuery struct {
	Node string
	// Direction is Upstream or Downstream.
	Direction Direction
	// Filter leaves out edges by its categories, and neighbours by all else.
	Filter WalkFilter
}

// The statement of a page of neighbours b of a node x, around its arrows.
const (
	expandHead = `
MATCH (x:Dataset {id: $node}) WHERE $VISIBLE(x)
RETURN COLLECT { MATCH `
	expandNear = ` WHERE y <> x AND $VISIBLE(y) AND ` + stated + ` WITH DISTINCT y AS b WHERE ` + fitsMark
	expandPage = `
  WITH b, ` + neighbourDegree + ` AS degree WHERE degree < $afterDegree OR (degree = $afterDegree AND b.id > $afterID)
  ORDER BY degree DESC, b.id LIMIT $limit
  RETURN [b.id, degree] }, `
	expandTotal   = `COUNT { MATCH `
	expandNoTotal = `0`
)

// expandQuery is the statement of a page, with the total if that is asked for: it looks at every neighbour.
func expandQuery(d Direction, total bool) string {
	near := levelArrow(d) + expandNear
	if !total {
		return expandHead + near + expandPage + expandNoTotal
	}
	return expandHead + near + expandPage + expandTotal + near + ` RETURN b }`
}

// Expand returns a page of the distinct neighbours of a node in one direction: by degree, the largest first,
// then by id. It returns nil if the audience knows no such node. A neighbour whose degree changes between two
// pages may move over their boundary.
//
// SECURITY: the list, its order and its total are under the audience's condition
// (TestExpansionIsTheReferenceWhateverThePages).
func (s *Store) Expand(ctx context.Context, audience Audience, q ExpandQuery, at Position) (*Page[Neighbour], error) {
	degree := int64(math.MaxInt64)
	if at.After {
		degree = at.Number
	}
	rows, err := s.read(ctx, audience, q.Filter.narrowed(expandQuery(q.Direction, at.Total)), q.Filter.with(map[string]any{
		"node": q.Node, "afterDegree": degree, "afterID": at.ID, "limit": at.First + 1,
	}))
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	page := Page[Neighbour]{Total: integer(rows[0][1])}
	for _, v := range list(rows[0][0]) {
		n := list(v)
		page.Items = append(page.Items, Neighbour{ID: text(n[0]), Degree: integer(n[1]), Fits: true})
	}
	page = page.trim(at)
	return &page, nil
}
