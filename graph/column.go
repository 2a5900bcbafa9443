package graph

import "context"

// Column is a column of an asset.
type Column struct {
	ID          string
	Name        string
	Type        *string
	Ordinal     int
	Description *string
}

// ColumnsOf asks for a page of one asset's columns, by position.
type ColumnsOf struct {
	Asset string
	First int
	// AfterOrdinal is 0 on the first page.
	AfterOrdinal int
}

const columnsQuery = `
UNWIND $keys AS k
MATCH (a:Dataset:Asset {id: k.asset}) WHERE $VISIBLE(a)
RETURN k.index, a.columnCount, COLLECT {
  MATCH (a)-[:HAS_COLUMN]->(c:Column) WHERE c.ordinal > k.after
  RETURN [c.id, c.name, c.type, c.ordinal, c.description] ORDER BY c.ordinal LIMIT $most
}[0..k.limit]`

// Columns returns a page for each key whose asset is in the audience.
func (s *Store) Columns(ctx context.Context, audience Audience, keys []ColumnsOf) (map[ColumnsOf]Page[*Column], error) {
	asked, most := make([]any, len(keys)), 0
	for i, k := range keys {
		asked[i] = map[string]any{"index": i, "asset": k.Asset, "after": k.AfterOrdinal, "limit": k.First + 1}
		most = max(most, k.First+1)
	}
	rows, err := s.read(ctx, audience, columnsQuery, map[string]any{"keys": asked, "most": most})
	if err != nil {
		return nil, err
	}
	out := make(map[ColumnsOf]Page[*Column], len(rows))
	for _, r := range rows {
		key := keys[integer(r[0])]
		page := Page[*Column]{Total: integer(r[1])}
		for _, v := range list(r[2]) {
			c := list(v)
			page.Items = append(page.Items, &Column{ID: text(c[0]), Name: text(c[1]), Type: textOrNil(c[2]), Ordinal: integer(c[3]), Description: textOrNil(c[4])})
		}
		out[key] = page.trim(Position{First: key.First, After: key.AfterOrdinal > 0})
	}
	return out, nil
}
