package graph

import (
	"context"
	"slices"

	"github.com/strata-gateway/strata/fault"
)

// TeamMember is someone to put into a team. Restricted keeps them from restricted assets where they are a
// viewer.
type TeamMember struct {
	User       string
	Restricted bool
}

// TeamGrant is a team's permission on a datasource; "" takes it back.
type TeamGrant struct {
	Datasource string
	Permission TeamPermission
}

// TeamChange is what to make of a team: a new one without an ID.
type TeamChange struct {
	ID string
	// Name is the new name, nil to leave it; a new team needs one.
	Name   *string
	Add    []TeamMember
	Remove []string
	Grants []TeamGrant
}

const teamForWriteQuery = `
MATCH (t:Team {id: $id, workspace: $workspace})
SET t.id = t.id
RETURN t.name, coalesce(t.everyone, false)`

const teamNamedQuery = `MATCH (t:Team {name: $name, workspace: $workspace}) WHERE t.id <> $id RETURN t.id`

const putTeamQuery = `
MERGE (t:Team {id: $id})
ON CREATE SET t.workspace = $workspace, t.createdAt = $at
SET t.name = $name`

// SetTeam makes or changes a team. The built-in team holds every member: it can be granted permissions, and
// nothing else. Errors: NOT_FOUND for the team, CONFLICT if the name is taken, BAD_USER_INPUT for a member or
// datasource that is none of the workspace and for a change of the built-in team, and what the rule says.
func (s *Store) SetTeam(ctx context.Context, w Writer, c TeamChange) (*Team, error) {
	var team *Team
	err := s.permitted(ctx, w, func(e entered) error {
		var err error
		if team, err = e.nameTeam(c); err != nil {
			return err
		}
		if err := e.fillTeam(team.ID, c); err != nil {
			return err
		}
		return e.grantTeam(team.ID, c.Grants)
	})
	return team, err
}

func teams() directoryKind {
	return directoryKind{KindTeam, teamForWriteQuery, teamNamedQuery, putTeamQuery}
}

// nameTeam makes or renames the team.
func (e entered) nameTeam(c TeamChange) (*Team, error) {
	before := ""
	if c.ID != "" {
		found, err := e.stored(teams(), c.ID)
		if err != nil {
			return nil, err
		}
		before = text(found[0])
		if boolean(found[1]) && (c.Name != nil || len(c.Add)+len(c.Remove) > 0) {
			return nil, errBuiltInTeam()
		}
	}
	id, name, err := e.name(teams(), c.ID, before, c.Name)
	return &Team{ID: id, Name: name}, err
}

func errBuiltInTeam() error {
	return fault.BadInput("input.id", "The team everyone is built in and holds every member: only its permissions on datasources can be changed.")
}

const joinTeamQuery = `
MATCH (t:Team {id: $id})
UNWIND $rows AS v
MATCH (u:User {id: v.user})-[:MEMBER]->(:Workspace {id: $workspace})
MERGE (u)-[x:IN_TEAM]->(t)
WITH u, x, v, coalesce(x.viewerAccess, '') <> v.access AS changed
SET x.viewerAccess = v.access
RETURN u.id, changed`

const leaveTeamQuery = `
MATCH (t:Team {id: $id})
UNWIND $ids AS user
MATCH (u:User {id: user})-[x:IN_TEAM]->(t)
DELETE x
RETURN u.id`

// fillTeam puts members into the team and takes others out.
func (e entered) fillTeam(id string, c TeamChange) error {
	if len(c.Add)+len(c.Remove) == 0 {
		return nil
	}
	rows := make([]any, len(c.Add))
	for i, m := range c.Add {
		access := string(Unrestricted)
		if m.Restricted {
			access = string(Restricted)
		}
		rows[i] = map[string]any{"user": m.User, "access": access}
	}
	joined, err := e.runUnscoped(joinTeamQuery, map[string]any{"id": id, "rows": rows, "workspace": e.Workspace})
	if err != nil {
		return err
	}
	if len(joined) < len(rows) {
		return fault.BadInput("input.addMembers", "One of them is no member of the workspace, or is named twice. Look at members.")
	}
	left, err := e.runUnscoped(leaveTeamQuery, map[string]any{"id": id, "ids": orEmpty(c.Remove)})
	if err != nil {
		return err
	}
	joined = slices.DeleteFunc(joined, func(r row) bool { return !boolean(r[1]) })
	if len(joined)+len(left) == 0 {
		return nil
	}
	e.touch(FamilyDirectory, e.Workspace, id, visibleToAll)
	e.record(Event{Action: "team.members", Resource: id, Before: map[string]any{"left": firstTexts(left)}, After: map[string]any{"joined": rows}})
	return nil
}

const grantTeamQuery = `
MATCH (t:Team {id: $id})
UNWIND $rows AS v
MATCH (d:Datasource {id: v.datasource}) WHERE $VISIBLE(d)
OPTIONAL MATCH (t)-[g:TEAM_ON]->(d)
WITH t, d, v, g, coalesce(g.rank, 0) AS before
FOREACH (_ IN CASE WHEN v.rank = 0 THEN [1] ELSE [] END | DELETE g)
FOREACH (_ IN CASE WHEN v.rank > 0 THEN [1] ELSE [] END | MERGE (t)-[x:TEAM_ON]->(d) SET x.rank = v.rank)
RETURN d.id, before`

// grantTeam gives the team permissions on datasources and takes others back.
func (e entered) grantTeam(id string, grants []TeamGrant) error {
	if len(grants) == 0 {
		return nil
	}
	rows, now := make([]any, len(grants)), map[string]any{}
	for i, g := range grants {
		rows[i] = map[string]any{"datasource": g.Datasource, "rank": g.Permission.Rank()}
		now[g.Datasource] = string(g.Permission)
	}
	done, err := e.run(e.Audience, grantTeamQuery, map[string]any{"id": id, "rows": rows})
	if err != nil {
		return err
	}
	if len(done) < len(rows) {
		return fault.BadInput("input.datasources", "There is no such datasource, or it is named twice. Look at datasources.")
	}
	before := map[string]any{}
	for _, r := range done {
		datasource, was := text(r[0]), string(TeamPermissionOf(integer(r[1])))
		if was == now[datasource] {
			delete(now, datasource)
			continue
		}
		before[datasource] = was
		e.touch(FamilyPolicy, e.Workspace, datasource, visibleToAll)
	}
	if len(now) == 0 {
		return nil
	}
	e.touch(FamilyDirectory, e.Workspace, id, visibleToAll)
	e.record(Event{Action: "team.grant", Resource: id, Before: before, After: now})
	return nil
}

const dropTeamQuery = `MATCH (t:Team {id: $id, workspace: $workspace}) DETACH DELETE t`

// DeleteTeam deletes a team. Its members lose what they held through it with the next request. Errors:
// NOT_FOUND, BAD_USER_INPUT for the built-in team, and what the rule says.
func (s *Store) DeleteTeam(ctx context.Context, w Writer, id string) error {
	return s.permitted(ctx, w, func(e entered) error {
		found, err := e.stored(teams(), id)
		if err != nil {
			return err
		}
		if boolean(found[1]) {
			return fault.BadInput("input.team", "The team everyone is built in and cannot be deleted.")
		}
		if _, err := e.runUnscoped(dropTeamQuery, map[string]any{"id": id, "workspace": e.Workspace}); err != nil {
			return err
		}
		e.touch(FamilyDirectory, e.Workspace, id, visibleToAll)
		e.record(Event{Action: "team.delete", Resource: id, Before: named(text(found[0]))})
		return nil
	})
}
