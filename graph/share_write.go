package graph

import (
	"context"

	"github.com/strata-gateway/strata/fault"
)

const suiteForWriteQuery = `
MATCH (s:Suite {id: $id})-[:CHECKS]->(a:Dataset:Asset) WHERE $VISIBLE(a)
RETURN s.id, s.owner, head([(:User {id: $user})-[g:SHARE]->(s) | g.permission])`

// suiteForWrite reads what a suite says of the caller's rights. Errors: NOT_FOUND.
func (e entered) suiteForWrite(id string) (SuiteFacts, error) {
	rows, err := e.run(e.Audience, suiteForWriteQuery, map[string]any{"id": id, "user": e.User})
	if err != nil {
		return SuiteFacts{}, err
	}
	if len(rows) == 0 {
		return SuiteFacts{}, fault.NotFound("suite")
	}
	r := rows[0]
	return SuiteFacts{ID: text(r[0]), Owner: text(r[1]), Share: SharePermission(text(r[2]))}, nil
}

const memberQuery = `
MATCH (u:User {id: $user})-[m:MEMBER]->(:Workspace {id: $workspace})
RETURN u.email, m.role, m.viewerAccess, m.restrictedToTeams`

// member reads a member of the workspace, nil if the user is none.
func (e entered) member(user string) (*Membership, string, error) {
	rows, err := e.runUnscoped(memberQuery, map[string]any{"user": user, "workspace": e.Workspace})
	if err != nil || len(rows) == 0 {
		return nil, "", err
	}
	r := rows[0]
	return &Membership{
		Workspace: e.Workspace, Role: Role(text(r[1])), ViewerAccess: ViewerAccess(text(r[2])), RestrictedToTeams: boolean(r[3]),
	}, text(r[0]), nil
}

// NewShare is a grant to make or change.
type NewShare struct {
	Suite, User string
	Permission  SharePermission
}

const putShareQuery = `
MATCH (u:User {id: $user}), (s:Suite {id: $suite})
MERGE (u)-[g:SHARE]->(s)
ON CREATE SET g.id = $id, g.at = $at, g.by = $by
WITH u, g, g.permission AS before
SET g.permission = $permission
RETURN [g.id, u.id, u.email, g.permission, g.at], before`

// ShareSuite grants a member a permission on a suite, or changes the one they have. Errors: NOT_FOUND
// for a suite on which the caller holds nothing, BAD_USER_INPUT for someone who is no member or owns
// the suite, and what the rule says.
func (s *Store) ShareSuite(ctx context.Context, w Writer, in NewShare) (*Share, error) {
	var share *Share
	err := s.write(ctx, w.Actor, func(t *tx) error {
		e, err := t.enter(w)
		if err != nil {
			return err
		}
		suite, err := e.suiteForWrite(in.Suite)
		if err != nil {
			return err
		}
		grantee, email, err := e.member(in.User)
		if err != nil {
			return err
		}
		facts := Facts{Suites: []SuiteFacts{suite}, GranteeEmail: email, Grantee: grantee, Grants: in.Permission}
		right, err := e.permit(facts)
		if err != nil {
			return err
		}
		if grantee == nil {
			return fault.BadInput("input.user", "There is no member with this id. Look at viewer.user of the person it is for.")
		}
		if suite.Owner == in.User {
			return fault.BadInput("input.user", "This member owns the suite and needs no share.")
		}
		rows, err := t.runUnscoped(putShareQuery, map[string]any{
			"user": in.User, "suite": in.Suite, "id": s.ids.New(KindShare), "at": s.nowMillis(), "by": e.User, "permission": string(in.Permission),
		})
		if err != nil {
			return err
		}
		share = readShare(rows[0][0])
		if before := text(rows[0][1]); before != string(in.Permission) {
			t.touch(FamilyDirectory, e.Workspace, in.User, visibleToAll)
			t.record(Event{
				Action: "share.grant", Resource: in.Suite, AdminOverride: right.AdminOverride,
				Before: permissionOf(before), After: map[string]any{"user": in.User, "permission": string(in.Permission)},
			})
		}
		return nil
	})
	return share, err
}

func permissionOf(p string) map[string]any {
	if p == "" {
		return nil
	}
	return map[string]any{"permission": p}
}

const shareForWriteQuery = `
MATCH (u:User)-[g:SHARE {id: $id}]->(s:Suite)-[:CHECKS]->(a:Dataset:Asset) WHERE $VISIBLE(a)
RETURN s.id, s.owner, head([(:User {id: $user})-[x:SHARE]->(s) | x.permission]), u.id, g.permission`

const dropShareQuery = `MATCH (:User)-[g:SHARE {id: $id}]->(:Suite) DELETE g`

// RevokeShare takes a share back. Errors: NOT_FOUND for a share of a suite on which the caller holds
// nothing, and what the rule says.
func (s *Store) RevokeShare(ctx context.Context, w Writer, id string) error {
	return s.write(ctx, w.Actor, func(t *tx) error {
		e, err := t.enter(w)
		if err != nil {
			return err
		}
		rows, err := e.run(e.Audience, shareForWriteQuery, map[string]any{"id": id, "user": e.User})
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return fault.NotFound("share")
		}
		r := rows[0]
		suite := SuiteFacts{ID: text(r[0]), Owner: text(r[1]), Share: SharePermission(text(r[2]))}
		right, err := e.permit(Facts{Suites: []SuiteFacts{suite}})
		if err != nil {
			return err
		}
		if _, err := t.runUnscoped(dropShareQuery, map[string]any{"id": id}); err != nil {
			return err
		}
		t.touch(FamilyDirectory, e.Workspace, text(r[3]), visibleToAll)
		t.record(Event{
			Action: "share.revoke", Resource: suite.ID, AdminOverride: right.AdminOverride,
			Before: map[string]any{"user": text(r[3]), "permission": text(r[4])},
		})
		return nil
	})
}
