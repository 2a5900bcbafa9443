package graph

import "context"

// ColumnLink says that a column depends on another one. What is stated of every column of an asset is a link to
// each.
type ColumnLink struct {
	// Source and Target are ids of columns.
	Source, Target string
	Kind           DependencyKind
	Subtype        *DependencySubtype
	Masking        bool
}

// activePair holds where a dependency d between assets x and y is stated, and of an edge that is walked.
const activePair = `d.workspace IN $workspaces AND EXISTS { MATCH (x)-[r:FEEDS {id: d.edge, workspace: d.workspace}]->(y) WHERE ` + stated + ` }`

// The statements of a level: from columns c of assets a to those that depend on them, or that they depend on. A
// dependency is kept while its edge is retired, so that each level looks whether the edge is walked.
const (
	columnLevelHead = `
UNWIND $ids AS id
MATCH (c:Column {id: id})
MATCH (a:Dataset:Asset)-[:HAS_COLUMN]->(c) WHERE $VISIBLE(a)
CALL (a, c) {`
	columnsDownstream = `
  WITH a AS x, c
  MATCH (c)-[d:DERIVES]->(t:Column) MATCH (y:Dataset:Asset)-[:HAS_COLUMN]->(t) WHERE $VISIBLE(y) AND ` + activePair + `
  RETURN c.id AS source, t.id AS target, d
  UNION ALL
  WITH a AS x, c
  MATCH (c)-[d:DERIVES_ALL]->(y:Dataset:Asset) WHERE $VISIBLE(y) AND ` + activePair + `
  MATCH (y)-[:HAS_COLUMN]->(t:Column)
  RETURN c.id AS source, t.id AS target, d`
	columnsUpstream = `
  WITH a AS y, c
  MATCH (s:Column)-[d:DERIVES]->(c) MATCH (x:Dataset:Asset)-[:HAS_COLUMN]->(s) WHERE $VISIBLE(x) AND ` + activePair + `
  RETURN s.id AS source, c.id AS target, d
  UNION ALL
  WITH a AS y, c
  MATCH (s:Column)-[d:DERIVES_ALL]->(y) MATCH (x:Dataset:Asset)-[:HAS_COLUMN]->(s) WHERE $VISIBLE(x) AND ` + activePair + `
  RETURN s.id AS source, c.id AS target, d`
	columnLevelTail = `
}
WITH DISTINCT source, target, d.kind AS kind, d.subtype AS subtype, d.masking AS masking
RETURN source, target, kind, subtype, masking ORDER BY source, target, kind, subtype, masking LIMIT $limit`
)

func columnLevelQuery(d Direction) string {
	arm := columnsDownstream
	if d == Upstream {
		arm = columnsUpstream
	}
	return columnLevelHead + arm + columnLevelTail
}

// ColumnLinks returns at most limit of the links that lead from columns in a direction, by their ends.
//
// SECURITY: both assets are seen, and so is the edge that a link belongs to (TestColumnLineageIsTheReferenceWalk).
func (s *Store) ColumnLinks(ctx context.Context, audience Audience, ids []string, d Direction, limit int) ([]ColumnLink, error) {
	rows, err := s.read(ctx, audience, columnLevelQuery(d), map[string]any{"ids": ids, "limit": limit})
	if err != nil {
		return nil, err
	}
	links := make([]ColumnLink, len(rows))
	for i, r := range rows {
		links[i] = ColumnLink{Source: text(r[0]), Target: text(r[1]), Kind: DependencyKind(text(r[2])), Masking: boolean(r[4])}
		if subtype := DependencySubtype(text(r[3])); subtype != "" {
			links[i].Subtype = &subtype
		}
	}
	return links, nil
}

// PlacedColumn is a column with the asset that it is of.
type PlacedColumn struct {
	*Column
	Asset string
}

const placedColumnsQuery = `
UNWIND $ids AS id
MATCH (c:Column {id: id})
MATCH (a:Dataset:Asset)-[:HAS_COLUMN]->(c) WHERE $VISIBLE(a)
RETURN a.id, ` + columnList

// PlacedColumns returns those of the columns whose assets the audience sees, by id.
func (s *Store) PlacedColumns(ctx context.Context, audience Audience, ids []string) (map[string]PlacedColumn, error) {
	rows, err := s.read(ctx, audience, placedColumnsQuery, map[string]any{"ids": ids})
	if err != nil {
		return nil, err
	}
	out := make(map[string]PlacedColumn, len(rows))
	for _, r := range rows {
		c := readColumn(r[1])
		out[c.ID] = PlacedColumn{Column: c, Asset: text(r[0])}
	}
	return out, nil
}
