package graph

import (
	"context"
	"fmt"

	"github.com/strata-gateway/strata/fault"
)

// MembershipChange is what to make of a membership. A member is named by User or by Email; an address that
// is no member's yet becomes one.
type MembershipChange struct {
	User, Email       string
	Role              Change[Role]
	ViewerAccess      Change[ViewerAccess]
	RestrictedToTeams Change[bool]
}

// memberForWriteQuery locks the workspace, so that changes of its members take turns, and counts its other
// admins.
const memberForWriteQuery = `
MATCH (w:Workspace {id: $workspace})
SET w.id = w.id
WITH w
OPTIONAL MATCH (u:User)-[m:MEMBER]->(w) WHERE u.id = $user OR u.email = $email
RETURN CASE WHEN u IS NULL THEN null ELSE ` + memberColumns + ` END,
  COUNT { MATCH (o:User)-[x:MEMBER]->(w) WHERE x.role = 'ADMIN' AND (u IS NULL OR o <> u) RETURN o },
  COUNT { MATCH (s:Suite {owner: u.id}) WHERE s.workspace = $workspace RETURN s }`

// storedMember is a member as a change finds them; nil if they are none.
type storedMember struct {
	*Member
	otherAdmins, ownedSuites int
}

// memberForWrite reads a member of the caller's workspace under its lock.
func (e entered) memberForWrite(user, email string) (storedMember, error) {
	rows, err := e.runUnscoped(memberForWriteQuery, map[string]any{"workspace": e.Workspace, "user": user, "email": email})
	if err != nil {
		return storedMember{}, err
	}
	m := storedMember{otherAdmins: integer(rows[0][1]), ownedSuites: integer(rows[0][2])}
	if rows[0][0] != nil {
		m.Member = readMember(rows[0][0])
	}
	return m, nil
}

// isLastAdmin reports whether nobody would be an admin without them.
//
// SECURITY: decided under the workspace's lock, so that of two admins who demote each other one stays
// (TestTwoAdminsCannotDemoteEachOther). The allow-list does not count: it is break-glass.
func (m storedMember) isLastAdmin() bool { return m.Role == RoleAdmin && m.otherAdmins == 0 }

func errLastAdmin() error {
	return fault.New(fault.CodeConflict, "This is the last ADMIN of the workspace. Make another member ADMIN first.")
}

const putMemberQuery = `
MATCH (w:Workspace {id: $workspace})
MERGE (u:User {email: $email})
ON CREATE SET u.id = $id
MERGE (u)-[m:MEMBER]->(w)
SET m.role = $role, m.viewerAccess = $viewerAccess, m.restrictedToTeams = $restrictedToTeams
RETURN ` + memberColumns

// SetMembership changes a member, or makes an address one. Errors: NOT_FOUND for a user who is no member,
// CONFLICT for the last admin, and what the rule says.
func (s *Store) SetMembership(ctx context.Context, w Writer, c MembershipChange) (*Member, error) {
	var member *Member
	err := s.permitted(ctx, w, func(e entered) error {
		before, err := e.memberForWrite(c.User, c.Email)
		if err != nil {
			return err
		}
		member, err = e.putMember(before, c)
		return err
	})
	return member, err
}

// putMember writes what the change makes of the member.
func (e entered) putMember(before storedMember, c MembershipChange) (*Member, error) {
	is := Member{User: &User{Email: c.Email}, Role: RoleMember, ViewerAccess: Unrestricted}
	switch {
	case before.Member != nil:
		is = *before.Member
	case c.User != "":
		return nil, fault.NotFound("member")
	}
	c.Role.apply(&is.Role)
	c.ViewerAccess.apply(&is.ViewerAccess)
	c.RestrictedToTeams.apply(&is.RestrictedToTeams)
	if before.Member != nil && is == *before.Member {
		return before.Member, nil
	}
	if before.Member != nil && is.Role != RoleAdmin && before.isLastAdmin() {
		return nil, errLastAdmin()
	}
	rows, err := e.runUnscoped(putMemberQuery, map[string]any{
		"workspace": e.Workspace, "email": is.User.Email, "id": e.store.ids.New(KindUser), "role": string(is.Role),
		"viewerAccess": string(is.ViewerAccess), "restrictedToTeams": is.RestrictedToTeams,
	})
	if err != nil {
		return nil, err
	}
	now := readMember(rows[0][0])
	event := Event{Action: "member.enrol", Resource: now.User.ID, After: now.facts()}
	if before.Member != nil {
		event.Action, event.Before = "member.change", before.facts()
	}
	e.touch(FamilyDirectory, e.Workspace, now.User.ID, visibleToAll)
	e.record(event)
	return now, nil
}

// facts are what an audit event says of a membership.
func (m *Member) facts() map[string]any {
	return map[string]any{"role": string(m.Role), "viewerAccess": string(m.ViewerAccess), "restrictedToTeams": m.RestrictedToTeams}
}

// removeMemberQuery takes someone out of a workspace, with every share, team and group that they held in it.
const removeMemberQuery = `
MATCH (u:User {id: $user})-[m:MEMBER]->(:Workspace {id: $workspace})
DELETE m
WITH u
CALL (u) { MATCH (u)-[g:SHARE]->(s:Suite) WHERE s.workspace = $workspace DELETE g }
CALL (u) { MATCH (u)-[g:IN_GROUP]->(:Group {workspace: $workspace}) DELETE g }
CALL (u) { MATCH (u)-[g:IN_TEAM]->(:Team {workspace: $workspace}) DELETE g }`

// RemoveMember takes a member out of the workspace, with all that they were granted there. Errors: NOT_FOUND
// for a user who is no member, CONFLICT for the last admin and for someone who owns suites, and what the rule
// says.
func (s *Store) RemoveMember(ctx context.Context, w Writer, user string) error {
	return s.permitted(ctx, w, func(e entered) error {
		before, err := e.memberForWrite(user, "")
		if err != nil {
			return err
		}
		switch {
		case before.Member == nil:
			return fault.NotFound("member")
		case before.isLastAdmin():
			return errLastAdmin()
		case before.ownedSuites > 0:
			return fault.New(fault.CodeConflict, fmt.Sprintf("This member owns %d suites. Transfer or delete them first: transferSuite, deleteSuite.", before.ownedSuites))
		}
		if _, err := e.runUnscoped(removeMemberQuery, map[string]any{"user": user, "workspace": e.Workspace}); err != nil {
			return err
		}
		e.touch(FamilyDirectory, e.Workspace, user, visibleToAll)
		e.record(Event{Action: "member.remove", Resource: user, Before: before.facts()})
		return nil
	})
}
