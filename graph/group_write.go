package graph

import (
	"context"

	"github.com/strata-gateway/strata/fault"
)

// GroupChange is what to make of a group: a new one without an ID. Members are users and groups, by id.
type GroupChange struct {
	ID string
	// Name is the new name, nil to leave it; a new group needs one.
	Name        *string
	Add, Remove []string
}

const groupForWriteQuery = `
MATCH (g:Group {id: $id, workspace: $workspace})
SET g.id = g.id
RETURN g.name`

const groupNamedQuery = `MATCH (g:Group {name: $name, workspace: $workspace}) WHERE g.id <> $id RETURN g.id`

const putGroupQuery = `
MERGE (g:Group {id: $id})
ON CREATE SET g.workspace = $workspace, g.createdAt = $at
SET g.name = $name`

// strangersQuery are those of the ids that are neither a member nor a group of the workspace.
const strangersQuery = `
UNWIND $ids AS id
WITH id WHERE NOT EXISTS { (:User {id: id})-[:MEMBER]->(:Workspace {id: $workspace}) }
  AND NOT EXISTS { (:Group {id: id, workspace: $workspace}) }
RETURN collect(id)`

// groupMemberByID finds the user or group m of an id.
const groupMemberByID = `
CALL (member) {
  MATCH (m:User {id: member}) RETURN m
  UNION
  MATCH (m:Group {id: member}) RETURN m
}`

const joinGroupQuery = `
MATCH (g:Group {id: $id})
UNWIND $ids AS member` + groupMemberByID + `
MERGE (m)-[r:IN_GROUP]->(g)
ON CREATE SET r.workspace = $workspace, r.at = $at, r.new = true
WITH r, member, coalesce(r.new, false) AS joined
REMOVE r.new
WITH member, joined WHERE joined
RETURN member`

const leaveGroupQuery = `
MATCH (g:Group {id: $id})
UNWIND $ids AS member` + groupMemberByID + `
MATCH (m)-[r:IN_GROUP]->(g)
DELETE r
RETURN member`

// SetGroup makes or changes a group of the directory. Groups may be in each other, also in circles; only
// a group in itself is refused. Errors: NOT_FOUND for the group, CONFLICT if the name is taken,
// BAD_USER_INPUT for a member that is none of the workspace, and what the rule says.
func (s *Store) SetGroup(ctx context.Context, w Writer, c GroupChange) (*Group, error) {
	var group *Group
	err := s.permitted(ctx, w, func(e entered) error {
		var err error
		if group, err = e.nameGroup(c); err != nil {
			return err
		}
		return e.fillGroup(group.ID, c)
	})
	return group, err
}

func groups() directoryKind {
	return directoryKind{KindGroup, groupForWriteQuery, groupNamedQuery, putGroupQuery}
}

// nameGroup makes or renames the group.
func (e entered) nameGroup(c GroupChange) (*Group, error) {
	before := ""
	if c.ID != "" {
		found, err := e.stored(groups(), c.ID)
		if err != nil {
			return nil, err
		}
		before = text(found[0])
	}
	id, name, err := e.name(groups(), c.ID, before, c.Name)
	return &Group{ID: id, Name: name}, err
}

// fillGroup puts members into the group and takes others out.
func (e entered) fillGroup(id string, c GroupChange) error {
	params := map[string]any{"id": id, "ids": c.Add, "workspace": e.Workspace, "at": e.store.nowMillis()}
	strangers, err := e.runUnscoped(strangersQuery, map[string]any{"ids": orEmpty(c.Add), "workspace": e.Workspace})
	if err != nil {
		return err
	}
	if unknown := texts(strangers[0][0]); len(unknown) > 0 {
		return fault.BadInput("input.addMembers", "There is no member and no group with the id "+unknown[0]+" in this workspace. Look at members and groups.")
	}
	joined, err := e.runUnscoped(joinGroupQuery, params)
	if err != nil {
		return err
	}
	params["ids"] = c.Remove
	left, err := e.runUnscoped(leaveGroupQuery, params)
	if err != nil {
		return err
	}
	if len(joined)+len(left) == 0 {
		return nil
	}
	e.touch(FamilyDirectory, e.Workspace, id, visibleToAll)
	e.record(Event{Action: "group.members", Resource: id, Before: map[string]any{"left": firstTexts(left)}, After: map[string]any{"joined": firstTexts(joined)}})
	return nil
}

// firstTexts are the first values of rows.
func firstTexts(rows []row) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = text(r[0])
	}
	return out
}

const hasGroupQuery = `RETURN EXISTS { (:Group {id: $id, workspace: $workspace}) }`

// hasGroup reports whether there is such a group in the caller's workspace.
func (e entered) hasGroup(id string) (bool, error) {
	rows, err := e.runUnscoped(hasGroupQuery, map[string]any{"id": id, "workspace": e.Workspace})
	if err != nil {
		return false, err
	}
	return boolean(rows[0][0]), nil
}

const dropGroupQuery = `MATCH (g:Group {id: $id, workspace: $workspace}) DETACH DELETE g`

// DeleteGroup deletes a group, with every share that it holds. Its members lose what they had through it
// with the next request. Errors: NOT_FOUND, and what the rule says.
func (s *Store) DeleteGroup(ctx context.Context, w Writer, id string) error {
	return s.permitted(ctx, w, func(e entered) error {
		found, err := e.stored(groups(), id)
		if err != nil {
			return err
		}
		if _, err := e.runUnscoped(dropGroupQuery, map[string]any{"id": id, "workspace": e.Workspace}); err != nil {
			return err
		}
		e.touch(FamilyDirectory, e.Workspace, id, visibleToAll)
		e.record(Event{Action: "group.delete", Resource: id, Before: named(text(found[0]))})
		return nil
	})
}
