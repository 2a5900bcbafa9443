package authn_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/server/authn"
)

// verifierFunc is a Verifier that a test writes in place.
type verifierFunc func(raw string) (authn.Identity, error)

func (f verifierFunc) Verify(_ context.Context, raw string) (authn.Identity, error) { return f(raw) }

func TestMiddleware(t *testing.T) {
	const plain, invalid = `Bearer realm="strata"`, `Bearer realm="strata", error="invalid_token"`
	knows := verifierFunc(func(raw string) (authn.Identity, error) {
		switch raw {
		case "good":
			return authn.Identity{Email: "member@demo.test"}, nil
		case "unsure":
			return authn.Identity{}, fault.New(fault.CodeUnavailable, "Try again shortly.")
		default:
			return authn.Identity{}, fault.New(fault.CodeUnauthenticated, "no")
		}
	})
	tests := []struct {
		name      string
		headers   []string
		code      fault.Code // "" if let through
		challenge string
	}{
		{"good", []string{"Bearer good"}, "", ""},
		{"scheme without case", []string{"bEARER good"}, "", ""},
		{"more spaces", []string{"  Bearer   good "}, "", ""},
		{"none", nil, fault.CodeUnauthenticated, plain},
		{"empty", []string{""}, fault.CodeUnauthenticated, invalid},
		{"scheme only", []string{"Bearer"}, fault.CodeUnauthenticated, invalid},
		{"scheme and a space", []string{"Bearer "}, fault.CodeUnauthenticated, invalid},
		{"token only", []string{"good"}, fault.CodeUnauthenticated, invalid},
		{"another scheme", []string{"Basic good"}, fault.CodeUnauthenticated, invalid},
		{"two tokens", []string{"Bearer good good"}, fault.CodeUnauthenticated, invalid},
		{"two joined headers", []string{"Bearer good,Bearer good"}, fault.CodeUnauthenticated, invalid},
		{"two headers", []string{"Bearer good", "Bearer good"}, fault.CodeUnauthenticated, invalid},
		{"refused", []string{"Bearer bad"}, fault.CodeUnauthenticated, invalid},
		{"cannot tell", []string{"Bearer unsure"}, fault.CodeUnavailable, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var passed bool
			var refusal error
			next := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				id, ok := authn.From(r.Context())
				assert.True(t, ok)
				assert.Equal(t, "member@demo.test", id.Email)
				passed = true
			})
			onError := func(_ http.ResponseWriter, _ *http.Request, err error) { refusal = err }
			r := httptest.NewRequest(http.MethodPost, "/graphql", nil)
			for _, h := range tt.headers {
				r.Header.Add("Authorization", h)
			}
			w := httptest.NewRecorder()
			authn.Middleware(knows, onError)(next).ServeHTTP(w, r)
			assert.Equal(t, tt.code == "", passed)
			assert.Equal(t, tt.code, fault.CodeOf(refusal))
			assert.Equal(t, tt.challenge, w.Header().Get("WWW-Authenticate"))
		})
	}
}

func TestMissingTokenSaysWhatToDo(t *testing.T) {
	_, err := authn.BearerToken(nil)
	message := fault.From(err).Public().Message
	assert.Contains(t, message, "Authorization: Bearer <token>")
	assert.Contains(t, message, "strata token --email")
}

func TestAnonymousContext(t *testing.T) {
	id, ok := authn.From(t.Context())
	assert.False(t, ok)
	assert.Zero(t, id)
}

func TestNormalizeEmail(t *testing.T) {
	for in, want := range map[string]string{
		"member@demo.test":      "member@demo.test",
		" Member@Demo.TEST\t\n": "member@demo.test",
		"\u212Aey@demo.test":    "\u212Aey@demo.test", // KELVIN SIGN, not a k
		"\u0130d@demo.test":     "\u0130d@demo.test",  // a dotted capital I, not an i
		"":                      "",
		"  ":                    "",
	} {
		assert.Equal(t, want, authn.NormalizeEmail(in), "%q", in)
	}
}

// FuzzAuthorizationHeader: no header gets in that was not signed, and none
// brings the gateway down.
func FuzzAuthorizationHeader(f *testing.F) {
	key, err := authn.OpenLocalKey(f.TempDir())
	require.NoError(f, err)
	stranger, err := authn.OpenLocalKey(f.TempDir())
	require.NoError(f, err)
	chain, err := authn.NewChain(key.Verifier(nil))
	require.NoError(f, err)
	forged, err := stranger.Mint("admin@demo.test", time.Hour, time.Now())
	require.NoError(f, err)
	for _, seed := range []string{
		"", "Bearer", "Bearer ", "bearer a.b.c", "Basic YTpi", "Bearer " + forged, "Bearer\t" + forged,
		"Bearer eyJhbGciOiJub25lIn0.e30.", "Bearer ..", `Bearer {"payload":"e30","signatures":[]}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		r := httptest.NewRequest(http.MethodGet, "/graphql", nil)
		r.Header["Authorization"] = []string{header}
		var refusal error
		next := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Errorf("let in: %q", header) })
		onError := func(_ http.ResponseWriter, _ *http.Request, err error) { refusal = err }
		authn.Middleware(chain, onError)(next).ServeHTTP(httptest.NewRecorder(), r)
		if fault.CodeOf(refusal) != fault.CodeUnauthenticated {
			t.Errorf("%q: %v", header, refusal)
		}
	})
}
