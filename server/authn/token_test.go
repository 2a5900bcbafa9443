package authn_test

import (
	"context"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/server/authn"
	"github.com/strata-gateway/strata/server/authn/authntest"
)

// world is one issuer and a verifier that trusts it, on one clock.
type world struct {
	issuer   *authntest.Issuer
	clock    *clock
	verifier *authn.OIDC
}

func newWorld(t *testing.T) world {
	t.Helper()
	w := world{issuer: authntest.NewIssuer(t), clock: newClock()}
	w.issuer.Now = w.clock.now
	var err error
	w.verifier, err = authn.NewOIDC(authn.OIDCConfig{
		Issuer:    w.issuer.URL,
		Audiences: []string{"another", authntest.Audience},
		Now:       w.clock.now,
	})
	require.NoError(t, err)
	return w
}

func TestAcceptedTokens(t *testing.T) {
	w := newWorld(t)
	at := func(d time.Duration) int64 { return w.clock.now().Add(d).Unix() }
	tests := []struct {
		name   string
		claims map[string]any
		want   authn.Identity
	}{
		{"plain", nil,
			authn.Identity{Issuer: w.issuer.URL, Subject: "member", Email: "member@demo.test"}},
		{"e-mail is normalized, name is kept", map[string]any{"email": " Member@Demo.TEST ", "name": "Demo member"},
			authn.Identity{Issuer: w.issuer.URL, Subject: "member", Email: "member@demo.test", Name: "Demo member"}},
		{"one of several audiences", map[string]any{"aud": []string{"else", "another"}},
			authn.Identity{Issuer: w.issuer.URL, Subject: "member", Email: "member@demo.test"}},
		{"email_verified as text", map[string]any{"email_verified": "true"},
			authn.Identity{Issuer: w.issuer.URL, Subject: "member", Email: "member@demo.test"}},
		{"expired within the skew", map[string]any{"exp": at(-59 * time.Second)},
			authn.Identity{Issuer: w.issuer.URL, Subject: "member", Email: "member@demo.test"}},
		{"not yet valid within the skew", map[string]any{"nbf": at(59 * time.Second)},
			authn.Identity{Issuer: w.issuer.URL, Subject: "member", Email: "member@demo.test"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := w.verifier.Verify(t.Context(), w.issuer.Token(tt.claims))
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestAcceptedAlgorithms(t *testing.T) {
	w := newWorld(t)
	for _, alg := range []jose.SignatureAlgorithm{jose.RS256, jose.ES256, jose.EdDSA} {
		w.issuer.RotateTo(alg)
		_, err := w.verifier.Verify(t.Context(), w.issuer.Token(nil))
		assert.NoError(t, err, alg)
	}
}

func TestRefusedTokens(t *testing.T) {
	w := newWorld(t)
	at := func(d time.Duration) int64 { return w.clock.now().Add(d).Unix() }
	good := w.issuer.Token(nil)
	other := authntest.NewIssuer(t)
	other.Now = w.clock.now

	_, err := w.verifier.Verify(t.Context(), good)
	require.NoError(t, err, "the token that the others are made of")

	tests := []struct {
		name  string
		token string
		says  string
	}{
		{"expired", w.issuer.Token(map[string]any{"exp": at(-61 * time.Second)}), "has expired"},
		{"no expiry", w.issuer.Token(map[string]any{"exp": nil}), "has expired"},
		{"not yet valid", w.issuer.Token(map[string]any{"nbf": at(61 * time.Second)}), "not valid yet"},
		{"issued in the future", w.issuer.Token(map[string]any{"iat": at(61 * time.Second)}), "not valid yet"},
		{"another audience", w.issuer.Token(map[string]any{"aud": "else"}), "not for this audience"},
		{"no audience", w.issuer.Token(map[string]any{"aud": nil}), "not for this audience"},
		{"another issuer", other.Token(nil), "unknown issuer"},
		{"another issuer that claims to be ours", other.Token(map[string]any{"iss": w.issuer.URL}), "bad signature"},
		{"no issuer", w.issuer.Token(map[string]any{"iss": nil}), "unknown issuer"},
		{"unknown key id", foreignKey(t, w, "key-99"), "bad signature"},
		{"known key id, another key", foreignKey(t, w, "key-1"), "bad signature"},
		{"no subject", w.issuer.Token(map[string]any{"sub": nil}), "malformed"},
		{"no e-mail", w.issuer.Token(map[string]any{"email": nil}), "no e-mail"},
		{"blank e-mail", w.issuer.Token(map[string]any{"email": " "}), "no e-mail"},
		{"e-mail not verified", w.issuer.Token(map[string]any{"email_verified": false}), "not verified"},
		{"e-mail verification not stated", w.issuer.Token(map[string]any{"email_verified": nil}), "not verified"},
		{"e-mail verified as a number", w.issuer.Token(map[string]any{"email_verified": 1}), "not verified"},
		{"algorithm none", unsigned(t, good), "malformed"},
		{"HMAC with the public key, PEM", confused(t, w, pemOf(t, w)), "malformed"},
		{"HMAC with the public key, DER", confused(t, w, derOf(t, w)), "malformed"},
		{"claims of another type", w.issuer.Token(map[string]any{"email": 5}), "malformed"},
		{"payload replaced", replacedPayload(t, good), "bad signature"},
		{"truncated signature", good[:len(good)-10], "bad signature"},
		{"truncated payload", good[:strings.LastIndex(good, ".")-10], "malformed"},
		{"no signature", good[:strings.LastIndex(good, ".")+1], "bad signature"},
		{"one megabyte", strings.Repeat("a", 1<<20), "longer than 8 KiB"},
		{"one megabyte of claims", w.issuer.Token(map[string]any{"name": strings.Repeat("a", 1<<20)}), "longer than 8 KiB"},
		{"empty", "", "malformed"},
		{"not a token", "member@demo.test", "malformed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := w.verifier.Verify(t.Context(), tt.token)
			assert.Zero(t, got)
			assertRefused(t, err, tt.says)
		})
	}
}

func TestRefusalsKeepTheirCausePrivate(t *testing.T) {
	w := newWorld(t)
	_, err := w.verifier.Verify(t.Context(), w.issuer.Token(map[string]any{"aud": "secret-audience"}))
	out, marshalErr := json.Marshal(fault.From(err).Public())
	require.NoError(t, marshalErr)
	assert.NotContains(t, string(out), "secret-audience")
	assert.NotContains(t, string(out), authntest.Audience)
	assert.NotContains(t, string(out), "127.0.0.1")
}

func TestVerifyHeedsTheContext(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := w.verifier.Verify(ctx, w.issuer.Token(nil))
	assert.Equal(t, fault.CodeUnavailable, fault.CodeOf(err))
}

func assertRefused(t *testing.T, err error, says string) {
	t.Helper()
	require.Error(t, err)
	assert.Equal(t, fault.CodeUnauthenticated, fault.CodeOf(err))
	assert.Contains(t, fault.From(err).Public().Message, says)
}

// foreignKey is a good token but for the key, which the issuer never had.
func foreignKey(t *testing.T, w world, id string) string {
	t.Helper()
	stranger := authntest.NewIssuer(t)
	stranger.Now = w.clock.now
	return stranger.TokenWithKeyID(id, map[string]any{"iss": w.issuer.URL})
}

// unsigned is token with the algorithm none and no signature.
func unsigned(t *testing.T, token string) string {
	t.Helper()
	header := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`))
	return header + "." + strings.Split(token, ".")[1] + "."
}

// replacedPayload is token with its payload exchanged for one with more rights.
func replacedPayload(t *testing.T, token string) string {
	t.Helper()
	parts := strings.Split(token, ".")
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	require.NoError(t, err)
	payload = []byte(strings.ReplaceAll(string(payload), "member@demo.test", "admin@demo.test"))
	return parts[0] + "." + base64.RawURLEncoding.EncodeToString(payload) + "." + parts[2]
}

// confused is signed by HMAC with what everyone knows, the public key.
func confused(t *testing.T, w world, secret []byte) string {
	t.Helper()
	return authntest.Sign(t, jose.SigningKey{Algorithm: jose.HS256, Key: secret}, map[string]any{
		"iss": w.issuer.URL, "aud": authntest.Audience, "sub": "admin",
		"email": "admin@demo.test", "email_verified": true,
		"exp": w.clock.now().Add(time.Minute).Unix(),
	})
}

func derOf(t *testing.T, w world) []byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(w.issuer.PublicKey())
	require.NoError(t, err)
	return der
}

func pemOf(t *testing.T, w world) []byte {
	t.Helper()
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: derOf(t, w)})
}
