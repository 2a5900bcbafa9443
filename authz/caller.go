package authz

import (
	"slices"
	"strings"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// Policy is what the deployment configures about decisions. Its zero value configures nothing.
type Policy struct {
	// adminEmails are the allow-listed addresses: bootstrap and break-glass. They only ever grant.
	adminEmails map[string]bool
}

// NewPolicy makes a policy with an allow-list of addresses, normalized as verified ones are: they are
// compared exactly, since folding more than ASCII would let one address pass for another.
func NewPolicy(adminEmails ...string) *Policy {
	p := &Policy{adminEmails: map[string]bool{}}
	for _, e := range adminEmails {
		p.adminEmails[e] = true
	}
	return p
}

// Role is the effective role: ADMIN if stored so or allow-listed, else the stored one.
func (p *Policy) Role(email string, stored graph.Role) graph.Role {
	if p.adminEmails[email] {
		return graph.RoleAdmin
	}
	return stored
}

// isRestrictedViewer reports whether a membership, or a team of the member's, keeps them from restricted
// assets.
func (p *Policy) isRestrictedViewer(email string, m graph.Membership) bool {
	return p.Role(email, m.Role) == graph.RoleViewer && (m.ViewerAccess == graph.Restricted || m.RestrictedByTeam)
}

// Class is the audience class of a caller in a workspace. Organization-wide restricted assets fail
// closed: whoever is a restricted viewer anywhere does not see them.
func (p *Policy) Class(f graph.CallerFacts, workspace string) graph.Class {
	class := graph.ClassFull
	for _, m := range f.Memberships {
		if !p.isRestrictedViewer(f.Email, m) {
			continue
		}
		if m.Workspace == workspace {
			return graph.ClassRestricted
		}
		class = graph.ClassOrgHidden
	}
	return class
}

// Caller is who asks, in one workspace, as this request found them.
type Caller struct {
	User graph.User
	// Role is the effective role.
	Role graph.Role
	// RestrictedToTeams makes an admin subject to team permissions.
	RestrictedToTeams bool
	Teams             []graph.Team
	Groups            graph.GroupClosure
	Audience          graph.Audience
	Epochs            graph.Epochs
	policy            *Policy
}

// Caller decides who the facts describe. Errors: FORBIDDEN for someone who is not in the workspace,
// whether it exists or not; BAD_USER_INPUT if they are in several and named none.
func (p *Policy) Caller(f graph.CallerFacts) (*Caller, error) {
	if f.Workspace == "" {
		return nil, noWorkspace(f)
	}
	m, ok := f.In(f.Workspace)
	if !ok || f.UserID == "" {
		return nil, fault.New(fault.CodeForbidden, "You are not a member of this workspace. Check the header X-Strata-Workspace, or ask one of its admins to add you.")
	}
	return &Caller{
		User: graph.User{ID: f.UserID, Email: f.Email}, Role: p.Role(f.Email, m.Role), RestrictedToTeams: m.RestrictedToTeams,
		Teams: f.Teams, Groups: f.Groups, Audience: graph.Audience{Workspace: f.Workspace, Class: p.Class(f, f.Workspace)}, policy: p,
	}, nil
}

func noWorkspace(f graph.CallerFacts) error {
	if len(f.Memberships) == 0 {
		return fault.New(fault.CodeForbidden, "You are in no workspace yet. Ask a workspace admin to add you.")
	}
	names := make([]string, 0, len(f.Memberships))
	for _, m := range f.Memberships {
		names = append(names, m.Workspace)
	}
	slices.Sort(names)
	return fault.BadInput("X-Strata-Workspace", "You are in several workspaces. Name one in the header X-Strata-Workspace: "+strings.Join(names, ", ")+".")
}

// Scope is what the caller's itemized lists are filtered by.
func (c *Caller) Scope() graph.Scope {
	s := graph.Scope{
		Audience: c.Audience, User: c.User.ID, Groups: c.Groups, AllSuites: c.Role == graph.RoleAdmin,
		AllDatasources: c.Role == graph.RoleAdmin && !c.RestrictedToTeams, MaxDatasource: graph.Editor,
	}
	if c.Role == graph.RoleViewer {
		s.MaxDatasource = graph.Viewer
	}
	for _, t := range c.Teams {
		s.Teams = append(s.Teams, t.ID)
	}
	return s
}

// roleRank orders roles: 0 for none of them.
func roleRank(r graph.Role) int {
	switch r {
	case graph.RoleAdmin:
		return 4
	case graph.RoleManager:
		return 3
	case graph.RoleMember:
		return 2
	case graph.RoleViewer:
		return 1
	}
	return 0
}

// HasRole decides whether the caller's effective role is at least the given one.
func HasRole(c *Caller, least graph.Role) Decision {
	if roleRank(least) > 0 && roleRank(c.Role) >= roleRank(least) {
		return allow(ReasonRole)
	}
	return forbid(ReasonRole, "the role "+string(least)+" in this workspace")
}

// Viewer is what a caller is told of themselves.
type Viewer struct {
	User      *graph.User
	Role      graph.Role
	Workspace *graph.Workspace
	Audience  graph.Class
	Teams     []*graph.Team
}

// Viewer describes the caller.
func (c *Caller) Viewer() *Viewer {
	v := &Viewer{User: &c.User, Role: c.Role, Workspace: &graph.Workspace{ID: c.Audience.Workspace}, Audience: c.Audience.Class, Teams: []*graph.Team{}}
	for i := range c.Teams {
		v.Teams = append(v.Teams, &c.Teams[i])
	}
	return v
}
