package authn

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

// OIDCConfig describes one OpenID Connect provider.
type OIDCConfig struct {
	// Issuer is the provider's issuer URL, exactly as its tokens have it. It is
	// https, or http on a loopback address.
	Issuer string
	// Audiences are the values of the aud claim that are meant for this gateway;
	// a token needs one of them.
	Audiences []string
	// Transport fetches the provider's documents; nil is one with timeouts.
	Transport http.RoundTripper
	// Now is the clock; nil is the machine's.
	Now func() time.Time
}

// Validate says what is wrong with the configuration, nil if nothing is.
func (c OIDCConfig) Validate() error {
	u, err := url.Parse(c.Issuer)
	if err != nil {
		return fmt.Errorf("issuer %q is not a URL: %w", c.Issuer, err)
	}
	if err := secure(u); err != nil {
		return fmt.Errorf("issuer %q: %w", c.Issuer, err)
	}
	if len(c.Audiences) == 0 {
		return fmt.Errorf("issuer %q needs at least one audience", c.Issuer)
	}
	for _, a := range c.Audiences {
		if a == "" {
			return fmt.Errorf("issuer %q has an empty audience", c.Issuer)
		}
	}
	return nil
}

// secure requires https, or http that does not leave the machine.
//
// SECURITY: keys that arrive over plain HTTP are the keys of whoever is on the
// way. It is asked of the issuer and of every document fetched for it. Held by
// TestOIDCConfig and TestKeysOverPlainHTTP.
func secure(u *url.URL) error {
	ip := net.ParseIP(u.Hostname())
	loopback := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	switch {
	case u.Host == "":
		return errors.New("the URL has no host")
	case u.Scheme == "https", u.Scheme == "http" && loopback:
		return nil
	default:
		return errors.New("use https (http is for loopback addresses only)")
	}
}

// OIDC verifies the tokens of one OpenID Connect provider.
type OIDC struct {
	policy   policy
	provider *provider
}

// NewOIDC returns a verifier for the provider in c. It does not call the
// provider: that happens when the first token comes, so that a gateway starts
// while its provider is down.
func NewOIDC(c OIDCConfig) (*OIDC, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &OIDC{
		policy: policy{
			issuer:     c.Issuer,
			audiences:  c.Audiences,
			algorithms: algorithms,
			now:        c.Now,
		},
		provider: newProvider(c.Issuer, c.Transport, c.Now),
	}, nil
}

// Issuer returns the configured issuer.
func (o *OIDC) Issuer() string { return o.policy.issuer }

// Verify implements Verifier.
func (o *OIDC) Verify(ctx context.Context, rawToken string) (Identity, error) {
	if err := o.policy.requireIssuer(rawToken); err != nil {
		return Identity{}, err
	}
	keys, err := o.provider.keySet(ctx)
	if err != nil {
		return Identity{}, err
	}
	return o.policy.verify(ctx, rawToken, keys)
}
