package graph

import "context"

const retiredEdgesQuery = `
MATCH (m:Dataset) WHERE m.id IN $ids AND $VISIBLE(m)
WITH collect(m) AS set
UNWIND set AS b
MATCH (b)-[r:FED]->(m) WHERE m IN set AND ` + stated + `
RETURN DISTINCT r.id, b.id, m.id, r.category ORDER BY r.id`

// RetiredEdges returns the edges among nodes, as the audience sees them, that nobody asserts any more and
// that the filter lets through, by id.
func (s *Store) RetiredEdges(ctx context.Context, audience Audience, ids []string, f WalkFilter) ([]Edge, error) {
	rows, err := s.read(ctx, audience, f.narrowed(retiredEdgesQuery), f.with(map[string]any{"ids": ids}))
	if err != nil {
		return nil, err
	}
	edges := make([]Edge, len(rows))
	for i, r := range rows {
		edges[i] = Edge{ID: text(r[0]), Source: text(r[1]), Target: text(r[2]), Category: EdgeCategory(text(r[3]))}
	}
	return edges, nil
}
