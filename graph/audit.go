package graph

import (
	"encoding/json"
	"fmt"
)

// Event is one audit event. It is written in the transaction of what it records and never changed.
//
// SECURITY: no statement changes or deletes one (TestAuditEventsAreOnlyAppended).
type Event struct {
	// Action is `<resource>.<verb>`, for example "share.revoke".
	Action string
	// Resource is the id of what was acted on.
	Resource string
	// Suite is the suite that it is about where Resource is another id, as of a run; "" for none.
	Suite string
	// Before and After are what changed, as JSON values; nil where there is nothing to say.
	Before, After map[string]any
	// AdminOverride is set where the right used was a workspace admin's.
	AdminOverride bool
}

// record adds an event to those that the transaction writes.
func (t *tx) record(e Event) { t.events = append(t.events, e) }

// sealQuery writes the audit events and raises the epochs, in the order in which they were sorted.
const sealQuery = `
CALL () {
  UNWIND $events AS e
  CREATE (:AuditEvent {id: e.id, workspace: $workspace, actor: $actor, action: e.action, resource: e.resource, suite: e.suite,
    before: e.before, after: e.after, adminOverride: e.adminOverride, requestId: $requestId, at: $at})
  RETURN count(*) AS written
}
CALL () {
  UNWIND $bumps AS b
  MATCH (x:Epoch {workspace: b.workspace, shard: b.shard})
  SET x.v = [i IN range(0, size(x.v) - 1) | CASE WHEN i IN b.slots THEN x.v[i] + 1 ELSE x.v[i] END]
  RETURN count(*) AS raised
}
RETURN written, raised`

// seal is the last statement of every transaction that changed something.
func (t *tx) seal() error {
	if len(t.events) == 0 && len(t.touched) == 0 {
		return nil
	}
	events := make([]any, 0, len(t.events))
	for _, e := range t.events {
		events = append(events, map[string]any{
			"id": t.store.ids.New(KindAudit), "action": e.Action, "resource": e.Resource, "suite": textOrAbsent(e.Suite),
			"before": jsonOrNil(e.Before), "after": jsonOrNil(e.After), "adminOverride": e.AdminOverride,
		})
	}
	bumps := t.touched.bumps()
	rows, err := t.runUnscoped(sealQuery, map[string]any{
		"events": events, "workspace": t.actor.Workspace, "actor": t.actor.User, "requestId": t.actor.RequestID,
		"at": t.store.nowMillis(), "bumps": bumps,
	})
	if err != nil {
		return err
	}
	if raised := integer(rows[0][1]); raised != len(bumps) {
		return fmt.Errorf("raised %d of %d epochs", raised, len(bumps))
	}
	return nil
}

// jsonOrNil encodes a set of values; nil stays nil, so that the property is absent.
func jsonOrNil(v map[string]any) any {
	if v == nil {
		return nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil // values are strings, numbers, booleans and lists of them: cannot happen
	}
	return string(b)
}
