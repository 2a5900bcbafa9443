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
// audience's workspaces and then merged. By name the index gives the order, and no more is read than the
// page; the planner takes it only if the workspace leads the sort (TestAssetsByNameReadNoMoreThanThePage).
const (
	assetListHead = `
UNWIND $workspaces AS w
CALL (w) {
  MATCH (a:Asset) WHERE a.workspace = w AND $VISIBLE(a)`
	assetListHeadByName = `
UNWIND $workspaces AS w
CALL (w) {
  MATCH (a:Asset) USING INDEX SEEK a:Asset(workspace, name, id)
  WHERE a.workspace = w AND a.name IS NOT NULL AND a.id IS NOT NULL AND $VISIBLE(a)`
	assetListTail = ` LIMIT $limit
}
WITH a`
	assetCountHead = `
CALL () {
  MATCH (a:Asset) WHERE $VISIBLE(a)`
	assetCountTail = ` RETURN count(a) AS total }
`
)

// ordering is how one order is written: where it looks, its sort within a workspace and over all, and
// its condition to start behind an entry.
type ordering struct{ head, within, sort, behind string }

func assetOrdering(o AssetOrder) ordering {
	type key struct {
		field      AssetOrderField
		descending bool
	}
	const seen, severity = `coalesce(a.lastSeenAt, -1)`, `coalesce(a.severityRank, -1)`
	return map[key]ordering{
		{OrderByName, false}: {
			assetListHeadByName, ` ORDER BY a.workspace, a.name, a.id`, ` ORDER BY a.name, a.id`,
			` AND a.name >= $text AND (a.name > $text OR a.id > $id)`,
		},
		{OrderByName, true}: {
			assetListHeadByName, ` ORDER BY a.workspace DESC, a.name DESC, a.id DESC`, ` ORDER BY a.name DESC, a.id DESC`,
			` AND a.name <= $text AND (a.name < $text OR a.id < $id)`,
		},
		{OrderByLastSeen, false}: byNumber(seen, "", ">"),
		{OrderByLastSeen, true}:  byNumber(seen, " DESC", "<"),
		{OrderBySeverity, false}: byNumber(severity, "", ">"),
		{OrderBySeverity, true}:  byNumber(severity, " DESC", "<"),
	}[key{o.Field, o.Direction == Descending}]
}

// byNumber is an order by an expression of ours that is a number; its arguments are constants.
func byNumber(number, direction, beyond string) ordering {
	sort := ` ORDER BY ` + number + direction + `, a.id` + direction
	return ordering{
		assetListHead, sort, sort,
		` AND (` + number + ` ` + beyond + ` $number OR (` + number + ` = $number AND a.id ` + beyond + ` $id))`,
	}
}

// assetListQuery puts the statement together from constants: which ones depends on the request, their
// text never does.
func assetListQuery(filter string, o ordering, at Position) string {
	q := o.head + filter
	if at.After {
		q += o.behind
	}
	q += ` RETURN a` + o.within + assetListTail + o.sort + ` LIMIT $limit ` + assetMatch + ` WITH a, d` + o.sort +
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
