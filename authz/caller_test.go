package authz

import (
	"testing"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClass(t *testing.T) {
	hidden := func(ws string) graph.Membership {
		return graph.Membership{Workspace: ws, Role: graph.RoleViewer, ViewerAccess: graph.Restricted}
	}
	for _, c := range []struct {
		name    string
		members []graph.Membership
		listed  bool
		want    graph.Class
	}{
		{"a member sees everything", []graph.Membership{{Workspace: "a", Role: graph.RoleMember}}, false, graph.ClassFull},
		{"a restricted viewer does not", []graph.Membership{hidden("a")}, false, graph.ClassRestricted},
		{"an unset access reads as unrestricted", []graph.Membership{{Workspace: "a", Role: graph.RoleViewer}}, false, graph.ClassFull},
		{"access restricts viewers alone", []graph.Membership{{Workspace: "a", Role: graph.RoleMember, ViewerAccess: graph.Restricted}}, false, graph.ClassFull},
		{"a team restricts its viewers", []graph.Membership{{Workspace: "a", Role: graph.RoleViewer, ViewerAccess: graph.Unrestricted, RestrictedByTeam: true}}, false, graph.ClassRestricted},
		{"and them alone", []graph.Membership{{Workspace: "a", Role: graph.RoleMember, RestrictedByTeam: true}}, false, graph.ClassFull},
		{"a team elsewhere hides the organization's", []graph.Membership{{Workspace: "a", Role: graph.RoleMember}, {Workspace: "b", Role: graph.RoleViewer, RestrictedByTeam: true}}, false, graph.ClassOrgHidden},
		{"restricted elsewhere hides the organization's", []graph.Membership{{Workspace: "a", Role: graph.RoleAdmin}, hidden("b")}, false, graph.ClassOrgHidden},
		{"restricted here wins over elsewhere", []graph.Membership{hidden("b"), hidden("a")}, false, graph.ClassRestricted},
		{"the allow-list lifts it everywhere", []graph.Membership{hidden("a"), hidden("b")}, true, graph.ClassFull},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := NewPolicy()
			if c.listed {
				p = NewPolicy("me@demo.test")
			}
			assert.Equal(t, c.want, p.Class(graph.CallerFacts{Email: "me@demo.test", Memberships: c.members}, "a"))
		})
	}
}

func TestTheAllowListComparesExactly(t *testing.T) {
	p := NewPolicy("kim@demo.test")
	assert.Equal(t, graph.RoleAdmin, p.Role("kim@demo.test", graph.RoleViewer))
	assert.Equal(t, graph.RoleViewer, p.Role("\u212aim@demo.test", graph.RoleViewer), "the Kelvin sign folds to k, and is none")
}

func TestCallerIsLetIn(t *testing.T) {
	in := func(ws ...string) graph.CallerFacts {
		f := graph.CallerFacts{UserID: "u", Email: "me@demo.test"}
		for _, w := range ws {
			f.Memberships = append(f.Memberships, graph.Membership{Workspace: w, Role: graph.RoleMember})
		}
		return f
	}
	withWorkspace := func(f graph.CallerFacts, ws string, exists bool) graph.CallerFacts {
		f.Workspace, f.WorkspaceExists = ws, exists
		return f
	}
	c, err := NewPolicy().Caller(withWorkspace(in("a"), "a", true))
	require.NoError(t, err)
	assert.Equal(t, graph.RoleMember, c.Role)
	assert.Equal(t, graph.Audience{Workspace: "a", Class: graph.ClassFull}, c.Audience)

	_, foreign := NewPolicy().Caller(withWorkspace(in("a"), "b", true))
	_, missing := NewPolicy().Caller(withWorkspace(in("a"), "nowhere", false))
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(foreign))
	assert.Equal(t, foreign, missing, "whether a workspace exists is not told to who is not in it")

	_, err = NewPolicy().Caller(in())
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
	_, err = NewPolicy().Caller(in("b", "a"))
	assert.Equal(t, fault.CodeBadUserInput, fault.CodeOf(err))
	assert.Contains(t, err.Error(), "a, b")
	_, err = NewPolicy("me@demo.test").Caller(withWorkspace(in("a"), "b", true))
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(err), "the allow-list raises a role; it makes nobody a member")
}

func TestScopeOfEachRole(t *testing.T) {
	admin := caller(graph.RoleAdmin)
	assert.True(t, admin.Scope().AllSuites)
	assert.True(t, admin.Scope().AllDatasources)
	admin.RestrictedToTeams = true
	assert.True(t, admin.Scope().AllSuites)
	assert.False(t, admin.Scope().AllDatasources)
	assert.Equal(t, graph.Viewer, caller(graph.RoleViewer).Scope().MaxDatasource)
	member := caller(graph.RoleMember)
	member.Teams = []graph.Team{{ID: "t1"}, {ID: "t2"}}
	assert.Equal(t, []string{"t1", "t2"}, member.Scope().Teams)
	assert.False(t, member.Scope().AllSuites)
	assert.Equal(t, graph.Editor, member.Scope().MaxDatasource)
	member.Groups = graph.GroupClosure{IDs: []string{"g1"}}
	assert.Equal(t, member.Groups, member.Scope().Groups)
}
