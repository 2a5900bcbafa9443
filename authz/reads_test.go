package authz

import (
	"context"
	"testing"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadsByVirtueOfBeingAdminAreNoted(t *testing.T) {
	as := func(role graph.Role) context.Context {
		c := caller(role)
		c.Audience = graph.Audience{Workspace: "w", Class: graph.ClassFull}
		return WithCaller(t.Context(), c)
	}
	for _, c := range []struct {
		name  string
		role  graph.Role
		suite graph.SuiteFacts
		noted bool
	}{
		{"an admin who holds nothing", graph.RoleAdmin, graph.SuiteFacts{ID: "s", Owner: "you"}, true},
		{"an admin who owns it", graph.RoleAdmin, graph.SuiteFacts{ID: "s", Owner: "me"}, false},
		{"an admin with a share", graph.RoleAdmin, graph.SuiteFacts{ID: "s", Owner: "you", Share: graph.ShareView}, false},
		{"an owner", graph.RoleMember, graph.SuiteFacts{ID: "s", Owner: "me"}, false},
		{"a share holder", graph.RoleMember, graph.SuiteFacts{ID: "s", Owner: "you", Share: graph.ShareEdit}, false},
		{"someone who was refused", graph.RoleMember, graph.SuiteFacts{ID: "s", Owner: "you"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx := WithReads(as(c.role))
			require.NoError(t, NoteRead(ctx, c.suite, "r2"))
			require.NoError(t, NoteRead(ctx, c.suite, "r1"))
			require.NoError(t, NoteRead(ctx, c.suite, "r2"))
			want := []graph.DataRead{}
			if c.noted {
				want = []graph.DataRead{{Suite: "s", Runs: []string{"r1", "r2"}}}
			}
			assert.Equal(t, want, ReadsFrom(ctx))
			err := NoteRead(as(c.role), c.suite, "r1")
			assert.Equal(t, c.noted, err != nil, "what nothing gathers is not given out")
		})
	}
	assert.Equal(t, fault.CodeUnauthenticated, fault.CodeOf(NoteRead(WithReads(t.Context()), graph.SuiteFacts{}, "r")))
	assert.Empty(t, ReadsFrom(t.Context()))
}
