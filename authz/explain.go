package authz

import "github.com/strata-gateway/strata/graph"

// StepKind is what a step of an explanation is about.
type StepKind string

// The kinds, in the order in which steps stand.
const (
	StepRole      StepKind = "ROLE"
	StepAllowList StepKind = "ALLOW_LIST"
	StepAdmin     StepKind = "ADMIN"
	StepOwner     StepKind = "OWNER"
	StepShare     StepKind = "SHARE"
	StepGroup     StepKind = "GROUP"
	StepTeam      StepKind = "TEAM"
	StepClamp     StepKind = "CLAMP"
)

// Step is one thing that gave an access, was not enough for it, or stood in its way.
type Step struct {
	Kind    StepKind
	Detail  string
	Granted bool
}

// Explanation says whether someone may do something, and why.
type Explanation struct {
	Subject        *graph.User
	Object, Action string
	Allowed        bool
	Reason         string
	Needs          *string
	Path           []*Step
}

// Held is what was found of a subject's rights on an object, as the subject sees it.
type Held struct {
	// Hidden is set if the object does not exist for the subject; nothing else is known then.
	Hidden bool
	// Untold is set if the subject's groups are too many to tell what they hold; nothing else is known then.
	Untold bool
	Facts  graph.Facts
	Shares []*graph.Share
	// SharesTold is set if who asks may read the suite's shares: to others their ids are secret.
	SharesTold bool
	Teams      []graph.HeldByTeam
}

// OnExplanation decides whether the caller may have the rights of a user explained: their own, and those
// of anyone if they are a workspace admin.
func OnExplanation(c *Caller, subject string) Decision {
	if subject == c.User.ID {
		return allow(ReasonRole)
	}
	return HasRole(c, graph.RoleAdmin)
}

// Other is who someone else is in the caller's workspace, by the caller's policy; nil if they are no
// member.
func (c *Caller) Other(f graph.CallerFacts) *Caller {
	other, err := c.policy.Caller(f)
	if err != nil {
		return nil // the workspace is given, so this is all that it can say
	}
	return other
}

// Explain says whether the subject may do it to an object, and by what.
//
// SECURITY: it is the decision of the operation itself (TestExplanationsAgreeWithTheOperations).
func (a Access) Explain(subject *Caller, object string, h Held) *Explanation {
	d, why := a.outcome(subject, h)
	e := &Explanation{
		Subject: &graph.User{ID: subject.User.ID, Email: subject.User.Email}, Object: object, Action: a.Name,
		Allowed: d.Allowed, Reason: string(why), Path: a.path(subject, h, d),
	}
	if !d.Allowed {
		needs := a.needs
		if d.fault != nil && d.fault.Needs != "" {
			needs = d.fault.Needs
		}
		e.Needs = &needs
	}
	return e
}

func (a Access) outcome(c *Caller, h Held) (Decision, Reason) {
	switch {
	case h.Hidden:
		return forbid(ReasonHidden, "to be no restricted viewer"), ReasonHidden
	case h.Untold:
		return forbid(ReasonUntold, "fewer groups, or a share of one's own"), ReasonUntold
	}
	d := a.decided(c, h.Facts)
	held := a.heldBy(c, h.Facts)
	switch {
	case a.HeldOn != "" && d.Allowed && d.AdminOverride:
		return d, ReasonAdmin
	case d.Allowed, held == ReasonClamp, held == ReasonNotHeld && d.Reason != ReasonRole:
		return d, held
	case d.Reason != ReasonRole && (held == ReasonShare || held == ReasonTeam):
		return d, ReasonNotEnough
	}
	return d, d.Reason
}
