package graph

import (
	"context"
	"fmt"

	"github.com/strata-gateway/strata/fault"
)

// Group is a group of the identity provider's directory, as a workspace knows it. Users and other groups
// are in it.
type Group struct {
	ID   string
	Name string
}

// GroupClosure are the groups that someone is in, by way of other groups too.
type GroupClosure struct {
	IDs []string
	// Exceeded is set if there are more, or farther away, than is looked for; IDs is empty then.
	Exceeded bool
}

// The bounds of a closure (docs/visibility.md, "Groups"): how many groups one in another still count, and
// how many groups a person may be in.
const (
	maxGroupDepth = 8
	maxGroups     = 10_000
)

// groupsColumn is the closure of user u in workspace w, each group with the fewest hops to it: a
// breadth-first search that visits a group once, whatever leads to it, cycles included. It looks one hop
// and one group farther than the bounds, so that the outcome is exact at both.
const groupsColumn = `COLLECT {
    MATCH p = (u)-[:IN_GROUP*1..9]->(g:Group)
    WHERE all(r IN relationships(p) WHERE r.workspace = w.id)
    WITH g, min(length(p)) AS hops LIMIT 10001
    RETURN [g.id, hops] }`

func readGroupClosure(v any) GroupClosure {
	found := list(v)
	if len(found) > maxGroups {
		return GroupClosure{Exceeded: true}
	}
	closure := GroupClosure{IDs: make([]string, len(found))}
	for i, g := range found {
		c := list(g)
		if integer(c[1]) > maxGroupDepth {
			return GroupClosure{Exceeded: true}
		}
		closure.IDs[i] = text(c[0])
	}
	return closure
}

func errTooManyGroups() error {
	return fault.New(fault.CodeLimitExceeded, fmt.Sprintf(
		"Your groups are more than %d, or one in another more than %d deep, so what they were granted cannot be told. "+
			"Ask a workspace admin to flatten them, or to share with you alone.", maxGroups, maxGroupDepth))
}

const groupListQuery = `
MATCH (g:Group) WHERE $VISIBLE(g)
WITH g ORDER BY g.name, g.id
WITH collect([g.id, g.name]) AS found
RETURN size(found), [x IN found WHERE x[1] > $afterName OR (x[1] = $afterName AND x[0] > $afterID)][0..$limit]`

// GroupList is one page of the workspace's groups by name.
func (s *Store) GroupList(ctx context.Context, audience Audience, at Position) (Page[*Group], error) {
	rows, err := s.read(ctx, audience, groupListQuery, map[string]any{"afterName": at.Text, "afterID": at.ID, "limit": at.First + 1})
	if err != nil {
		return Page[*Group]{}, err
	}
	page := Page[*Group]{Total: integer(rows[0][0])}
	for _, v := range list(rows[0][1]) {
		c := list(v)
		page.Items = append(page.Items, &Group{ID: text(c[0]), Name: text(c[1])})
	}
	return page.trim(at), nil
}

// GroupMember is a user or a group that is in a group itself: one of the two is nil.
type GroupMember struct {
	User  *User
	Group *Group
}

// ID is that of the user or group.
func (m *GroupMember) ID() string {
	if m.User != nil {
		return m.User.ID
	}
	return m.Group.ID
}

const groupMembersQuery = `
MATCH (g:Group {id: $group}) WHERE $VISIBLE(g)
RETURN CASE WHEN $total THEN COUNT { ()-[:IN_GROUP]->(g) } ELSE 0 END,
  COLLECT { MATCH (m)-[:IN_GROUP]->(g) WHERE m.id > $afterID RETURN [m.id, m.email, m.name] ORDER BY m.id LIMIT $limit }`

// GroupMembers is one page of who is in a group itself, by id. Errors: NOT_FOUND.
func (s *Store) GroupMembers(ctx context.Context, audience Audience, group string, at Position) (Page[*GroupMember], error) {
	rows, err := s.read(ctx, audience, groupMembersQuery, map[string]any{"group": group, "afterID": at.ID, "limit": at.First + 1, "total": at.Total})
	if err != nil {
		return Page[*GroupMember]{}, err
	}
	if len(rows) == 0 {
		return Page[*GroupMember]{}, fault.NotFound("group")
	}
	page := Page[*GroupMember]{Total: integer(rows[0][0])}
	for _, v := range list(rows[0][1]) {
		c, m := list(v), &GroupMember{}
		if c[1] != nil {
			m.User = &User{ID: text(c[0]), Email: text(c[1])}
		} else {
			m.Group = &Group{ID: text(c[0]), Name: text(c[2])}
		}
		page.Items = append(page.Items, m)
	}
	return page.trim(at), nil
}
