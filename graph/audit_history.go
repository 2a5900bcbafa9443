package graph

import (
	"context"
	"math"
	"strings"
)

// HistoryOf asks for a page of what was done to a suite, newest first.
type HistoryOf struct {
	Suite string
	First int
	// After is set behind the event of that time and id.
	After   bool
	AfterAt int64
	AfterID string
	// Total asks for the number of all.
	Total bool
}

// The events of a suite k.suite are those that it is the resource of, and those of other things that are
// about it, as its runs are. Each event is one or the other.
const (
	historyFrom = `MATCH (e:AuditEvent) USING INDEX SEEK e:AuditEvent(#KEY, at)
      WHERE e.#KEY = k.suite AND e.at <= k.afterAt AND $VISIBLE(e) AND CASE e.at WHEN k.afterAt THEN e.id < k.afterID ELSE true END
      RETURN e ORDER BY e.#KEY DESC, e.at DESC, e.id DESC LIMIT $most`

	historyCount = `MATCH (e:AuditEvent) USING INDEX SEEK e:AuditEvent(#KEY, at)
      WHERE e.#KEY = k.suite AND e.at IS NOT NULL AND $VISIBLE(e)
      RETURN count(e) AS some`
)

// historyQuery is the statement of pages of histories. A total is looked for only if it is asked for.
func historyQuery() string {
	both := func(statement string) string {
		return strings.ReplaceAll(statement, "#KEY", "resource") + `
      UNION ALL
      ` + strings.ReplaceAll(statement, "#KEY", "suite")
	}
	return `
UNWIND $keys AS k
MATCH (s:Suite {id: k.suite})-[:CHECKS]->(a:Dataset:Asset) WHERE $VISIBLE(a) AND $LADDER(s)
CALL (k) {
  CALL (k) {
      ` + both(historyFrom) + `
  }
  WITH e ORDER BY e.at DESC, e.id DESC LIMIT $most
  OPTIONAL MATCH (u:User {id: e.actor})
  WITH e, u ORDER BY e.at DESC, e.id DESC
  RETURN collect(` + auditColumns + `) AS page
}
CALL (k) {
  WITH k WHERE k.total
  CALL (k) {
      ` + both(historyCount) + `
  }
  RETURN sum(some) AS total
}
RETURN k.index, total, page[0..k.limit]`
}

// Histories returns a page of events for each key whose suite the caller may view; that they hold ADMIN
// on it is the gate's to say.
func (s *Store) Histories(ctx context.Context, scope Scope, keys []HistoryOf) (map[HistoryOf]Page[*AuditEvent], error) {
	asked, most := make([]any, len(keys)), 0
	for i, k := range keys {
		afterAt := int64(math.MaxInt64)
		if k.After {
			afterAt = k.AfterAt
		}
		asked[i] = map[string]any{
			"index": i, "suite": k.Suite, "afterAt": afterAt, "afterID": k.AfterID, "limit": k.First + 1, "total": k.Total,
		}
		most = max(most, k.First+1)
	}
	rows, err := s.readScoped(ctx, scope, historyQuery(), map[string]any{"keys": asked, "most": most})
	if err != nil {
		return nil, err
	}
	out := make(map[HistoryOf]Page[*AuditEvent], len(rows))
	for _, r := range rows {
		key := keys[integer(r[0])]
		page := Page[*AuditEvent]{Total: integer(r[1]), Scope: scope}
		for _, v := range list(r[2]) {
			page.Items = append(page.Items, readAuditEvent(v))
		}
		out[key] = page.trim(Position{First: key.First, After: key.After})
	}
	return out, nil
}
