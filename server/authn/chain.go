package authn

import (
	"context"
	"fmt"
)

// Chain verifies tokens of several issuers.
type Chain struct {
	byIssuer map[string]Verifier
}

// NewChain returns a Chain over verifiers, whose issuers must differ.
func NewChain(verifiers ...Issued) (*Chain, error) {
	byIssuer := make(map[string]Verifier, len(verifiers))
	for _, v := range verifiers {
		if _, twice := byIssuer[v.Issuer()]; twice {
			return nil, fmt.Errorf("two verifiers for the issuer %q: configure it once", v.Issuer())
		}
		byIssuer[v.Issuer()] = v
	}
	return &Chain{byIssuer: byIssuer}, nil
}

// Verify hands rawToken to the verifier of the issuer it claims to be from.
// The claim is not trusted for more: that verifier checks it again, signed.
func (c *Chain) Verify(ctx context.Context, rawToken string) (Identity, error) {
	issuer, err := issuerOf(rawToken, algorithms)
	if err != nil {
		return Identity{}, err
	}
	v, ok := c.byIssuer[issuer]
	if !ok {
		return Identity{}, refuse(msgIssuer, fmt.Errorf("issuer %q", issuer))
	}
	return v.Verify(ctx, rawToken)
}
