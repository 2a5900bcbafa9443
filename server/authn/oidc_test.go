package authn_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/server/authn"
	"github.com/strata-gateway/strata/server/authn/authntest"
)

func TestOIDCConfig(t *testing.T) {
	tests := []struct {
		name, issuer string
		audiences    []string
		says         string // "" if valid
	}{
		{"https", "https://login.example.test/realm", []string{"a"}, ""},
		{"http on loopback", "http://127.0.0.1:9000", []string{"a"}, ""},
		{"http on localhost", "http://localhost:9000", []string{"a"}, ""},
		{"http elsewhere", "http://login.example.test", []string{"a"}, "use https"},
		{"http on a host named like loopback", "http://127.0.0.1.example.test", []string{"a"}, "use https"},
		{"no scheme", "login.example.test", []string{"a"}, "no host"},
		{"empty", "", []string{"a"}, "no host"},
		{"not a URL", "https://[::1", []string{"a"}, "not a URL"},
		{"no audience", "https://login.example.test", nil, "at least one audience"},
		{"empty audience", "https://login.example.test", []string{""}, "empty audience"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := authn.NewOIDC(authn.OIDCConfig{Issuer: tt.issuer, Audiences: tt.audiences})
			if tt.says == "" {
				assert.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, tt.says)
		})
	}
}

func TestRotation(t *testing.T) {
	w := newWorld(t)
	old := w.issuer.Token(nil)
	_, err := w.verifier.Verify(t.Context(), old)
	require.NoError(t, err)

	w.issuer.Rotate()
	_, err = w.verifier.Verify(t.Context(), w.issuer.Token(nil))
	require.NoError(t, err, "the new key is found without a restart")
	_, err = w.verifier.Verify(t.Context(), old)
	assertRefused(t, err, "bad signature")
}

func TestWithdrawnKeyIsForgottenUnasked(t *testing.T) {
	w := newWorld(t)
	old := w.issuer.Token(map[string]any{"exp": w.clock.now().Add(time.Hour).Unix()})
	_, err := w.verifier.Verify(t.Context(), old)
	require.NoError(t, err)

	w.issuer.Rotate()
	w.clock.advance(10 * time.Minute)
	_, err = w.verifier.Verify(t.Context(), old)
	assertRefused(t, err, "bad signature")
}

func TestIssuerDownAtStart(t *testing.T) {
	w := newWorld(t)
	w.issuer.SetDown(true)
	_, err := w.verifier.Verify(t.Context(), w.issuer.Token(nil))
	require.Equal(t, fault.CodeUnavailable, fault.CodeOf(err))
	assert.NotContains(t, fault.From(err).Public().Message, w.issuer.URL)

	w.issuer.SetDown(false)
	_, err = w.verifier.Verify(t.Context(), w.issuer.Token(nil))
	assert.NoError(t, err, "recovers without a restart")
}

func TestIssuerNotListening(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	verifier, err := authn.NewOIDC(authn.OIDCConfig{Issuer: server.URL, Audiences: []string{"a"}})
	require.NoError(t, err, "starts while the issuer is down")
	token := authntest.NewIssuer(t).Token(map[string]any{"iss": server.URL})
	_, err = verifier.Verify(t.Context(), token)
	assert.Equal(t, fault.CodeUnavailable, fault.CodeOf(err))
}

func TestIssuerDownLater(t *testing.T) {
	w := newWorld(t)
	good := func() string { return w.issuer.Token(nil) }
	_, err := w.verifier.Verify(t.Context(), good())
	require.NoError(t, err)

	w.issuer.SetDown(true)
	w.clock.advance(30 * time.Minute)
	_, err = w.verifier.Verify(t.Context(), good())
	require.NoError(t, err, "the last key set stands in for a while")

	w.clock.advance(31 * time.Minute)
	_, err = w.verifier.Verify(t.Context(), good())
	require.Equal(t, fault.CodeUnavailable, fault.CodeOf(err), "but not for ever")

	w.issuer.SetDown(false)
	_, err = w.verifier.Verify(t.Context(), good())
	assert.NoError(t, err)
}

