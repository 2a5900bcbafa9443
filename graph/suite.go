package graph

import (
	"context"
	"time"
)

// Suite is a set of checks on one asset. It carries the facts by which a caller's level is decided.
type Suite struct {
	SuiteFacts
	Name        string
	Description *string
	AssetID     string
	OwnerUser   *User
	CreatedAt   time.Time
}

// IsNode marks a Suite as an object with a global id.
func (*Suite) IsNode() {}

// suiteColumns is a suite s on asset a, with its owner o and the caller's share.
const suiteColumns = `[s.id, s.name, s.description, a.id, [o.id, o.email], s.createdAt,
  $HELD(s)]`

// suiteMatch binds the asset a and the owner o of a suite s; the asset must be in the audience, since
// what is derived from an asset follows it.
const suiteMatch = `
MATCH (s)-[:CHECKS]->(a:Dataset:Asset) WHERE $VISIBLE(a)
MATCH (o:User {id: s.owner}) `

func readSuite(v any) *Suite {
	c := list(v)
	owner := list(c[4])
	s := &Suite{
		Name: text(c[1]), Description: textOrNil(c[2]), AssetID: text(c[3]),
		OwnerUser:  &User{ID: text(owner[0]), Email: text(owner[1])},
		SuiteFacts: SuiteFacts{ID: text(c[0]), Owner: text(owner[0]), Share: highestShare(c[6])},
	}
	if at := instant(c[5]); at != nil {
		s.CreatedAt = *at
	}
	return s
}

const suitesByIDQuery = `
UNWIND $ids AS id
MATCH (s:Suite {id: id})` + suiteMatch + `
RETURN ` + suiteColumns

// Suites returns those of the ids whose asset is in the scope's audience, by id, whether or not the
// caller may view them: the gate decides on the facts they carry.
func (s *Store) Suites(ctx context.Context, scope Scope, ids []string) (map[string]*Suite, error) {
	rows, err := s.readScoped(ctx, scope, suitesByIDQuery, map[string]any{"ids": ids})
	if err != nil {
		return nil, err
	}
	out := make(map[string]*Suite, len(rows))
	for _, r := range rows {
		found := readSuite(r[0])
		out[found.ID] = found
	}
	return out, nil
}

// SuiteFilter is a condition on a suite; the fields that are set are ANDed.
type SuiteFilter struct {
	Asset        string
	NameContains string
}

const suiteListQuery = `
CALL () {
  MATCH (s:Suite) WHERE s.workspace IN $workspaces AND $LADDER(s)
    AND ($asset = '' OR s.asset = $asset) AND ($nameContains = '' OR toLower(s.name) CONTAINS toLower($nameContains))` + suiteMatch + `
  WITH s, a, o WHERE s.name > $text OR (s.name = $text AND s.id > $id)
  WITH s, a, o ORDER BY s.name, s.id LIMIT $limit
  RETURN collect(` + suiteColumns + `) AS page
}
CALL () {
  MATCH (s:Suite) WHERE $total AND s.workspace IN $workspaces AND $LADDER(s)
    AND ($asset = '' OR s.asset = $asset) AND ($nameContains = '' OR toLower(s.name) CONTAINS toLower($nameContains))
  MATCH (s)-[:CHECKS]->(a:Dataset:Asset) WHERE $VISIBLE(a)
  RETURN count(s) AS total
}
RETURN page, total`

// SuiteList is one page of the caller's suites by name, and their number if it was asked for.
func (s *Store) SuiteList(ctx context.Context, scope Scope, f SuiteFilter, at Position) (Page[*Suite], error) {
	rows, err := s.readScoped(ctx, scope, suiteListQuery, map[string]any{
		"asset": f.Asset, "nameContains": f.NameContains, "text": at.Text, "id": at.ID, "limit": at.First + 1, "total": at.Total,
	})
	if err != nil {
		return Page[*Suite]{}, err
	}
	page := Page[*Suite]{Total: integer(rows[0][1]), Scope: scope}
	for _, v := range list(rows[0][0]) {
		page.Items = append(page.Items, readSuite(v))
	}
	return page.trim(at), nil
}

// SuitesOf asks for a page of the caller's suites on one asset, by name. First 0 asks for counts alone.
type SuitesOf struct {
	Asset string
	First int
	// After is set behind the suite of that name and id.
	After              bool
	AfterName, AfterID string
}

// AssetSuites are the caller's suites on an asset, and how many there are in all. The counts come from
// one statement, so that their difference is never off.
type AssetSuites struct {
	Page[*Suite]
	// All suites of the asset, the caller's or not.
	All int
}

const suitesOfQuery = `
UNWIND $keys AS k
MATCH (a:Dataset:Asset {id: k.asset}) WHERE $VISIBLE(a)
RETURN k.index, COUNT { (a)<-[:CHECKS]-(:Suite) },
  COUNT { MATCH (a)<-[:CHECKS]-(s:Suite) WHERE $LADDER(s) RETURN s },
  COLLECT {
    MATCH (a)<-[:CHECKS]-(s:Suite) WHERE $LADDER(s) AND (s.name > k.afterName OR (s.name = k.afterName AND s.id > k.afterID))
    MATCH (o:User {id: s.owner})
    RETURN ` + suiteColumns + ` ORDER BY s.name, s.id LIMIT $most
  }[0..k.limit]`

// SuitesOnAssets returns a page of the caller's suites for each key whose asset is in the audience.
func (s *Store) SuitesOnAssets(ctx context.Context, scope Scope, keys []SuitesOf) (map[SuitesOf]AssetSuites, error) {
	asked, most := make([]any, len(keys)), 0
	for i, k := range keys {
		limit := k.First + 1
		if k.First == 0 {
			limit = 0
		}
		most = max(most, limit)
		asked[i] = map[string]any{"index": i, "asset": k.Asset, "afterName": k.AfterName, "afterID": k.AfterID, "limit": limit}
	}
	rows, err := s.readScoped(ctx, scope, suitesOfQuery, map[string]any{"keys": asked, "most": most})
	if err != nil {
		return nil, err
	}
	out := make(map[SuitesOf]AssetSuites, len(rows))
	for _, r := range rows {
		key := keys[integer(r[0])]
		page := Page[*Suite]{Total: integer(r[2]), Scope: scope}
		for _, v := range list(r[3]) {
			page.Items = append(page.Items, readSuite(v))
		}
		out[key] = AssetSuites{Page: page.trim(Position{First: key.First, After: key.After}), All: integer(r[1])}
	}
	return out, nil
}
