package authn_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/server/authn"
)

func TestChain(t *testing.T) {
	w := newWorld(t)
	key, err := authn.OpenLocalKey(t.TempDir())
	require.NoError(t, err)
	chain, err := authn.NewChain(w.verifier, key.Verifier(w.clock.now))
	require.NoError(t, err)

	got, err := chain.Verify(t.Context(), w.issuer.Token(nil))
	require.NoError(t, err)
	assert.Equal(t, w.issuer.URL, got.Issuer)

	local, err := key.Mint("member@demo.test", time.Hour, w.clock.now())
	require.NoError(t, err)
	got, err = chain.Verify(t.Context(), local)
	require.NoError(t, err)
	assert.Equal(t, authn.LocalIssuer, got.Issuer)

	tests := []struct{ name, token, says string }{
		{"unknown issuer", w.issuer.Token(map[string]any{"iss": "https://login.example.test"}), "unknown issuer"},
		{"no issuer", w.issuer.Token(map[string]any{"iss": nil}), "unknown issuer"},
		{"an issuer's key for local tokens", w.issuer.Token(map[string]any{
			"iss": authn.LocalIssuer, "aud": authn.LocalAudience}), "malformed"},
		{"algorithm none", unsigned(t, local), "malformed"},
		{"not a token", "x", "malformed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := chain.Verify(t.Context(), tt.token)
			assertRefused(t, err, tt.says)
		})
	}
}

func TestChainNeedsDifferentIssuers(t *testing.T) {
	key, err := authn.OpenLocalKey(t.TempDir())
	require.NoError(t, err)
	_, err = authn.NewChain(key.Verifier(nil), key.Verifier(nil))
	assert.ErrorContains(t, err, "strata-local")
}

func TestEmptyChainRefuses(t *testing.T) {
	chain, err := authn.NewChain()
	require.NoError(t, err)
	_, err = chain.Verify(t.Context(), newWorld(t).issuer.Token(nil))
	assertRefused(t, err, "unknown issuer")
}
