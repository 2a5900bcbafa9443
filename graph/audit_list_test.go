package graph_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
)

// trail is all that a filter finds, walked in pages of a size.
func (w *world) trail(f graph.AuditFilter, size int) []*graph.AuditEvent {
	w.t.Helper()
	scope := w.caller(w.email(graph.RoleAdmin)).Scope()
	var all []*graph.AuditEvent
	for at := (graph.Position{First: size, Total: true}); ; {
		page, err := w.store.AuditEvents(w.t.Context(), scope, f, at)
		require.NoError(w.t, err)
		all = append(all, page.Items...)
		if !page.HasNext {
			require.Len(w.t, all, page.Total, "the total is that of the whole list, on every page")
			return all
		}
		require.Len(w.t, page.Items, size, "pages are full")
		last := graph.AuditPosition(page.Items[size-1])
		at.After, at.Number, at.ID = true, last.Number, last.ID
	}
}

func TestTheTrailIsNewestFirstInFullPages(t *testing.T) {
	w := newWorld(t)
	for range 7 {
		w.datasource(graph.NewDatasource{Name: "d" + time.Now().String(), Kind: "POSTGRESQL"})
	}
	// Several events of one instant, in the order of their ids.
	w.rows(`UNWIND range(1, 5) AS i CREATE (:AuditEvent {id: 'audit_' + $workspace + i, workspace: $workspace, actor: '', action: 'test.same',
		resource: 'r', adminOverride: false, requestId: 'r', at: 1}) RETURN 1`, nil)
	whole := w.trail(graph.AuditFilter{}, 200)
	require.Len(t, whole, len(w.events()))
	assert.True(t, slices.IsSortedFunc(whole, func(a, b *graph.AuditEvent) int {
		if c := b.At.Compare(a.At); c != 0 {
			return c
		}
		return -compare(a.ID, b.ID)
	}))
	for _, size := range []int{1, 2, 3, 5} {
		assert.Equal(t, whole, w.trail(graph.AuditFilter{}, size))
	}
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func TestEachConditionOfTheTrail(t *testing.T) {
	w := newWorld(t)
	d := w.datasource(graph.NewDatasource{Name: "shop", Kind: "POSTGRESQL"})
	manager, admin := w.caller(w.email(graph.RoleManager)).User.ID, w.caller(w.email(graph.RoleAdmin)).User.ID
	// The admin, who is no owner, makes an asset: by nothing but being an admin.
	a, err := w.store.CreateAsset(t.Context(), w.as(w.email(graph.RoleAdmin), authz.EditDatasources), graph.NewAsset{Datasource: d.ID, Name: "orders", Type: graph.TypeTable})
	require.NoError(t, err)
	w.rows(`CREATE (:AuditEvent {id: 'audit_old' + $workspace, workspace: $workspace, actor: '', action: 'assets.old', resource: 'r',
		adminOverride: false, requestId: 'request-0', at: 1000}) RETURN 1`, nil)
	at := func(millis int64) *time.Time { x := time.UnixMilli(millis); return &x }
	between := func(x time.Time) *time.Time { return &x }
	yes, no := true, false
	actions := func(f graph.AuditFilter) []string {
		var out []string
		for _, e := range w.trail(f, 3) {
			out = append(out, e.Action)
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	for name, c := range map[string]struct {
		filter graph.AuditFilter
		want   []string
	}{
		"none":                           {graph.AuditFilter{}, []string{"asset.create", "assets.old", "datasource.create", "member.enrol"}},
		"an action":                      {graph.AuditFilter{Action: "asset.create"}, []string{"asset.create"}},
		"an action is no prefix":         {graph.AuditFilter{Action: "asset"}, nil},
		"what begins with one":           {graph.AuditFilter{Action: "asset."}, []string{"asset.create"}},
		"no action begins with it":       {graph.AuditFilter{Action: "."}, nil},
		"the actor":                      {graph.AuditFilter{Actor: manager}, []string{"datasource.create"}},
		"another actor":                  {graph.AuditFilter{Actor: admin}, []string{"asset.create"}},
		"the resource":                   {graph.AuditFilter{Resource: d.ID}, []string{"datasource.create"}},
		"the resource and another actor": {graph.AuditFilter{Resource: d.ID, Actor: admin}, nil},
		"a right of an admin":            {graph.AuditFilter{AdminOverride: &yes, Resource: a.ID}, []string{"asset.create"}},
		"a right that is held":           {graph.AuditFilter{AdminOverride: &no, Action: "asset.create"}, nil},
		"the request":                    {graph.AuditFilter{RequestID: "request-0"}, []string{"assets.old"}},
		"until, which is not included":   {graph.AuditFilter{To: at(1000)}, nil},
		"until just after":               {graph.AuditFilter{To: between(time.UnixMilli(1000).Add(time.Nanosecond))}, []string{"assets.old"}},
		"from, which is included":        {graph.AuditFilter{From: at(1000), To: at(1001)}, []string{"assets.old"}},
		"from just after":                {graph.AuditFilter{From: between(time.UnixMilli(1000).Add(time.Nanosecond)), To: at(2000)}, nil},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, actions(c.filter)) })
	}
	events := w.trail(graph.AuditFilter{Resource: a.ID}, 10)
	require.Len(t, events, 1)
	assert.Equal(t, &graph.User{ID: admin, Email: w.email(graph.RoleAdmin)}, events[0].Actor)
	assert.Equal(t, "request-1", events[0].RequestID)
	assert.True(t, events[0].AdminOverride)
	assert.Nil(t, events[0].Before)
	assert.Equal(t, "orders", events[0].After.(map[string]any)["name"])
	assert.Nil(t, w.trail(graph.AuditFilter{Action: "assets.old"}, 1)[0].Actor, "the system itself")
}

func TestTheTrailOfAnotherWorkspaceIsNotThere(t *testing.T) {
	w := newWorld(t)
	other := anotherWorld(t)
	d := other.datasource(graph.NewDatasource{Name: "theirs", Kind: "POSTGRESQL"})
	assert.Empty(t, w.trail(graph.AuditFilter{Resource: d.ID}, 1))
	assert.Len(t, other.trail(graph.AuditFilter{Resource: d.ID}, 1), 1)
}
