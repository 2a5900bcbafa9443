package graph

import "context"

// HeldByTeam is what a team holds on a datasource.
type HeldByTeam struct {
	Team       Team
	Permission TeamPermission
}

const heldByTeamsQuery = `
MATCH (t:Team)-[g:TEAM_ON]->(d:Datasource {id: $datasource}) WHERE $VISIBLE(d) AND t.id IN $teams
RETURN t.id, t.name, g.rank ORDER BY g.rank DESC, t.name, t.id`

// HeldByTeams are what the teams of a scope's caller hold on a datasource, the highest first.
func (s *Store) HeldByTeams(ctx context.Context, scope Scope, datasource string) ([]HeldByTeam, error) {
	rows, err := s.readScoped(ctx, scope, heldByTeamsQuery, map[string]any{"datasource": datasource})
	if err != nil {
		return nil, err
	}
	out := make([]HeldByTeam, 0, len(rows))
	for _, r := range rows {
		out = append(out, HeldByTeam{Team: Team{ID: text(r[0]), Name: text(r[1])}, Permission: TeamPermissionOf(integer(r[2]))})
	}
	return out, nil
}

const memberEmailQuery = `MATCH (u:User {id: $user})-[:MEMBER]->(:Workspace {id: $workspace}) RETURN u.email`

// MemberEmail is the address of a member of the scope's workspace, "" if the user is none.
func (s *Store) MemberEmail(ctx context.Context, scope Scope, user string) (string, error) {
	rows, err := s.readUnscoped(ctx, memberEmailQuery, map[string]any{"user": user, "workspace": scope.Workspace})
	if err != nil || len(rows) == 0 {
		return "", err
	}
	return text(rows[0][0]), nil
}
