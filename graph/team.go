package graph

import "context"

// TeamMembership is a member of a team.
type TeamMembership struct {
	User *User
	// ViewerAccess is RESTRICTED if the team keeps them from restricted assets where they are a viewer.
	ViewerAccess ViewerAccess
}

// DatasourceGrant is a team's permission on a datasource.
type DatasourceGrant struct {
	Datasource *Datasource
	Permission TeamPermission
}

const teamListQuery = `
MATCH (t:Team) WHERE $VISIBLE(t)
WITH t ORDER BY t.name, t.id
WITH collect([t.id, t.name]) AS found
RETURN size(found), [x IN found WHERE x[1] > $afterName OR (x[1] = $afterName AND x[0] > $afterID)][0..$limit]`

// TeamList is one page of the workspace's teams by name.
func (s *Store) TeamList(ctx context.Context, audience Audience, at Position) (Page[*Team], error) {
	rows, err := s.read(ctx, audience, teamListQuery, map[string]any{"afterName": at.Text, "afterID": at.ID, "limit": at.First + 1})
	if err != nil {
		return Page[*Team]{}, err
	}
	page := Page[*Team]{Total: integer(rows[0][0])}
	for _, v := range list(rows[0][1]) {
		c := list(v)
		page.Items = append(page.Items, &Team{ID: text(c[0]), Name: text(c[1])})
	}
	return page.trim(at), nil
}

// maxTeamMembers is how many members of a team are listed.
const maxTeamMembers = 1000

const teamMembersQuery = `
UNWIND $ids AS id
MATCH (t:Team {id: id}) WHERE $VISIBLE(t)
RETURN t.id, COLLECT {
  MATCH (u:User)-[x:IN_TEAM]->(t)
  RETURN [u.id, u.email, x.viewerAccess] ORDER BY u.email LIMIT $most
}`

// TeamMembers are the members of teams by address, the first 1,000 of each, by team. The built-in team
// lists none: it holds everyone.
func (s *Store) TeamMembers(ctx context.Context, audience Audience, teams []string) (map[string][]*TeamMembership, error) {
	rows, err := s.read(ctx, audience, teamMembersQuery, map[string]any{"ids": teams, "most": maxTeamMembers})
	if err != nil {
		return nil, err
	}
	out := make(map[string][]*TeamMembership, len(rows))
	for _, r := range rows {
		members := []*TeamMembership{}
		for _, v := range list(r[1]) {
			c := list(v)
			access := Unrestricted
			if text(c[2]) == string(Restricted) {
				access = Restricted
			}
			members = append(members, &TeamMembership{User: &User{ID: text(c[0]), Email: text(c[1])}, ViewerAccess: access})
		}
		out[text(r[0])] = members
	}
	return out, nil
}

const teamGrantsQuery = `
UNWIND $ids AS id
MATCH (t:Team {id: id}) WHERE $VISIBLE(t)
RETURN t.id, COLLECT {
  MATCH (t)-[g:TEAM_ON]->(d:Datasource) WHERE $VISIBLE(d)
  RETURN [` + datasourceColumns + `, g.rank] ORDER BY d.name, d.id
}`

// TeamGrants are the permissions of teams on datasources, by the datasource's name, by team.
func (s *Store) TeamGrants(ctx context.Context, audience Audience, teams []string) (map[string][]*DatasourceGrant, error) {
	rows, err := s.read(ctx, audience, teamGrantsQuery, map[string]any{"ids": teams})
	if err != nil {
		return nil, err
	}
	out := make(map[string][]*DatasourceGrant, len(rows))
	for _, r := range rows {
		grants := []*DatasourceGrant{}
		for _, v := range list(r[1]) {
			c := list(v)
			grants = append(grants, &DatasourceGrant{Datasource: readDatasource(c[0]), Permission: TeamPermissionOf(integer(c[1]))})
		}
		out[text(r[0])] = grants
	}
	return out, nil
}
