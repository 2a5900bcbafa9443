package main

import (
	"github.com/strata-gateway/strata/server/authn"
)

// identities are those who can sign in.
type identities struct {
	*authn.Chain
	// key mints tokens; nil if the local key does not sign anyone in.
	key *authn.LocalKey
}

// newIdentities makes the verifiers, and the local key first if there is none yet.
func newIdentities(o serveOptions) (identities, error) {
	var ids identities
	var issuers []authn.Issued
	if o.usesLocalKey() {
		key, err := authn.OpenLocalKey(o.data)
		if err != nil {
			return ids, err
		}
		ids.key = key
		issuers = append(issuers, key.Verifier(nil))
	}
	if o.oidcIssuer != "" {
		provider, err := authn.NewOIDC(authn.OIDCConfig{Issuer: o.oidcIssuer, Audiences: o.oidcAudiences})
		if err != nil {
			return ids, err
		}
		issuers = append(issuers, provider)
	}
	chain, err := authn.NewChain(issuers...)
	ids.Chain = chain
	return ids, err
}
