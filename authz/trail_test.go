package authz

import (
	"testing"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/stretchr/testify/assert"
)

func TestTheTrailIsForAdminsWhomNothingIsHiddenFrom(t *testing.T) {
	for _, c := range []struct {
		name  string
		role  graph.Role
		class graph.Class
		needs string // "" if allowed
	}{
		{"an admin", graph.RoleAdmin, graph.ClassFull, ""},
		{"an admin who is a restricted viewer elsewhere", graph.RoleAdmin, graph.ClassOrgHidden, "a workspace ADMIN who is not a restricted viewer in any workspace"},
		{"a manager", graph.RoleManager, graph.ClassFull, "the role ADMIN in this workspace"},
		{"a member", graph.RoleMember, graph.ClassFull, "the role ADMIN in this workspace"},
		{"a restricted viewer", graph.RoleViewer, graph.ClassRestricted, "the role ADMIN in this workspace"},
	} {
		t.Run(c.name, func(t *testing.T) {
			who := caller(c.role)
			who.Audience = graph.Audience{Workspace: "w", Class: c.class}
			scope, err := TrailScopeFrom(WithCaller(t.Context(), who))
			if c.needs == "" {
				assert.NoError(t, err)
				assert.Equal(t, who.Scope(), scope)
				return
			}
			assert.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
			assert.Equal(t, c.needs, fault.Of(err).Needs)
		})
	}
	_, err := TrailScopeFrom(t.Context())
	assert.Equal(t, fault.CodeUnauthenticated, fault.CodeOf(err))
}
