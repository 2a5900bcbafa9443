package authz

import (
	"slices"

	"github.com/strata-gateway/strata/graph"
)

// path are the steps that lead to a decision.
func (a Access) path(c *Caller, h Held, d Decision) []*Step {
	path := []*Step{{StepRole, string(c.Role), a.decided(c, a.everything(c)).Allowed}}
	if c.policy.adminEmails[c.User.Email] {
		path = append(path, &Step{StepAllowList, "on the configured allow-list, which makes a member ADMIN", a.decided(c, a.nothing()).Allowed})
	}
	if c.Role == graph.RoleAdmin && a.HeldOn != "" {
		path = append(path, a.adminStep(c))
	}
	switch {
	case h.Hidden:
		return append(path, &Step{StepClamp, "the object is restricted, and hidden from the audience " + string(c.Audience.Class), false})
	case h.Untold:
		return append(path, &Step{StepGroup, "in too many groups to tell what they were granted", false})
	}
	path = append(path, a.holdings(c, h)...)
	if a.heldBy(c, h.Facts) == ReasonClamp {
		path = append(path, &Step{StepClamp, "a VIEWER of the workspace holds no more than VIEW on a suite, and VIEWER on a datasource", d.Allowed})
	}
	return path
}

// adminStep is what an admin may, or holds without holding anything.
func (a Access) adminStep(c *Caller) *Step {
	detail := a.admin
	switch {
	case detail != "":
	case a.HeldOn == graph.KindSuite:
		detail = "ADMIN on every suite"
	case c.RestrictedToTeams:
		detail = "restricted to teams: holds on datasources what the teams hold"
	default:
		detail = "EDITOR on every datasource"
	}
	return &Step{StepAdmin, detail, a.decided(c, a.nothing()).Allowed}
}

// holdings are the steps of what the subject holds. Each is judged as if it were all they hold.
func (a Access) holdings(c *Caller, h Held) []*Step {
	alone := *c
	if alone.Role == graph.RoleAdmin {
		alone.Role = graph.RoleMember // what an admin holds by that is a step of its own
	}
	var steps []*Step
	step := func(kind StepKind, detail string, f graph.Facts) {
		steps = append(steps, &Step{kind, detail, a.decided(&alone, f).Allowed})
	}
	if owner := a.ownerIn(h.Facts); owner != "" && owner == c.User.ID {
		step(StepOwner, "owns it", a.everything(c))
	}
	for _, s := range h.Shares {
		f := graph.Facts{Suites: []graph.SuiteFacts{{Share: s.Permission}}}
		switch {
		case s.User != nil && s.User.ID == c.User.ID:
			step(StepShare, h.byShare(s), f)
		case s.Group != nil && slices.Contains(c.Groups.IDs, s.Group.ID):
			step(StepGroup, h.byShare(s)+" of the group "+s.Group.Name, f)
		}
	}
	for _, g := range h.Teams {
		step(StepTeam, string(g.Permission)+" by the team "+g.Team.Name, graph.Facts{Datasources: []graph.DatasourceFacts{{TeamPermission: g.Permission}}})
	}
	return steps
}

// byShare says what a share gives, and by its id which one it is if that may be told.
func (h Held) byShare(s *graph.Share) string {
	if !h.SharesTold {
		return string(s.Permission) + " by a share"
	}
	return string(s.Permission) + " by the share " + s.ID
}

func (a Access) ownerIn(f graph.Facts) string {
	switch a.HeldOn {
	case graph.KindSuite:
		return f.Suites[0].Owner
	case graph.KindDatasource:
		return f.Datasources[0].Owner
	}
	return ""
}
