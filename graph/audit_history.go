package graph

import (
	"context"
	"math"
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

const historyQuery = `
UNWIND $keys AS k
MATCH (s:Suite {id: k.suite})-[:CHECKS]->(a:Dataset:Asset) WHERE $VISIBLE(a) AND $LADDER(s)
RETURN k.index,
  CASE WHEN k.total THEN COUNT { MATCH (e:AuditEvent) WHERE e.resource = k.suite AND $VISIBLE(e) RETURN e } ELSE 0 END,
  COLLECT {
    MATCH (e:AuditEvent) WHERE e.resource = k.suite AND e.at <= k.afterAt AND $VISIBLE(e) AND (e.at < k.afterAt OR e.id < k.afterID)
    OPTIONAL MATCH (u:User {id: e.actor})
    RETURN ` + auditColumns + ` ORDER BY e.at DESC, e.id DESC LIMIT $most
  }[0..k.limit]`

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
	rows, err := s.readScoped(ctx, scope, historyQuery, map[string]any{"keys": asked, "most": most})
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
