package authn_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/server/authn"
	"github.com/strata-gateway/strata/server/authn/authntest"
)

func TestKeysOfOtherKindsAreNoMatter(t *testing.T) {
	issuer := authntest.NewIssuer(t)
	published, err := json.Marshal(jose.JSONWebKey{Key: issuer.PublicKey()})
	require.NoError(t, err)
	set := `{"keys": [{"kty": "EC", "crv": "secp256k1", "x": "AA", "y": "AA", "alg": "ES256K"}, {"kty": "oct", "k": "c2VjcmV0"}, {}, 7, ` + string(published) + `]}`
	server := provider(t, func(self string) string { return `{"issuer":"` + self + `","jwks_uri":"` + self + `/keys"}` },
		func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(set)) })
	verifier, err := authn.NewOIDC(authn.OIDCConfig{Issuer: server.URL, Audiences: []string{authntest.Audience}})
	require.NoError(t, err)
	_, err = verifier.Verify(t.Context(), issuer.TokenWithKeyID("", map[string]any{"iss": server.URL}))
	require.NoError(t, err)
	_, err = verifier.Verify(t.Context(), issuer.TokenWithKeyID("unpublished", map[string]any{"iss": server.URL}))
	assertRefused(t, err, "bad signature")
}
