package graph

import (
	"context"

	"github.com/strata-gateway/strata/fault"
)

// Transfer makes another member the owner of a suite.
type Transfer struct {
	Suite, NewOwner string
	// Keeps is the share that the previous owner gets: "" for none.
	Keeps SharePermission
}

// transferQuery hands the suite over. The new owner needs no share; the previous one gets theirs if they
// are still a member.
const transferQuery = `
MATCH (s:Suite {id: $suite})
SET s.owner = $newOwner
WITH s
CALL (s) {
  OPTIONAL MATCH (:User {id: $newOwner})-[g:SHARE]->(s)
  DELETE g
}
CALL (s) {
  MATCH (u:User {id: $previous}) WHERE $keeps <> ''
  MERGE (u)-[g:SHARE]->(s)
  ON CREATE SET g.id = $id, g.at = $at, g.by = $by
  SET g.permission = $keeps
}
RETURN s.id`

// TransferSuite makes a member the owner of a suite. Errors: NOT_FOUND for a suite on which the caller holds
// nothing, BAD_USER_INPUT for someone who cannot own one, and what the rule says.
//
// SECURITY: the suite's facts are read under the lock of its asset, so that of two transfers at once the
// later one sees whom the earlier made the owner (TestTwoTransfersAtOnceLeaveOneOwner).
func (s *Store) TransferSuite(ctx context.Context, w Writer, in Transfer) error {
	return s.write(ctx, w.Actor, func(t *tx) error {
		e, err := t.enter(w)
		if err != nil {
			return err
		}
		isMember := false
		before, right, err := e.lockedSuite(in.Suite, func(s suiteBefore) (Right, error) {
			facts := Facts{Suites: []SuiteFacts{s.SuiteFacts}}
			var err error
			if facts.Grantee, facts.GranteeEmail, err = e.member(in.NewOwner); err != nil {
				return Right{}, err
			}
			if facts.PreviousOwner, facts.PreviousOwnerEmail, err = e.member(s.Owner); err != nil {
				return Right{}, err
			}
			isMember = facts.PreviousOwner != nil
			return e.permit(facts)
		})
		if err != nil {
			return err
		}
		if before.Owner == in.NewOwner {
			return fault.BadInput("input.newOwner", "This member owns the suite already. Name another.")
		}
		return e.transfer(in, before, isMember, right)
	})
}

// transfer writes it.
func (e entered) transfer(in Transfer, before suiteBefore, isMember bool, right Right) error {
	keeps := in.Keeps
	if keeps == ShareEdit && right.ClampsPreviousOwner {
		keeps = ShareView
	}
	if !isMember {
		keeps = ""
	}
	if _, err := e.runUnscoped(transferQuery, map[string]any{
		"suite": in.Suite, "newOwner": in.NewOwner, "previous": before.Owner, "keeps": string(keeps),
		"id": e.store.ids.New(KindShare), "at": e.store.nowMillis(), "by": e.User,
	}); err != nil {
		return err
	}
	e.touch(FamilyDirectory, e.Workspace, in.NewOwner, visibleToAll)
	e.touch(FamilyDirectory, e.Workspace, before.Owner, visibleToAll)
	e.record(Event{
		Action: "suite.transfer", Resource: in.Suite, AdminOverride: right.AdminOverride,
		Before: map[string]any{"owner": before.Owner}, After: map[string]any{"owner": in.NewOwner, "previousOwnerKeeps": string(keeps)},
	})
	return nil
}
