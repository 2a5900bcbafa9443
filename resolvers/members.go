package resolvers

import (
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/server/authn"
)

// newMembershipChange checks a change of a member. Errors: BAD_USER_INPUT.
func newMembershipChange(in gql.SetMembershipInput) (graph.MembershipChange, error) {
	c := graph.MembershipChange{Role: given(in.Role), ViewerAccess: given(in.ViewerAccess), RestrictedToTeams: given(in.RestrictedToTeams)}
	switch {
	case (in.User == nil) == (in.Email == nil):
		return c, fault.BadInput("input", "Give exactly one of user and email.")
	case in.User != nil:
		c.User = *in.User
		return c, identified("input.user", c.User)
	}
	c.Email = authn.NormalizeEmail(*in.Email)
	return c, address("input.email", c.Email)
}

// address checks that a text looks like one e-mail address; only its owner's issuer can verify it. Errors:
// BAD_USER_INPUT.
func address(field, email string) error {
	if err := named(field, email, maxEmail); err != nil {
		return err
	}
	if !authn.PlausibleEmail(email) {
		return fault.BadInput(field, field+" must be one e-mail address.")
	}
	return nil
}

// newTeamChange checks a change of a team. Errors: BAD_USER_INPUT.
func newTeamChange(in gql.SetTeamInput) (graph.TeamChange, error) {
	c := graph.TeamChange{Name: in.Name, Remove: in.RemoveMembers}
	if in.ID != nil {
		c.ID = *in.ID
		if err := identified("input.id", c.ID); err != nil {
			return c, err
		}
	} else if in.Name == nil {
		return c, fault.BadInput("input.name", "A new team needs a name. To change one, give its id.")
	}
	if in.Name != nil {
		if err := named("input.name", *in.Name, maxName); err != nil {
			return c, err
		}
	}
	for _, m := range in.AddMembers {
		c.Add = append(c.Add, graph.TeamMember{User: m.User, Restricted: m.ViewerAccess == graph.Restricted})
		if err := identified("input.addMembers.user", m.User); err != nil {
			return c, err
		}
	}
	for _, g := range in.Datasources {
		grant := graph.TeamGrant{Datasource: g.Datasource}
		if g.Permission != nil {
			grant.Permission = *g.Permission
		}
		c.Grants = append(c.Grants, grant)
		if err := identified("input.datasources.datasource", g.Datasource); err != nil {
			return c, err
		}
	}
	return c, firstError(
		atMost("input.addMembers", len(c.Add), maxGroupMembers), atMost("input.removeMembers", len(c.Remove), maxGroupMembers),
		atMost("input.datasources", len(c.Grants), maxList), identified("input.removeMembers", c.Remove...),
	)
}
