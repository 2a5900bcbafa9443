package graph

import (
	"context"
	"math"
	"strings"
	"time"
)

// AuditEvent is an event of the audit trail as it was written.
type AuditEvent struct {
	ID     string
	At     time.Time
	Action string
	// Actor is nil for the system itself.
	Actor    *User
	Resource string
	// Before and After are JSON values, nil where there was nothing to say.
	Before, After any
	AdminOverride bool
	RequestID     string
}

// AuditFilter is a condition on an event; the fields that are set are ANDed.
type AuditFilter struct {
	// Action is one action, or all that begin with it if it ends in a dot.
	Action string
	Actor  string
	// Resource is what was acted on, or the suite that it is about.
	Resource string
	// From is inclusive, To exclusive.
	From, To      *time.Time
	AdminOverride *bool
	RequestID     string
}

// AuditPosition is where an event stands in the trail, for a cursor.
func AuditPosition(e *AuditEvent) Position {
	return Position{After: true, Number: e.At.UnixMilli(), ID: e.ID}
}

// auditColumns is an event e with its actor u as one list.
const auditColumns = `[e.id, e.at, e.action, u.id, u.email, e.resource, e.before, e.after, e.adminOverride, e.requestId]`

func readAuditEvent(v any) *AuditEvent {
	c := list(v)
	e := &AuditEvent{
		ID: text(c[0]), Action: text(c[2]), Resource: text(c[5]), Before: decoded(c[6]), After: decoded(c[7]),
		AdminOverride: boolean(c[8]), RequestID: text(c[9]),
	}
	if at := instant(c[1]); at != nil {
		e.At = *at
	}
	if c[3] != nil {
		e.Actor = &User{ID: text(c[3]), Email: text(c[4])}
	}
	return e
}

// eventsFrom finds the events of one key by the index of that key and the time. A page looks at those up to
// its cursor alone, and reads no more of them than it holds: the planner takes the order of the index only
// if the key leads the sort (TestThePageOfTheTrailIsFoundByItsIndex).
const (
	eventsFrom = `MATCH (e:AuditEvent) USING INDEX SEEK e:AuditEvent(#KEY, at)
    WHERE e.#KEY = $#KEY AND e.at >= $from AND e.at <= $latest AND e.workspace = $workspace AND $VISIBLE(e)
    AND ($action = '' OR e.action = $action OR ($ofAction AND e.action STARTS WITH $action))
    AND ($actor = '' OR e.actor = $actor) AND ($requestId = '' OR e.requestId = $requestId)
    AND ($override IS NULL OR coalesce(e.adminOverride, false) = $override)`

	eventsOfPage = eventsFrom + ` AND CASE e.at WHEN $afterAt THEN e.id < $afterID ELSE true END
    RETURN e ORDER BY e.#KEY DESC, e.at DESC, e.id DESC LIMIT $limit`
)

// keys are the indexes by which the events of a filter are found: the narrowest there is. Of a resource
// also the events of other things that are about it, if it is a suite.
func (f AuditFilter) keys() []string {
	switch {
	case f.Resource != "":
		return []string{"resource", "suite"}
	case f.RequestID != "":
		return []string{"requestId"}
	case f.Actor != "":
		return []string{"actor"}
	}
	return []string{"workspace"}
}

// auditQuery is the statement of a page of the events that keys find. The total is looked for only if it is
// asked for.
func auditQuery(keys []string) string {
	var page, total []string
	for _, k := range keys {
		page = append(page, strings.ReplaceAll(eventsOfPage, "#KEY", k))
		total = append(total, strings.NewReplacer("#KEY", k, "$latest", "$last").Replace(eventsFrom)+`
    RETURN count(e) AS some`)
	}
	const or = `
    UNION ALL
    `
	return `
CALL () {
  CALL () {
    ` + strings.Join(page, or) + `
  }
  WITH e ORDER BY e.at DESC, e.id DESC LIMIT $limit
  OPTIONAL MATCH (u:User {id: e.actor})
  WITH e, u ORDER BY e.at DESC, e.id DESC
  RETURN collect(` + auditColumns + `) AS page
}
CALL () {
  WITH $total AS asked WHERE asked
  CALL () {
    ` + strings.Join(total, or) + `
  }
  RETURN sum(some) AS total
}
RETURN page, total`
}

// AuditEvents is one page of the workspace's events, newest first, and their number if it was asked for.
func (s *Store) AuditEvents(ctx context.Context, scope Scope, f AuditFilter, at Position) (Page[*AuditEvent], error) {
	rows, err := s.readScoped(ctx, scope, auditQuery(f.keys()), f.params(scope, at))
	if err != nil {
		return Page[*AuditEvent]{}, err
	}
	page := Page[*AuditEvent]{Total: integer(rows[0][1]), Scope: scope}
	for _, v := range list(rows[0][0]) {
		page.Items = append(page.Items, readAuditEvent(v))
	}
	return page.trim(at), nil
}

func (f AuditFilter) params(scope Scope, at Position) map[string]any {
	from, last := int64(math.MinInt64), int64(math.MaxInt64)
	if f.From != nil {
		from = roundedUp(*f.From)
	}
	if f.To != nil {
		last = roundedUp(*f.To) - 1
	}
	afterAt := int64(math.MaxInt64)
	if at.After {
		afterAt = at.Number
	}
	var override any
	if f.AdminOverride != nil {
		override = *f.AdminOverride
	}
	return map[string]any{
		"workspace": scope.Workspace, "resource": f.Resource, "suite": f.Resource, "from": from, "last": last, "latest": min(last, afterAt),
		"action": f.Action, "ofAction": strings.HasSuffix(f.Action, "."), "actor": f.Actor, "requestId": f.RequestID, "override": override,
		"afterAt": afterAt, "afterID": at.ID, "limit": at.First + 1, "total": at.Total,
	}
}

// roundedUp is the first millisecond that is not before an instant: events are kept to the millisecond.
func roundedUp(t time.Time) int64 {
	at := t.UnixMilli()
	if t.After(time.UnixMilli(at)) {
		at++
	}
	return at
}
