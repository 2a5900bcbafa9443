package authz

import (
	"testing"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/stretchr/testify/assert"
)

func caller(role graph.Role) *Caller {
	return &Caller{User: graph.User{ID: "me", Email: "me@demo.test"}, Role: role, policy: NewPolicy()}
}

func TestLevelOn(t *testing.T) {
	mine := graph.SuiteFacts{Owner: "me"}
	others := graph.SuiteFacts{Owner: "you"}
	viewShare := graph.SuiteFacts{Owner: "you", Share: graph.ShareView}
	editShare := graph.SuiteFacts{Owner: "you", Share: graph.ShareEdit}
	ownedAndShared := graph.SuiteFacts{Owner: "me", Share: graph.ShareView}

	for _, c := range []struct {
		name  string
		role  graph.Role
		suite graph.SuiteFacts
		want  SuiteLevel
		why   Reason
	}{
		{"a member holds nothing on another's suite", graph.RoleMember, others, SuiteNone, ReasonNotHeld},
		{"a manager neither", graph.RoleManager, others, SuiteNone, ReasonNotHeld},
		{"nor someone without a role", "", others, SuiteNone, ReasonNotHeld},
		{"a VIEW share gives VIEW", graph.RoleMember, viewShare, SuiteView, ReasonShare},
		{"an EDIT share gives EDIT", graph.RoleMember, editShare, SuiteEdit, ReasonShare},
		{"an unknown share gives nothing", graph.RoleMember, graph.SuiteFacts{Owner: "you", Share: "ADMIN"}, SuiteNone, ReasonNotHeld},
		{"the owner owns", graph.RoleMember, mine, SuiteOwner, ReasonOwner},
		{"the highest counts", graph.RoleMember, ownedAndShared, SuiteOwner, ReasonOwner},
		{"a workspace admin is admin of every suite", graph.RoleAdmin, others, SuiteAdmin, ReasonAdmin},
		{"and owner of their own", graph.RoleAdmin, mine, SuiteOwner, ReasonOwner},
		{"a viewer's EDIT share is clamped", graph.RoleViewer, editShare, SuiteView, ReasonClamp},
		{"a viewer's own suite is clamped too", graph.RoleViewer, mine, SuiteView, ReasonClamp},
		{"a viewer's VIEW share stays", graph.RoleViewer, viewShare, SuiteView, ReasonShare},
		{"the clamp grants nothing", graph.RoleViewer, others, SuiteNone, ReasonNotHeld},
		{"a suite without an owner is nobody's", graph.RoleMember, graph.SuiteFacts{}, SuiteNone, ReasonNotHeld},
	} {
		t.Run(c.name, func(t *testing.T) {
			level, why := LevelOn(caller(c.role), c.suite)
			assert.Equal(t, c.want, level)
			assert.Equal(t, c.why, why)
		})
	}
}

func TestOnSuite(t *testing.T) {
	others := graph.SuiteFacts{Owner: "you"}
	for _, c := range []struct {
		name     string
		role     graph.Role
		suite    graph.SuiteFacts
		least    SuiteLevel
		allowed  bool
		override bool
		code     fault.Code
	}{
		{"unknown suites look nonexistent", graph.RoleMember, others, SuiteView, false, false, fault.CodeNotFound},
		{"also to who would manage them", graph.RoleMember, others, SuiteAdmin, false, false, fault.CodeNotFound},
		{"who may view it is told what is missing", graph.RoleMember, graph.SuiteFacts{Owner: "you", Share: graph.ShareView}, SuiteEdit, false, false, fault.CodeForbidden},
		{"an admin's right is an override", graph.RoleAdmin, others, SuiteAdmin, true, true, ""},
		{"not where a share is enough", graph.RoleAdmin, graph.SuiteFacts{Owner: "you", Share: graph.ShareView}, SuiteView, true, false, ""},
		{"nor where they own it", graph.RoleAdmin, graph.SuiteFacts{Owner: "me"}, SuiteAdmin, true, false, ""},
		{"nothing holds an unknown level", graph.RoleAdmin, graph.SuiteFacts{Owner: "me"}, "ROOT", false, false, fault.CodeForbidden},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := OnSuite(caller(c.role), c.suite, c.least, "suite")
			assert.Equal(t, c.allowed, d.Allowed)
			assert.Equal(t, c.override, d.AdminOverride)
			assert.Equal(t, c.code, fault.CodeOf(d.Err()))
			assert.NotEqual(t, ReasonNone, d.Reason)
		})
	}
}
