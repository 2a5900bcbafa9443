// Package authn says who a request comes from. A bearer token is verified
// against the issuers the gateway was configured with, and the identity in it is
// put into the request's context. There are two kinds of issuers: an OpenID
// Connect provider, whose keys are discovered lazily and followed when they
// rotate, and in embedded mode a local key in the data folder, for which
// `strata token` mints tokens. The package decides identity only; what an
// identity may see and do is decided by authz.
//
// Every refusal is an UNAUTHENTICATED fault whose message names one of a few
// reasons (missing, malformed, expired, …) and what to do; an issuer that does
// not answer is UNAVAILABLE, because the token may well be good.
package authn

import (
	"context"
	"strings"
)

// Identity is who a verified token speaks for.
type Identity struct {
	Issuer  string // the iss claim, equal to the configured issuer
	Subject string // the sub claim, unique within the issuer
	Email   string // verified by the issuer, as NormalizeEmail has it
	Name    string // for display; may be empty
}

// Verifier verifies raw tokens.
//
// Verify returns the identity in rawToken, or a fault: UNAUTHENTICATED for a
// token that is not good, UNAVAILABLE if that cannot be told now. It MUST be
// safe for concurrent use.
type Verifier interface {
	Verify(ctx context.Context, rawToken string) (Identity, error)
}

// Issued is a Verifier of the tokens of one issuer.
type Issued interface {
	Verifier
	// Issuer is the iss claim that Verify requires.
	Issuer() string
}

type identityKey struct{}

// With returns a context that carries id. Middleware calls it; a transport that
// authenticates by itself (a WebSocket's first message) does too.
func With(ctx context.Context, id Identity) context.Context {
	return context.WithValue(ctx, identityKey{}, id)
}

// From returns the identity that ctx carries; false if the request is anonymous.
func From(ctx context.Context) (Identity, bool) {
	id, ok := ctx.Value(identityKey{}).(Identity)
	return id, ok
}

// NormalizeEmail is the one form in which e-mail addresses are kept and
// compared: surrounding white space removed, A–Z lower-cased.
//
// SECURITY: letters outside ASCII keep their case. Unicode lower-casing maps
// other letters onto ASCII ones (U+212A KELVIN SIGN becomes k), so that two
// different mailboxes would become one account. Held by TestNormalizeEmail.
func NormalizeEmail(email string) string {
	lower := func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}
	return strings.Map(lower, strings.TrimSpace(email))
}
