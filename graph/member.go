package graph

import "context"

// Member is a member of a workspace, as it is stored: an allow-listed address may be more.
type Member struct {
	User              *User
	Role              Role
	ViewerAccess      ViewerAccess
	RestrictedToTeams bool
}

// memberColumns is a user u and their membership m as one list.
const memberColumns = `[u.id, u.email, m.role, m.viewerAccess, m.restrictedToTeams]`

func readMember(v any) *Member {
	c := list(v)
	return &Member{
		User: &User{ID: text(c[0]), Email: text(c[1])}, Role: Role(text(c[2])), ViewerAccess: ViewerAccess(text(c[3])), RestrictedToTeams: boolean(c[4]),
	}
}

// memberListQuery finds the workspace by its built-in team, which the condition applies to.
const memberListQuery = `
MATCH (t:Team {name: 'everyone'}) WHERE $VISIBLE(t)
MATCH (w:Workspace {id: t.workspace})
CALL (w) {
  MATCH (u:User)-[m:MEMBER]->(w) WHERE u.email > $afterEmail
  WITH u, m ORDER BY u.email LIMIT $limit
  RETURN collect(` + memberColumns + `) AS page
}
RETURN page, CASE WHEN $total THEN COUNT { (:User)-[:MEMBER]->(w) } ELSE 0 END`

// MemberList is one page of the members of the audience's workspace, by address.
func (s *Store) MemberList(ctx context.Context, audience Audience, at Position) (Page[*Member], error) {
	rows, err := s.read(ctx, audience, memberListQuery, map[string]any{"afterEmail": at.Text, "limit": at.First + 1, "total": at.Total})
	if err != nil || len(rows) == 0 {
		return Page[*Member]{}, err
	}
	page := Page[*Member]{Total: integer(rows[0][1])}
	for _, v := range list(rows[0][0]) {
		page.Items = append(page.Items, readMember(v))
	}
	return page.trim(at), nil
}
