package authz

import (
	"testing"

	"github.com/strata-gateway/strata/graph"
	"github.com/stretchr/testify/assert"
)

func TestEnrolment(t *testing.T) {
	e := Enrolment{Workspace: "main", Domains: []string{"demo.test"}, Role: graph.RoleMember}
	in := func(workspaces ...string) (m []graph.Membership) {
		for _, w := range workspaces {
			m = append(m, graph.Membership{Workspace: w, Role: graph.RoleViewer})
		}
		return m
	}
	for _, c := range []struct {
		name      string
		enrolment Enrolment
		facts     graph.CallerFacts
		want      bool
	}{
		{"a first login", e, graph.CallerFacts{Email: "new@demo.test"}, true},
		{"which names the workspace", e, graph.CallerFacts{Email: "new@demo.test", Workspace: "main"}, true},
		{"or another", e, graph.CallerFacts{Email: "new@demo.test", Workspace: "other"}, false},
		{"a member stays what they are", e, graph.CallerFacts{Email: "new@demo.test", Workspace: "main", Memberships: in("main")}, false},
		{"a member of another who names none", e, graph.CallerFacts{Email: "new@demo.test", Memberships: in("other")}, false},
		{"a member of another who names it", e, graph.CallerFacts{Email: "new@demo.test", Workspace: "main", Memberships: in("other")}, true},
		{"of another domain", e, graph.CallerFacts{Email: "new@demo.test.example"}, false},
		{"of a subdomain", e, graph.CallerFacts{Email: "new@mail.demo.test"}, false},
		{"of a domain that ends alike", e, graph.CallerFacts{Email: "new@notdemo.test"}, false},
		{"with the domain before the last @", e, graph.CallerFacts{Email: "new@demo.test@evil.test"}, false},
		{"without a name", e, graph.CallerFacts{Email: "@demo.test"}, false},
		{"without a domain", e, graph.CallerFacts{Email: "new"}, false},
		{"nobody becomes an admin", Enrolment{Workspace: "main", Domains: e.Domains, Role: graph.RoleAdmin}, graph.CallerFacts{Email: "new@demo.test"}, false},
		{"an unknown role enrols nobody", Enrolment{Workspace: "main", Domains: e.Domains, Role: "OWNER"}, graph.CallerFacts{Email: "new@demo.test"}, false},
		{"nothing is configured", Enrolment{}, graph.CallerFacts{Email: "new@demo.test"}, false},
		{"an empty domain is none", Enrolment{Workspace: "main", Domains: []string{""}, Role: graph.RoleMember}, graph.CallerFacts{Email: "new@"}, false},
	} {
		assert.Equal(t, c.want, c.enrolment.Admits(c.facts), c.name)
	}
}
