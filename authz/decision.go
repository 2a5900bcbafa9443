package authz

import (
	"errors"

	"github.com/strata-gateway/strata/fault"
)

// Reason says why a decision is what it is: for logs, metrics, tests and explanations.
type Reason string

// The reasons.
const (
	ReasonNone       Reason = "" // of the zero value, which denies
	ReasonRole       Reason = "role"
	ReasonOwner      Reason = "owner"
	ReasonShare      Reason = "share"
	ReasonAdmin      Reason = "workspace admin"
	ReasonTeam       Reason = "team permission"
	ReasonClamp      Reason = "clamped to what a VIEWER may"
	ReasonNotHeld    Reason = "not held"
	ReasonHidden     Reason = "hidden from the audience"
	ReasonNotEnough  Reason = "not enough held"
	ReasonUntold     Reason = "too many groups"
	ReasonGrantee    Reason = "the grantee cannot hold it"
	ReasonNoCaller   Reason = "no caller"
	ReasonNoGate     Reason = "no gate let it through"
	ReasonNotCarried Reason = "a list without its scope"
)

// Decision is the outcome of a rule. Its zero value denies.
type Decision struct {
	Allowed bool
	Reason  Reason
	// AdminOverride is set if only being a workspace admin allowed it.
	AdminOverride bool
	// ClampsPreviousOwner is set if the previous owner of a suite can keep no more than VIEW.
	ClampsPreviousOwner bool
	// fault is what the caller is told if it is not allowed.
	fault *fault.Error
}

func allow(why Reason) Decision {
	return Decision{Allowed: true, Reason: why, AdminOverride: why == ReasonAdmin}
}

// forbid denies something whose existence is public, and says what is needed.
func forbid(why Reason, needs string) Decision {
	return Decision{Reason: why, fault: fault.Forbidden(needs)}
}

// hide denies something whose existence is secret: the answer is that of a nonexistent one.
func hide(what string) Decision {
	return Decision{Reason: ReasonNotHeld, fault: fault.NotFound(what)}
}

// refuse denies an argument that no right would make good.
func refuse(why Reason, field, message string) Decision {
	return Decision{Reason: why, fault: fault.BadInput(field, message)}
}

var errDenied = errors.New("denied by a decision without a reason")

// Err is nil if allowed, else the fault to answer with.
func (d Decision) Err() error {
	switch {
	case d.Allowed:
		return nil
	case d.fault != nil:
		return d.fault
	}
	return fault.Wrap(fault.CodeForbidden, "You may not do this.", errDenied)
}
