package authn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/go-jose/go-jose/v4"
	"golang.org/x/sync/singleflight"
)

// issuerKeys are the keys that an issuer publishes. A token that none of them verifies has the issuer asked
// again, once for all who wait, since it may have changed them.
//
// The set of the OpenID Connect library hands a fetch that has ended to whoever comes a moment later, so that
// a good token could be refused for the failure before it (TestNewKeyWhileTheIssuerIsDown).
type issuerKeys struct {
	url    string
	client *http.Client
	// failure is what the last request for the keys met, nil if it was good.
	failure func() error
	flight  singleflight.Group

	mu    sync.Mutex
	known []jose.JSONWebKey
}

// VerifySignature implements oidc.KeySet. An error wraps another one if it cannot tell whether the signature
// is good: the keys could not be fetched, or an old set stands in for one that may well have the key.
func (k *issuerKeys) VerifySignature(ctx context.Context, raw string) ([]byte, error) {
	token, err := jose.ParseSignedCompact(raw, algorithms)
	if err != nil {
		return nil, errors.New("the token is no signed one")
	}
	if payload, ok := payloadOf(token, k.current()); ok {
		return payload, nil
	}
	fetched, err := k.fetch(ctx)
	if err != nil {
		return nil, fmt.Errorf("fetch the keys: %w", err)
	}
	if payload, ok := payloadOf(token, fetched); ok {
		return payload, nil
	}
	if failure := k.failure(); failure != nil {
		return nil, fmt.Errorf("no known key verifies the signature, and the keys could not be refreshed: %w", failure)
	}
	return nil, errors.New("no key of the issuer verifies the signature")
}

func (k *issuerKeys) current() []jose.JSONWebKey {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.known
}

// fetch asks the issuer. All who wait share a request; the first one's cancellation fails nobody else.
func (k *issuerKeys) fetch(ctx context.Context) ([]jose.JSONWebKey, error) {
	fetched := k.flight.DoChan("", func() (any, error) {
		keys, err := k.request(context.WithoutCancel(ctx))
		if err == nil {
			k.mu.Lock()
			k.known = keys
			k.mu.Unlock()
		}
		return keys, err
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-fetched:
		if r.Err != nil {
			return nil, r.Err
		}
		return r.Val.([]jose.JSONWebKey), nil
	}
}

func (k *issuerKeys) request(ctx context.Context) ([]jose.JSONWebKey, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, k.url, nil)
	if err != nil {
		return nil, err
	}
	response, err := k.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %s", response.Status)
	}
	var set struct{ Keys []json.RawMessage }
	if err := json.NewDecoder(io.LimitReader(response.Body, maxDocument)).Decode(&set); err != nil {
		return nil, err
	}
	var keys []jose.JSONWebKey
	for _, text := range set.Keys {
		var key jose.JSONWebKey
		if json.Unmarshal(text, &key) == nil && key.IsPublic() { // others are of algorithms that are not used here
			keys = append(keys, key)
		}
	}
	return keys, nil
}

// payloadOf is the payload of the token if one of the keys verifies it: of the key id that it names, if any.
func payloadOf(token *jose.JSONWebSignature, keys []jose.JSONWebKey) ([]byte, bool) {
	if len(token.Signatures) != 1 {
		return nil, false
	}
	id := token.Signatures[0].Header.KeyID
	for _, key := range keys {
		if id != "" && key.KeyID != id {
			continue
		}
		if payload, err := token.Verify(key); err == nil {
			return payload, true
		}
	}
	return nil, false
}
