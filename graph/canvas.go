package graph

import "context"

// A canvas reads out whole datasources: who asks holds VIEWER on each of them (docs/visibility.md).

// assetsOf are the assets a of the datasources $datasources.
const assetsOf = `UNWIND $datasources AS datasource
MATCH (a:Dataset:Asset {datasource: datasource}) USING INDEX SEEK a:Asset(datasource, name)
WHERE a.name IS NOT NULL AND $VISIBLE(a)`

const canvasQuery = assetsOf + `
WITH DISTINCT a AS b
WITH b, ` + degreeOf + ` AS degree ORDER BY degree DESC, b.id LIMIT $limit
RETURN collect(b.id)`

// Canvas returns at most limit of the assets of datasources: those with the most neighbours first, then by id.
//
// SECURITY: ranked by what the audience sees, never by the store's own degree
// (TestCanvasesAreThoseOfTheReference).
func (s *Store) Canvas(ctx context.Context, audience Audience, datasources []string, limit int) ([]string, error) {
	rows, err := s.read(ctx, audience, canvasQuery, map[string]any{"datasources": datasources, "limit": limit})
	if err != nil {
		return nil, err
	}
	return texts(rows[0][0]), nil
}

const betweenQuery = assetsOf + `
MATCH (a)-[r:FEEDS]-(b:Asset) WHERE b.datasource = $other AND b <> a AND $VISIBLE(b) AND ` + stated + `
WITH DISTINCT a, b
UNWIND [a, b] AS n
WITH n, count(*) AS connections ORDER BY connections DESC, n.id LIMIT $limit
RETURN collect(n.id)`

// Between returns at most limit of the assets that connect two datasources: those with the most connections
// between the two first, then by id. Of one datasource with itself it is what is connected within.
func (s *Store) Between(ctx context.Context, audience Audience, a, b string, limit int) ([]string, error) {
	rows, err := s.read(ctx, audience, betweenQuery, map[string]any{"datasources": []string{a}, "other": b, "limit": limit})
	if err != nil {
		return nil, err
	}
	return texts(rows[0][0]), nil
}

// DatasourceLink is what connects a datasource with another one, with itself, or with a system outside.
type DatasourceLink struct {
	// Datasource is the other one's id, "" for a system outside the catalog.
	Datasource string
	// System is the one outside, nil for a datasource.
	System *string
	// UpstreamCount and DownstreamCount are how many pairs of nodes lead from there and thither.
	UpstreamCount, DownstreamCount int
}

const datasourceMapQuery = assetsOf + `
CALL (a) {
  MATCH (a)<-[r:FEEDS]-(b:Dataset) WHERE b <> a AND $VISIBLE(b) AND ` + stated + `
  RETURN DISTINCT b, 1 AS up
  UNION ALL
  MATCH (a)-[r:FEEDS]->(b:Dataset) WHERE b <> a AND $VISIBLE(b) AND ` + stated + `
  RETURN DISTINCT b, 0 AS up
}
WITH b.datasource AS datasource, CASE WHEN b.datasource IS NULL THEN b.system END AS system, sum(up) AS ups, count(*) - sum(up) AS downs
ORDER BY ups + downs DESC, coalesce(datasource, system)
RETURN datasource, system, ups, downs LIMIT $limit`

// DatasourceMap returns at most limit of the links of a datasource, those with the most connections first.
//
// SECURITY: connections are counted under the audience's condition on both ends
// (TestCanvasesAreThoseOfTheReference).
func (s *Store) DatasourceMap(ctx context.Context, audience Audience, datasource string, limit int) ([]DatasourceLink, error) {
	rows, err := s.read(ctx, audience, datasourceMapQuery, map[string]any{"datasources": []string{datasource}, "limit": limit})
	if err != nil {
		return nil, err
	}
	links := make([]DatasourceLink, len(rows))
	for i, r := range rows {
		links[i] = DatasourceLink{Datasource: text(r[0]), System: textOrNil(r[1]), UpstreamCount: integer(r[2]), DownstreamCount: integer(r[3])}
	}
	return links, nil
}
