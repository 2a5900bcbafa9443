package resolvers

import (
	"slices"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
)

// maxGroupMembers is how many members one call puts into a group, or takes out.
const maxGroupMembers = 500

// newGroupChange checks a change of a group. Errors: BAD_USER_INPUT.
func newGroupChange(in gql.SetGroupInput) (graph.GroupChange, error) {
	c := graph.GroupChange{Name: in.Name, Add: in.AddMembers, Remove: in.RemoveMembers}
	if in.ID != nil {
		c.ID = *in.ID
		if err := identified("input.id", c.ID); err != nil {
			return c, err
		}
	} else if in.Name == nil {
		return c, fault.BadInput("input.name", "A new group needs a name. To change one, give its id.")
	}
	if in.Name != nil {
		if err := named("input.name", *in.Name, maxName); err != nil {
			return c, err
		}
	}
	if c.ID != "" && slices.Contains(c.Add, c.ID) {
		return c, fault.BadInput("input.addMembers", "A group cannot be put into itself.")
	}
	return c, firstError(
		atMost("input.addMembers", len(c.Add), maxGroupMembers), atMost("input.removeMembers", len(c.Remove), maxGroupMembers),
		identified("input.addMembers", c.Add...), identified("input.removeMembers", c.Remove...),
	)
}
