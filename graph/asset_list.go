package graph

import "context"

// AssetOrder is a sort order of assets; ties fall to the id.
type AssetOrder struct {
	Field     AssetOrderField
	Direction OrderDirection
}

// OrderDirection is the direction of a sort.
type OrderDirection string

// The directions.
const (
	Ascending  OrderDirection = "ASC"
	Descending OrderDirection = "DESC"
)

// AssetOrderField is what assets are sorted by.
type AssetOrderField string

// The fields; absent values come first in ascending order.
const (
	OrderByName     AssetOrderField = "NAME"
	OrderByLastSeen AssetOrderField = "LAST_SEEN_AT"
	OrderBySeverity AssetOrderField = "WORST_SEVERITY"
)

// AssetPosition is where an asset stands in an order, for a cursor.
func AssetPosition(a *Asset, by AssetOrderField) Position {
	p := Position{After: true, ID: a.ID}
	switch by {
	case OrderByLastSeen:
		p.Number = -1
		if a.LastSeenAt != nil {
			p.Number = a.LastSeenAt.UnixMilli()
		}
	case OrderBySeverity:
		p.Number = int64(a.severityRank)
	default:
		p.Text = a.Name
	}
	return p
}

// The parts of the list's statement, put together by assetListQuery. Each page is found in each of the
// audience's workspaces, so that the index gives the order, and then merged.
const (
	assetListHead = `
UNWIND $workspaces AS w
CALL (w) {
  MATCH (a:Asset {workspace: w}) WHERE $VISIBLE(a)`
	assetListTail = ` LIMIT $limit
}
WITH a`
	assetCountHead = `
CALL () {
  MATCH (a:Asset) WHERE $VISIBLE(a)`
	assetCountTail = ` RETURN count(a) AS total }
`
)

// ordering is how one order is written: its sort clause and its condition to start behind an entry.
type ordering struct{ sort, behind string }

func assetOrdering(o AssetOrder) ordering {
	type key struct {
		field      AssetOrderField
		descending bool
	}
	return map[key]ordering{
		{OrderByName, false}:     {` ORDER BY a.name, a.id`, ` AND a.name >= $text AND (a.name > $text OR a.id > $id)`},
		{OrderByName, true}:      {` ORDER BY a.name DESC, a.id DESC`, ` AND a.name <= $text AND (a.name < $text OR a.id < $id)`},
		{OrderByLastSeen, false}: {` ORDER BY coalesce(a.lastSeenAt, -1), a.id`, ` AND (coalesce(a.lastSeenAt, -1) > $number OR (coalesce(a.lastSeenAt, -1) = $number AND a.id > $id))`},
		{OrderByLastSeen, true}:  {` ORDER BY coalesce(a.lastSeenAt, -1) DESC, a.id DESC`, ` AND (coalesce(a.lastSeenAt, -1) < $number OR (coalesce(a.lastSeenAt, -1) = $number AND a.id < $id))`},
		{OrderBySeverity, false}: {` ORDER BY coalesce(a.severityRank, -1), a.id`, ` AND (coalesce(a.severityRank, -1) > $number OR (coalesce(a.severityRank, -1) = $number AND a.id > $id))`},
		{OrderBySeverity, true}:  {` ORDER BY coalesce(a.severityRank, -1) DESC, a.id DESC`, ` AND (coalesce(a.severityRank, -1) < $number OR (coalesce(a.severityRank, -1) = $number AND a.id < $id))`},
	}[key{o.Field, o.Direction == Descending}]
}

// assetListQuery puts the statement together from constants: which ones depends on the request, their
// text never does.
func assetListQuery(filter string, o ordering, at Position) string {
	q := assetListHead + filter
	if at.After {
		q += o.behind
	}
	q += ` RETURN a` + o.sort + assetListTail + o.sort + ` LIMIT $limit ` + assetMatch + ` WITH a, d` + o.sort +
		` WITH collect(` + assetColumns + `) AS page `
	if !at.Total {
		return q + `RETURN page, 0`
	}
	return q + assetCountHead + filter + assetCountTail + `RETURN page, total`
}

// AssetList is one page of the assets that match the filter, and their number if it was asked for.
func (s *Store) AssetList(ctx context.Context, scope Scope, f AssetFilter, o AssetOrder, at Position) (Page[*Asset], error) {
	params := map[string]any{"limit": at.First + 1, "text": at.Text, "number": at.Number, "id": at.ID}
	filter := f.condition(params)
	rows, err := s.readScoped(ctx, scope, assetListQuery(filter, assetOrdering(o), at), params)
	if err != nil {
		return Page[*Asset]{}, err
	}
	page := Page[*Asset]{Total: integer(rows[0][1]), Scope: scope}
	for _, v := range list(rows[0][0]) {
		page.Items = append(page.Items, readAsset(v))
	}
	return page.trim(at), nil
}