func TestNewKeyWhileTheIssuerIsDown(t *testing.T) {
	w := newWorld(t)
	_, err := w.verifier.Verify(t.Context(), w.issuer.Token(nil))
	require.NoError(t, err)
	w.issuer.SetDown(true)
	w.issuer.Rotate()
	_, err = w.verifier.Verify(t.Context(), w.issuer.Token(nil))
	require.Equal(t, fault.CodeUnavailable, fault.CodeOf(err), "the token may be good")

	w.issuer.SetDown(false)
	_, err = w.verifier.Verify(t.Context(), w.issuer.Token(nil))
	assert.NoError(t, err)
}

func TestMadeUpKeysDoNotFetch(t *testing.T) {
	w := newWorld(t)
	for n := range 200 {
		_, err := w.verifier.Verify(t.Context(), w.issuer.TokenWithKeyID("made-up-"+strconv.Itoa(n), nil))
		assertRefused(t, err, "bad signature")
	}
	assert.LessOrEqual(t, w.issuer.Fetches(), 5)

	w.issuer.Rotate()
	w.clock.advance(5 * time.Second)
	_, err := w.verifier.Verify(t.Context(), w.issuer.Token(nil))
	assert.NoError(t, err, "a rotation is still noticed")
}

func TestForeignTokensDoNotFetch(t *testing.T) {
	w := newWorld(t)
	for _, token := range []string{
		w.issuer.Token(map[string]any{"iss": "https://login.example.test"}),
		unsigned(t, w.issuer.Token(nil)),
		strings.Repeat("a", 1<<20),
	} {
		_, err := w.verifier.Verify(t.Context(), token)
		require.Error(t, err)
	}
	assert.Zero(t, w.issuer.Fetches())
}

// provider serves whatever discovery document and key set a test gives.
func provider(t *testing.T, discovery func(self string) string, keys http.HandlerFunc) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(discovery(server.URL)))
	})
	mux.HandleFunc("/keys", keys)
	return server
}

func TestKeysOverPlainHTTP(t *testing.T) {
	assertProviderUnusable(t, func(self string) string {
		return `{"issuer":"` + self + `","jwks_uri":"http://login.example.test/keys"}`
	}, http.NotFound)
}

func TestBrokenProviders(t *testing.T) {
	good := func(self string) string {
		return `{"issuer":"` + self + `","jwks_uri":"` + self + `/keys"}`
	}
	tests := []struct {
		name      string
		discovery func(string) string
		keys      http.HandlerFunc
	}{
		{"discovery is a page", func(string) string { return "<html>" }, http.NotFound},
		{"discovery of another issuer", func(string) string { return `{"issuer":"https://else.example.test"}` }, http.NotFound},
		{"discovery without keys", func(self string) string { return `{"issuer":"` + self + `"}` }, http.NotFound},
		{"keys not found", good, http.NotFound},
		{"keys elsewhere", good, http.RedirectHandler("https://login.example.test/keys", http.StatusFound).ServeHTTP},
		{"keys without end", good, func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 64<<10)); err != nil {
					return
				}
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assertProviderUnusable(t, tt.discovery, tt.keys)
		})
	}
}

func assertProviderUnusable(t *testing.T, discovery func(string) string, keys http.HandlerFunc) {
	t.Helper()
	server := provider(t, discovery, keys)
	verifier, err := authn.NewOIDC(authn.OIDCConfig{Issuer: server.URL, Audiences: []string{authntest.Audience}})
	require.NoError(t, err)
	_, err = verifier.Verify(t.Context(), authntest.NewIssuer(t).Token(map[string]any{"iss": server.URL}))
	assert.Equal(t, fault.CodeUnavailable, fault.CodeOf(err))
}
