package graph

import "context"

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

// callerFragment reads the caller; a transaction reads the same by its own statement.
const callerFragment = `
OPTIONAL MATCH (u:User {email: $email})
CALL (u) {
  OPTIONAL MATCH (u)-[m:MEMBER]->(w:Workspace)
  RETURN [x IN collect([w.id, m.role, m.viewerAccess, m.restrictedToTeams,
    EXISTS { (u)-[:IN_TEAM {viewerAccess: 'RESTRICTED'}]->(:Team {workspace: w.id}) }]) WHERE x[0] IS NOT NULL] AS memberships
}
WITH u, memberships, CASE
  WHEN $workspace <> '' THEN $workspace
  WHEN size(memberships) = 1 THEN memberships[0][0]
  ELSE '' END AS ws
OPTIONAL MATCH (w:Workspace {id: ws})
CALL (u, ws) {
  OPTIONAL MATCH (t:Team {workspace: ws})
  WHERE t.name IS NOT NULL AND (t.everyone OR EXISTS { (u)-[:IN_TEAM]->(t) })
  WITH t ORDER BY t.name
  RETURN [x IN collect([t.id, t.name]) WHERE x[0] IS NOT NULL] AS teams
}
` + groupsFragment

const callerQuery = callerFragment + `
CALL (ws) {
  UNWIND [ws, $organization] AS of
  OPTIONAL MATCH (e:Epoch {workspace: of}) WHERE e.shard >= 0
  WITH of, e ORDER BY of = $organization, e.shard
  RETURN collect(e.v) AS epochs
}
RETURN u.id, memberships, ws, w IS NOT NULL, teams, groups, epochs`

// Caller is the first round trip of a request: what is known of the person with this verified address,
// and the epochs. An empty workspace stands for the only one the caller is in. It goes to the leader.
func (s *Store) Caller(ctx context.Context, email, workspace string) (CallerFacts, Epochs, error) {
	rows, err := s.autoCommit(ctx, writeMode, callerQuery, map[string]any{
		"email": email, "workspace": workspace, "organization": s.organization,
	})
	if err != nil {
		return CallerFacts{}, Epochs{}, err
	}
	r := rows[0]
	facts := callerFacts(email, r)
	var epochs Epochs
	for _, shard := range list(r[6]) {
		counters := list(shard)
		v := make([]int64, len(counters))
		for i, c := range counters {
			v[i], _ = c.(int64)
		}
		epochs.shards = append(epochs.shards, v)
	}
	return facts, epochs, nil
}

// callerFacts reads the columns of callerFragment: user id, memberships, workspace, exists, teams, groups.
func callerFacts(email string, r row) CallerFacts {
	facts := CallerFacts{UserID: text(r[0]), Email: email, Workspace: text(r[2]), WorkspaceExists: boolean(r[3])}
	for _, m := range list(r[1]) {
		v := list(m)
		facts.Memberships = append(facts.Memberships, Membership{
			Workspace: text(v[0]), Role: Role(text(v[1])), ViewerAccess: ViewerAccess(text(v[2])), RestrictedToTeams: boolean(v[3]),
			RestrictedByTeam: boolean(v[4]),
		})
	}
	for _, team := range list(r[4]) {
		v := list(team)
		facts.Teams = append(facts.Teams, Team{ID: text(v[0]), Name: text(v[1])})
	}
	facts.Groups = readGroupClosure(r[5])
	return facts
}
