package graph

import (
	"context"
	"slices"
	"strings"
)

// CallerFacts are what the store knows of a caller in a workspace: facts, not decisions.
type CallerFacts struct {
	// UserID is "" for someone the store has never seen.
	UserID string
	// Email is the verified address that was looked up.
	Email string
	// Workspace is the one asked for, or the only one the caller is in; "" if neither.
	Workspace string
	// WorkspaceExists tells an allow-listed admin's workspace from a misspelled one.
	WorkspaceExists bool
	// Memberships are all of the caller's, in every workspace.
	Memberships []Membership
	// Teams are the caller's in Workspace, the built-in one included, by name.
	Teams []Team
	// Groups are the caller's in Workspace.
	Groups GroupClosure
}

// Membership is what a workspace stores of one member.
type Membership struct {
	Workspace         string
	Role              Role
	ViewerAccess      ViewerAccess
	RestrictedToTeams bool
	// RestrictedByTeam is set if one of the member's teams restricts them as a viewer.
	RestrictedByTeam bool
}

// In returns the membership in a workspace, and whether there is one.
func (f CallerFacts) In(workspace string) (Membership, bool) {
	for _, m := range f.Memberships {
		if m.Workspace == workspace {
			return m, true
		}
	}
	return Membership{}, false
}

// User is a person known to the store.
type User struct {
	ID    string
	Email string
}

// IsNode marks a User as an object with a global id.
func (*User) IsNode() {}

// Team is a team of a workspace.
type Team struct {
	ID   string
	Name string
}

// The caller is read as one row, without a subquery where an expression does: every operator of the plan
// is paid by every request. The workspace is the one that was asked for, or the only one the caller is in.
const (
	callerInWorkspace = `
OPTIONAL MATCH (w:Workspace {id: $workspace})
OPTIONAL MATCH (u:User {email: $email})`
	callerInOnlyWorkspace = `
OPTIONAL MATCH (u:User {email: $email})
OPTIONAL MATCH (u)-[:MEMBER]->(w:Workspace) WHERE COUNT { (u)-[:MEMBER]->(:Workspace) } = 1`
	callerColumns = `
RETURN u.id, w.id, w.everyone,
  [(u)-[m:MEMBER]->(x:Workspace) | [x.id, m.role, m.viewerAccess, m.restrictedToTeams]],
  [(u)-[i:IN_TEAM]->(t:Team) | [t.workspace, t.id, t.name, i.viewerAccess]],
  ` + groupsColumn
	epochsColumn = `, [(w)-[:HAS_EPOCH]->(e:Epoch) | e.v]`
)

// callerQuery is the statement that reads a caller in a workspace; "" stands for their only one.
func callerQuery(workspace string) string {
	if workspace == "" {
		return callerInOnlyWorkspace + callerColumns
	}
	return callerInWorkspace + callerColumns
}

// callerEpochs is where the epochs stand behind callerColumns.
const callerEpochs = 6

// Caller is the first round trip of a request: what is known of the person with this verified address,
// and the epochs. An empty workspace stands for the only one the caller is in. It goes to the leader.
func (s *Store) Caller(ctx context.Context, email, workspace string) (CallerFacts, Epochs, error) {
	rows, err := s.autoCommit(ctx, writeMode, callerQuery(workspace)+epochsColumn, map[string]any{"email": email, "workspace": workspace})
	if err != nil {
		return CallerFacts{}, Epochs{}, err
	}
	facts := callerFacts(email, workspace, rows[0])
	if !facts.WorkspaceExists {
		return facts, Epochs{}, nil
	}
	epochs, err := readEpochs(rows[0][callerEpochs])
	return facts, epochs, err
}

// callerFacts reads callerColumns. What has no built-in team, as the organization, is no workspace.
func callerFacts(email, workspace string, r row) CallerFacts {
	facts := CallerFacts{UserID: text(r[0]), Email: email, Workspace: workspace, WorkspaceExists: r[2] != nil}
	if facts.WorkspaceExists {
		facts.Workspace = text(r[1])
	}
	restricted := map[string]bool{} // workspaces, by a team of the caller's
	for _, v := range list(r[4]) {
		team := list(v)
		of := text(team[0])
		restricted[of] = restricted[of] || ViewerAccess(text(team[3])) == Restricted
		if of == facts.Workspace {
			facts.Teams = append(facts.Teams, Team{ID: text(team[1]), Name: text(team[2])})
		}
	}
	if facts.WorkspaceExists {
		facts.Teams = append(facts.Teams, Team{ID: text(r[2]), Name: everyoneTeam})
	}
	slices.SortFunc(facts.Teams, func(a, b Team) int { return strings.Compare(a.Name, b.Name) })
	for _, v := range list(r[3]) {
		m := list(v)
		of := text(m[0])
		facts.Memberships = append(facts.Memberships, Membership{
			Workspace: of, Role: Role(text(m[1])), ViewerAccess: ViewerAccess(text(m[2])), RestrictedToTeams: boolean(m[3]),
			RestrictedByTeam: restricted[of],
		})
	}
	facts.Groups = readGroupClosure(r[5])
	return facts
}
