package graph

import "context"

// Ranked is an asset with what it leads to downstream.
type Ranked struct {
	ID string
	// Reach is how many distinct nodes it leads to, itself not counted, over at most MaxImpactDepth hops.
	Reach int
	// Worst is the worst verdict among them, "" if nothing of them was ever checked.
	Worst Severity
}

// rankingQuery searches from one asset after the other; those that feed most come first, and what is over the limit
// is not searched from.
const rankingQuery = assetsOf + `
WITH DISTINCT a
WITH a, COUNT { MATCH (a)-[r:FEEDS]->(m) WHERE m <> a AND $VISIBLE(m) AND ` + stated + ` RETURN DISTINCT m } AS fed
ORDER BY fed DESC, a.id LIMIT $limit
CALL (a) {
  MATCH p = (a)-[:FEEDS*1..$DEPTH]->(b)
  WHERE all(n IN nodes(p) WHERE $VISIBLE(n)) AND all(r IN relationships(p) WHERE ` + stated + `)
  WITH b, min(length(p)) AS hops
  RETURN collect([b.id, b.severityRank]) AS hit
}
WITH a, [x IN hit WHERE x[0] <> a.id] AS hit
RETURN collect([a.id, size(hit), reduce(worst = -1, x IN hit | CASE WHEN coalesce(x[1], -1) > worst THEN x[1] ELSE worst END)])`

// Ranking returns at most limit of the assets of a datasource, in no order, with what they lead to: those that feed
// most nodes directly, then by id.
//
// SECURITY: nothing hidden is counted or passed through (TestRankingIsThatOfTheReference).
func (s *Store) Ranking(ctx context.Context, audience Audience, datasource string, limit int) ([]Ranked, error) {
	rows, err := s.read(ctx, audience, toDepth(rankingQuery, MaxImpactDepth), map[string]any{"datasources": []string{datasource}, "limit": limit})
	if err != nil {
		return nil, err
	}
	out := []Ranked{}
	for _, v := range list(rows[0][0]) {
		c := list(v)
		out = append(out, Ranked{ID: text(c[0]), Reach: integer(c[1]), Worst: SeverityOf(integer(c[2]))})
	}
	return out, nil
}
