package graph

import (
	"context"
	"strings"
)

// SearchMatch says why a hit was found, best first.
type SearchMatch string

// The tiers, in the order of their ranks.
const (
	MatchExact  SearchMatch = "EXACT"
	MatchPrefix SearchMatch = "PREFIX"
	MatchName   SearchMatch = "NAME"
	MatchColumn SearchMatch = "COLUMN"
	MatchText   SearchMatch = "TEXT"
)

func searchMatches() []SearchMatch {
	return []SearchMatch{MatchExact, MatchPrefix, MatchName, MatchColumn, MatchText}
}

// SearchHit is an asset that a search found.
type SearchHit struct {
	Asset *Asset
	Match SearchMatch
	tier  int
}

// SearchPosition is where a hit stands in the order of the answer, for a cursor.
func SearchPosition(h *SearchHit) Position {
	return Position{After: true, Number: int64(h.tier), Text: h.Asset.Name, ID: h.Asset.ID}
}

// searchQuery ranks by tier, name and id: no relevance score, which would depend on the documents of
// other workspaces and on hidden ones. The index finds candidates; the condition comes before any limit.
//
// SECURITY: TestSearchOrderIgnoresWhatIsHidden.
const searchQuery = `
CALL db.index.fulltext.queryNodes('asset_text', $candidates) YIELD node AS a
WITH a, toLower(a.name) AS name WHERE $VISIBLE(a)
WITH a, name, last(split(name, '.')) AS short
WITH a, CASE
  WHEN name = $text OR short = $text THEN 0
  WHEN name STARTS WITH $text OR short STARTS WITH $text THEN 1
  WHEN all(w IN $words WHERE name CONTAINS w) THEN 2
  WHEN EXISTS { (a)-[:HAS_COLUMN]->(c:Column) WHERE all(w IN $words WHERE toLower(c.name) CONTAINS w) } THEN 3
  ELSE 4 END AS tier
ORDER BY tier, a.name, a.id
WITH collect([tier, a]) AS hits
WITH size(hits) AS total, [h IN hits WHERE NOT $paging OR h[0] > $number
  OR (h[0] = $number AND (h[1].name > $after OR (h[1].name = $after AND h[1].id > $id)))][0..$limit] AS page
UNWIND CASE WHEN size(page) = 0 THEN [null] ELSE page END AS hit
WITH total, hit[0] AS tier, hit[1] AS a
OPTIONAL MATCH (d:Datasource {id: a.datasource})
RETURN total, tier, CASE WHEN a IS NULL THEN null ELSE ` + assetColumns + ` END
ORDER BY tier, a.name, a.id`

// Search is one page of the assets of the audience in which every word of the text begins some word of
// the name, a column, a description or a tag. A text without letters and digits finds nothing.
func (s *Store) Search(ctx context.Context, scope Scope, phrase string, at Position) (Page[*SearchHit], error) {
	words := searchWords(phrase)
	if len(words) == 0 {
		return Page[*SearchHit]{Scope: scope}, nil
	}
	rows, err := s.readScoped(ctx, scope, searchQuery, map[string]any{
		"candidates": candidates(scope.workspaces(s.organization), words), "text": strings.ToLower(strings.TrimSpace(phrase)), "words": words,
		"paging": at.After, "number": at.Number, "after": at.Text, "id": at.ID, "limit": at.First + 1,
	})
	if err != nil {
		return Page[*SearchHit]{}, err
	}
	page := Page[*SearchHit]{Scope: scope}
	for _, r := range rows {
		page.Total = integer(r[0])
		if r[2] == nil {
			continue
		}
		tier := integer(r[1])
		page.Items = append(page.Items, &SearchHit{Asset: readAsset(r[2]), Match: searchMatches()[tier], tier: tier})
	}
	return page.trim(at), nil
}

// candidates is the index's query. Words hold letters and digits only, and workspaces are DNS labels, so
// nothing in it can be an operator of the query language.
func candidates(workspaces, words []string) string {
	var b strings.Builder
	b.WriteString("+workspace:(")
	for _, w := range workspaces {
		b.WriteString(`"` + w + `" `)
	}
	b.WriteString(")")
	for _, w := range words {
		b.WriteString(" +searchText:" + w + "*")
	}
	return b.String()
}

// SearchWords is how many words a text has to search for.
func SearchWords(phrase string) int { return len(searchWords(phrase)) }
