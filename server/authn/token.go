package authn

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/strata-gateway/strata/fault"
)

const (
	// maxToken bounds a token in bytes, before anything is decoded.
	maxToken = 8 << 10
	// skew is how far the clocks of issuer and gateway may be apart.
	skew = time.Minute
)

// algorithms is the allow-list.
//
// SECURITY: it holds asymmetric signatures only, so that neither "none" nor an
// HMAC keyed with a public key verifies. Held by TestRefusedTokens.
var algorithms = []jose.SignatureAlgorithm{
	jose.RS256, jose.RS384, jose.RS512,
	jose.PS256, jose.PS384, jose.PS512,
	jose.ES256, jose.ES384, jose.ES512,
	jose.EdDSA,
}

// policy is what a token of one issuer has to fulfil.
type policy struct {
	issuer     string
	audiences  []string // any of them; never empty
	algorithms []jose.SignatureAlgorithm
	now        func() time.Time
}

// verify checks raw against the keys and the policy.
func (p policy) verify(ctx context.Context, raw string, keys oidc.KeySet) (Identity, error) {
	checked := &keyCheck{KeySet: keys}
	verifier := oidc.NewVerifier(p.issuer, checked, &oidc.Config{
		SupportedSigningAlgs: names(p.algorithms),
		// One of several audiences is required below; this library knows one.
		SkipClientIDCheck: true,
		// Shifted, so that expiry has its skew. It also refuses a missing exp.
		Now: func() time.Time { return p.now().Add(-skew) },
	})
	token, err := verifier.Verify(ctx, raw)
	if err != nil {
		return Identity{}, p.refusal(err, checked.err)
	}
	var c claims
	if err := token.Claims(&c); err != nil {
		return Identity{}, refuse(msgMalformed, err)
	}
	// The library above allows nbf five minutes and knows no list of audiences.
	err = c.ValidateWithLeeway(jwt.Expected{
		Issuer:      p.issuer,
		AnyAudience: p.audiences,
		Time:        p.now(),
	}, skew)
	if err != nil {
		return Identity{}, p.refusal(err, nil)
	}
	return c.identity()
}

// refusal turns an error of the libraries into a fault. keyErr is what the key
// set said, nil if it verified the signature or was not asked.
func (p policy) refusal(err, keyErr error) error {
	var expired *oidc.TokenExpiredError
	switch {
	case keyErr != nil && errors.Unwrap(keyErr) != nil:
		// A key set wraps an error only if it could not get at the keys.
		return fault.Wrap(fault.CodeUnavailable, msgDown, keyErr)
	case keyErr != nil:
		return refuse(msgSignature, keyErr)
	case errors.As(err, &expired), errors.Is(err, jwt.ErrExpired):
		return refuse(msgExpired, err)
	case errors.Is(err, jwt.ErrNotValidYet), errors.Is(err, jwt.ErrIssuedInTheFuture):
		return refuse(msgNotYet, err)
	case errors.Is(err, jwt.ErrInvalidAudience):
		return refuse(msgAudience, err)
	case errors.Is(err, jwt.ErrInvalidIssuer):
		return refuse(msgIssuer, err)
	default:
		return refuse(msgMalformed, err)
	}
}

// keyCheck remembers what a key set said of one token, because the verifier
// passes it on as text only.
type keyCheck struct {
	oidc.KeySet
	err error
}

func (k *keyCheck) VerifySignature(ctx context.Context, raw string) ([]byte, error) {
	payload, err := k.KeySet.VerifySignature(ctx, raw)
	k.err = err
	return payload, err
}

// requireIssuer refuses a token that claims another issuer before anything is
// fetched or computed for it.
func (p policy) requireIssuer(raw string) *fault.Error {
	issuer, err := issuerOf(raw, p.algorithms)
	if err != nil {
		return fault.Of(err)
	}
	if issuer != p.issuer {
		return refuse(msgIssuer, fmt.Errorf("issuer %q", issuer))
	}
	return nil
}

// issuerOf returns the iss claim of raw, which nothing vouches for yet.
func issuerOf(raw string, allowed []jose.SignatureAlgorithm) (string, error) {
	if len(raw) > maxToken {
		return "", refuse(msgTooLong, nil)
	}
	token, err := jwt.ParseSigned(raw, allowed)
	if err != nil {
		return "", refuse(msgMalformed, err)
	}
	var unverified struct {
		Issuer string `json:"iss"`
	}
	if err := token.UnsafeClaimsWithoutVerification(&unverified); err != nil {
		return "", refuse(msgMalformed, err)
	}
	return unverified.Issuer, nil
}

func names(algs []jose.SignatureAlgorithm) []string {
	out := make([]string, len(algs))
	for i, a := range algs {
		out[i] = string(a)
	}
	return out
}
