package authn

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/sync/singleflight"

	"github.com/strata-gateway/strata/fault"
)

const (
	// keysAge is how long a key set is used before the provider is asked anew.
	// Nothing is fetched while the known keys verify what comes, so this bounds
	// how long a withdrawn key goes on verifying.
	keysAge = 10 * time.Minute
	// fetchTimeout bounds one request to the provider.
	fetchTimeout = 5 * time.Second
)

// provider holds the current key set of one issuer.
type provider struct {
	issuer    string
	documents *documents
	client    *http.Client
	now       func() time.Time
	flight    singleflight.Group

	mu    sync.Mutex
	keys  oidc.KeySet
	since time.Time // when keys were discovered
}

func newProvider(issuer string, transport http.RoundTripper, now func() time.Time) *provider {
	if transport == nil {
		transport = &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			TLSHandshakeTimeout:   fetchTimeout,
			ResponseHeaderTimeout: fetchTimeout,
			IdleConnTimeout:       keysAge,
		}
	}
	docs := newDocuments(transport, now)
	return &provider{
		issuer:    issuer,
		documents: docs,
		now:       now,
		client: &http.Client{
			Transport: docs,
			Timeout:   fetchTimeout,
			// A redirect would fetch keys from where nobody configured them.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// keySet returns the current key set, and discovers it first if there is none
// or it is old. All who wait for a discovery share it; the first one's
// cancellation fails nobody else. The error is UNAVAILABLE.
func (p *provider) keySet(ctx context.Context) (oidc.KeySet, error) {
	if keys := p.current(); keys != nil {
		return keys, nil
	}
	found := p.flight.DoChan("", func() (any, error) {
		return p.discover(context.WithoutCancel(ctx))
	})
	select {
	case <-ctx.Done():
		return nil, fault.Wrap(fault.CodeUnavailable, msgDown, ctx.Err())
	case r := <-found:
		if r.Err != nil {
			return nil, fault.Wrap(fault.CodeUnavailable, msgDown, r.Err)
		}
		return r.Val.(oidc.KeySet), nil
	}
}

func (p *provider) current() oidc.KeySet {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now().Sub(p.since) >= keysAge {
		return nil
	}
	return p.keys
}

func (p *provider) discover(ctx context.Context) (oidc.KeySet, error) {
	ctx = oidc.ClientContext(ctx, p.client)
	found, err := oidc.NewProvider(ctx, p.issuer)
	if err != nil {
		return nil, fmt.Errorf("discover %s: %w", p.issuer, err)
	}
	var metadata struct {
		JWKSURI string `json:"jwks_uri"`
	}
	if err := found.Claims(&metadata); err != nil {
		return nil, fmt.Errorf("discover %s: %w", p.issuer, err)
	}
	if metadata.JWKSURI == "" {
		return nil, errors.New("discover " + p.issuer + ": no jwks_uri")
	}
	keys := &issuerKeys{
		url: metadata.JWKSURI, client: p.client,
		failure: func() error { return p.documents.failure(metadata.JWKSURI) },
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys, p.since = keys, p.now()
	return keys, nil
}
