package graph

import (
	"context"

	"github.com/strata-gateway/strata/fault"
)

const suiteForWriteQuery = `
MATCH (s:Suite {id: $id})-[:CHECKS]->(a:Dataset:Asset) WHERE $VISIBLE(a) AND $LADDER(s)
RETURN s.id, s.owner, $HELD(s)`

// suiteForWrite reads what a suite says of the caller's rights. Errors: NOT_FOUND.
//
// SECURITY: one that the caller may not know is not found, here as in every statement about suites to be
// changed. The rule would say the same a statement later, and the time of that statement would tell
// (TestWhatACallerMayNotSeeChangesNothingThatTheySee).
func (e entered) suiteForWrite(id string) (SuiteFacts, error) {
	rows, err := e.runScoped(suiteForWriteQuery, map[string]any{"id": id})
	if err != nil {
		return SuiteFacts{}, err
	}
	if len(rows) == 0 {
		return SuiteFacts{}, fault.NotFound("suite")
	}
	r := rows[0]
	return SuiteFacts{ID: text(r[0]), Owner: text(r[1]), Share: highestShare(r[2])}, nil
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

// NewShare is a grant to make or change, to a user or a group: one of the two is "".
type NewShare struct {
	Suite, User, Group string
	Permission         SharePermission
}

// holder is the id of who is to hold the share.
func (s NewShare) holder() string { return s.User + s.Group }

const (
	shareToUserHead = `
MATCH (h:User {id: $holder}), (s:Suite {id: $suite})`
	shareToGroupHead = `
MATCH (h:Group {id: $holder}), (s:Suite {id: $suite})`
	putShareTail = `
MERGE (h)-[g:SHARE]->(s)
ON CREATE SET g.id = $id, g.at = $at, g.by = $by
WITH h, g, g.permission AS before
SET g.permission = $permission
RETURN ` + shareColumns + `, before`
)

func (s NewShare) query() string {
	if s.Group != "" {
		return shareToGroupHead + putShareTail
	}
	return shareToUserHead + putShareTail
}

// ShareSuite grants a member or a group a permission on a suite, or changes the one they have. Errors:
// NOT_FOUND for a suite on which the caller holds nothing, BAD_USER_INPUT for someone who is no member
// or owns the suite and for a group that is not the workspace's, and what the rule says.
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
		right, err := e.permitShare(suite, in)
		if err != nil {
			return err
		}
		rows, err := t.runUnscoped(in.query(), map[string]any{
			"holder": in.holder(), "suite": in.Suite, "id": s.ids.New(KindShare), "at": s.nowMillis(), "by": e.User, "permission": string(in.Permission),
		})
		if err != nil {
			return err
		}
		share = readShare(rows[0][0])
		if before := text(rows[0][1]); before != string(in.Permission) {
			t.touch(FamilyDirectory, e.Workspace, in.holder(), visibleToAll)
			t.record(Event{
				Action: "share.grant", Resource: in.Suite, AdminOverride: right.AdminOverride,
				Before: permissionOf(before), After: map[string]any{share.kind(): in.holder(), "permission": string(in.Permission)},
			})
		}
		return nil
	})
	return share, err
}

// kind is how audit events name whom a share is held by.
func (s *Share) kind() string {
	if s.Group != nil {
		return "group"
	}
	return "user"
}

func (s *Share) holder() string {
	if s.Group != nil {
		return s.Group.ID
	}
	return s.User.ID
}

// permitShare asks the rule, and then whether there is anyone to hold the share: who may not share learns
// nothing of that.
func (e entered) permitShare(suite SuiteFacts, in NewShare) (Right, error) {
	facts := Facts{Suites: []SuiteFacts{suite}, Grants: in.Permission}
	known := true
	var err error
	if in.Group != "" {
		known, err = e.hasGroup(in.Group)
	} else {
		facts.Grantee, facts.GranteeEmail, err = e.member(in.User)
	}
	if err != nil {
		return Right{}, err
	}
	right, err := e.permit(facts)
	switch {
	case err != nil:
		return Right{}, err
	case !known:
		return Right{}, fault.BadInput("input.group", "There is no group with this id. Look at groups.")
	case in.Group == "" && facts.Grantee == nil:
		return Right{}, fault.BadInput("input.user", "There is no member with this id. Look at viewer.user of the person it is for.")
	case suite.Owner == in.User:
		return Right{}, fault.BadInput("input.user", "This member owns the suite and needs no share.")
	}
	return right, nil
}

func permissionOf(p string) map[string]any {
	if p == "" {
		return nil
	}
	return map[string]any{"permission": p}
}

const shareForWriteQuery = `
MATCH (h)-[g:SHARE {id: $id}]->(s:Suite)-[:CHECKS]->(a:Dataset:Asset) WHERE $VISIBLE(a) AND $LADDER(s)
RETURN s.id, s.owner, $HELD(s), ` + shareColumns

const dropShareQuery = `MATCH ()-[g:SHARE {id: $id}]->(:Suite) DELETE g`

// RevokeShare takes a share back. Errors: NOT_FOUND for a share of a suite on which the caller holds
// nothing, and what the rule says.
func (s *Store) RevokeShare(ctx context.Context, w Writer, id string) error {
	return s.write(ctx, w.Actor, func(t *tx) error {
		e, err := t.enter(w)
		if err != nil {
			return err
		}
		rows, err := e.runScoped(shareForWriteQuery, map[string]any{"id": id})
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return fault.NotFound("share")
		}
		r := rows[0]
		suite := SuiteFacts{ID: text(r[0]), Owner: text(r[1]), Share: highestShare(r[2])}
		right, err := e.permit(Facts{Suites: []SuiteFacts{suite}})
		if err != nil {
			return err
		}
		if _, err := t.runUnscoped(dropShareQuery, map[string]any{"id": id}); err != nil {
			return err
		}
		share := readShare(r[3])
		t.touch(FamilyDirectory, e.Workspace, share.holder(), visibleToAll)
		t.record(Event{
			Action: "share.revoke", Resource: suite.ID, AdminOverride: right.AdminOverride,
			Before: map[string]any{share.kind(): share.holder(), "permission": string(share.Permission)},
		})
		return nil
	})
}
