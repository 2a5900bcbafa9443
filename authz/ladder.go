package authz

import "github.com/strata-gateway/strata/graph"

// SuiteLevel is a caller's level on a suite: NONE < VIEW < EDIT < ADMIN < OWNER. The zero value is none.
type SuiteLevel string

// The levels, lowest first.
const (
	SuiteNone  SuiteLevel = ""
	SuiteView  SuiteLevel = "VIEW"
	SuiteEdit  SuiteLevel = "EDIT"
	SuiteAdmin SuiteLevel = "ADMIN"
	SuiteOwner SuiteLevel = "OWNER"
)

func (l SuiteLevel) rank() int {
	switch l {
	case SuiteView:
		return 1
	case SuiteEdit:
		return 2
	case SuiteAdmin:
		return 3
	case SuiteOwner:
		return 4
	}
	return 0
}

// AtLeast reports whether the level includes another. Nothing includes an unknown level.
func (l SuiteLevel) AtLeast(least SuiteLevel) bool {
	return least.rank() > 0 && l.rank() >= least.rank()
}

// LevelOn is the caller's level on a suite: the highest of ownership, workspace admin and share, and
// only then clamped to VIEW for a workspace VIEWER, whatever else they hold. There is no parameter by
// which one could ask without the clamp. Its Cypher twin is the ladder condition of package graph.
func LevelOn(c *Caller, s graph.SuiteFacts) (SuiteLevel, Reason) {
	level, why := heldOn(c, s)
	if c.Role == graph.RoleViewer && level.AtLeast(SuiteView) && level != SuiteView {
		return SuiteView, ReasonClamp
	}
	return level, why
}

func heldOn(c *Caller, s graph.SuiteFacts) (SuiteLevel, Reason) {
	switch {
	case s.Owner != "" && s.Owner == c.User.ID:
		return SuiteOwner, ReasonOwner
	case c.Role == graph.RoleAdmin:
		return SuiteAdmin, ReasonAdmin
	case s.Share == graph.ShareEdit:
		return SuiteEdit, ReasonShare
	case s.Share == graph.ShareView:
		return SuiteView, ReasonShare
	}
	return SuiteNone, ReasonNotHeld
}

// OnSuite decides whether the caller holds at least a level on a suite. To whom it may not even be
// known, it answers as for a nonexistent one, with what naming the thing that was asked for.
func OnSuite(c *Caller, s graph.SuiteFacts, least SuiteLevel, what string) Decision {
	level, why := LevelOn(c, s)
	switch {
	case level.AtLeast(least):
		d := allow(why)
		// A share would have been enough: the admin's right was not the one used.
		d.AdminOverride = why == ReasonAdmin && !shareLevel(s.Share).AtLeast(least)
		return d
	case !level.AtLeast(SuiteView):
		return hide(what)
	}
	return forbid(why, c.changing(least)+string(least)+" on the suite")
}

// changing is what a caller needs besides a level that a VIEWER of the workspace cannot hold.
func (c *Caller) changing(least SuiteLevel) string {
	if c.Role == graph.RoleViewer && least != SuiteView {
		return "the role MEMBER in this workspace, and "
	}
	return ""
}

func shareLevel(p graph.SharePermission) SuiteLevel {
	switch p {
	case graph.ShareEdit:
		return SuiteEdit
	case graph.ShareView:
		return SuiteView
	}
	return SuiteNone
}
