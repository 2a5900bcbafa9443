package authz

import (
	"strings"

	"github.com/strata-gateway/strata/graph"
)

// Enrolment says who becomes a member by signing in for the first time. Its zero value enrols nobody.
type Enrolment struct {
	// Workspace is the one that they become a member of.
	Workspace string
	// Domains are those of the addresses, in lower case.
	Domains []string
	// Role is what they become: MANAGER, MEMBER or VIEWER.
	Role graph.Role
}

// Admits decides whether someone who is no member of the workspace that they ask for becomes one. The domain
// is what follows the last @, compared exactly: a subdomain is another domain.
//
// SECURITY: addresses are verified by their issuer before they get here, and nobody becomes an admin this
// way (TestEnrolment).
func (e Enrolment) Admits(f graph.CallerFacts) bool {
	if e.Workspace == "" || roleRank(e.Role) == 0 || e.Role == graph.RoleAdmin {
		return false
	}
	if _, member := f.In(e.Workspace); member {
		return false
	}
	// Who named no workspace and is in another one meant that.
	if f.Workspace != e.Workspace && (f.Workspace != "" || len(f.Memberships) > 0) {
		return false
	}
	at := strings.LastIndex(f.Email, "@")
	if at < 1 {
		return false
	}
	for _, d := range e.Domains {
		if d != "" && f.Email[at+1:] == d {
			return true
		}
	}
	return false
}
