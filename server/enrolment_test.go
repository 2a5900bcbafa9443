package server_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
	"github.com/strata-gateway/strata/server"
)

func TestAFirstLoginEnrols(t *testing.T) {
	w := testkit.NewWorld(t)
	domain := w.Workspace + ".test"
	viewer := w.Member(graph.RoleViewer)
	g := testkit.NewGateway(t, w, func(d *server.Deps) {
		d.Enrolment = authz.Enrolment{Workspace: w.Workspace, Domains: []string{domain}, Role: graph.RoleMember}
	})
	role := func(email string) string {
		var got struct{ Viewer struct{ Role string } }
		g.As(email).Query(t.Context(), `{ viewer { role } }`, nil, &got).RequireNoErrors(t)
		return got.Viewer.Role
	}
	before := w.Events()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { assert.Equal(t, "MEMBER", role("new@"+domain)) })
	}
	all.Wait()
	assert.Equal(t, before+1, w.Events(), "enrolled once, and written down")
	assert.Equal(t, "VIEWER", role(viewer.Email), "who is a member stays what they are")
	g.As("new@elsewhere.test").Query(t.Context(), `{ viewer { role } }`, nil, nil).AssertCode(t, "FORBIDDEN")
	g.As("new@sub."+domain).Query(t.Context(), `{ viewer { role } }`, nil, nil).AssertCode(t, "FORBIDDEN")
	g.As("other@"+domain).In("another-workspace").Query(t.Context(), `{ viewer { role } }`, nil, nil).AssertCode(t, "FORBIDDEN")
	assert.Equal(t, before+1, w.Events())
}
