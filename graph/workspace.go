package graph

import (
	"context"

	"github.com/strata-gateway/strata/fault"
)

// Workspace is what members share: the unit of tenancy.
type Workspace struct{ ID string }

const ensureWorkspaceQuery = `
UNWIND [$workspace, $organization] AS name
MERGE (w:Workspace {id: name})
ON CREATE SET w.createdAt = $at
WITH w
CALL (w) {
  UNWIND range(0, CASE w.id WHEN $organization THEN 0 ELSE $shards - 1 END) AS shard
  MERGE (e:Epoch {workspace: w.id, shard: shard})
  ON CREATE SET e.v = [i IN range(0, $slots - 1) | 0] + [CASE w.id WHEN $organization THEN $shards ELSE 0 END + shard]
  RETURN count(*) AS counters
}
WITH collect(w) AS both
UNWIND both AS w
WITH w WHERE w.id <> $organization
MERGE (t:Team {workspace: w.id, name: $everyone})
ON CREATE SET t.id = $team, t.everyone = true
SET w.everyone = t.id
WITH w
MATCH (e:Epoch) WHERE e.workspace IN [w.id, $organization]
MERGE (w)-[:HAS_EPOCH]->(e)
RETURN count(e)`

// everyoneTeam is the name of the built-in team that every member of a workspace is in. Its id stands on the
// workspace too, where the first round trip of a request finds it.
const everyoneTeam = "everyone"

// EnsureWorkspace makes a workspace with its built-in team and its epochs, if it is not there yet.
// Errors: BAD_USER_INPUT for a name that is no workspace's.
func (s *Store) EnsureWorkspace(ctx context.Context, name string) error {
	if !ValidWorkspace(name) || name == s.organization {
		return fault.BadInput("workspace", "A workspace's name has 1 to 63 of a-z, 0-9 and -, and is not the organization's.")
	}
	return s.write(ctx, Actor{Workspace: name}, func(t *tx) error {
		_, err := t.runUnscoped(ensureWorkspaceQuery, map[string]any{
			"workspace": name, "organization": s.organization, "at": s.nowMillis(), "shards": shards, "slots": slots(), "team": s.ids.New(KindTeam), "everyone": everyoneTeam,
		})
		return err
	})
}

const ensureMemberQuery = `
MATCH (w:Workspace {id: $workspace})
MERGE (u:User {email: $email})
ON CREATE SET u.id = $user
MERGE (u)-[m:MEMBER]->(w)
ON CREATE SET m.role = $role, m.viewerAccess = $viewerAccess, m.restrictedToTeams = false, m.new = true
WITH u, m, coalesce(m.new, false) AS enrolled
REMOVE m.new
RETURN u.id, enrolled`

// EnsureMember makes the person with this address a member, if they are not one yet, and returns their
// user id. It is how an operator bootstraps a workspace; an existing membership stays as it is.
func (s *Store) EnsureMember(ctx context.Context, workspace, email string, role Role, access ViewerAccess) (string, error) {
	var id string
	err := s.write(ctx, Actor{Workspace: workspace}, func(t *tx) error {
		rows, err := t.runUnscoped(ensureMemberQuery, map[string]any{
			"workspace": workspace, "email": email, "role": string(role), "viewerAccess": string(access), "user": s.ids.New(KindUser),
		})
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return fault.NotFound("workspace")
		}
		id = text(rows[0][0])
		if boolean(rows[0][1]) {
			t.touch(FamilyDirectory, workspace, id, visibleToAll)
			t.record(Event{Action: "member.enrol", Resource: id, After: map[string]any{"role": string(role), "viewerAccess": string(access)}})
		}
		return nil
	})
	return id, err
}

const secretQuery = `
MERGE (s:Secret {name: $name})
ON CREATE SET s.value = $value
RETURN s.value`

// Secret returns the secret of a name, shared by all replicas; the first to ask makes it with propose.
func (s *Store) Secret(ctx context.Context, name, propose string) (string, error) {
	rows, err := s.autoCommit(ctx, writeMode, secretQuery, map[string]any{"name": name, "value": propose})
	if err != nil {
		return "", err
	}
	return text(rows[0][0]), nil
}
