// Package authntest is an OpenID Connect issuer for tests: a real HTTP server
// with a discovery document and a key set, which signs whatever claims a test
// asks for. It listens on loopback and ends with the test.
package authntest

import (
	"crypto"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// Audience is the aud claim of the tokens, unless a test overrides it.
const Audience = "strata-test"

// Issuer is a running issuer. Its methods are safe for concurrent use.
type Issuer struct {
	// URL is the issuer URL, and the iss claim of the tokens.
	URL string
	// Now is the clock of iat and exp; set it before the first token.
	Now func() time.Time

	t testing.TB

	mu      sync.Mutex
	key     jose.JSONWebKey
	made    int // keys so far, which number their ids
	fetches int
	down    bool
}

// NewIssuer starts an issuer that signs with ES256.
func NewIssuer(t testing.TB) *Issuer {
	t.Helper()
	i := &Issuer{t: t, Now: time.Now}
	i.RotateTo(jose.ES256)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", i.serve(func() any {
		return map[string]any{"issuer": i.URL, "jwks_uri": i.URL + "/keys"}
	}))
	mux.HandleFunc("GET /keys", i.serve(i.publish))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	i.URL = server.URL
	return i
}

// Rotate replaces the key by a new one of the same algorithm. The old one is no
// longer published.
func (i *Issuer) Rotate() {
	i.t.Helper()
	i.RotateTo(jose.SignatureAlgorithm(i.signingKey().Algorithm))
}

// RotateTo replaces the key by a new one for RS256, ES256 or EdDSA.
func (i *Issuer) RotateTo(alg jose.SignatureAlgorithm) {
	i.t.Helper()
	private := newPrivateKey(i.t, alg)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.made++
	i.key = jose.JSONWebKey{
		Key:       private,
		KeyID:     "key-" + strconv.Itoa(i.made),
		Algorithm: string(alg),
		Use:       "sig",
	}
}

// Token signs claims over defaults that make a good token: iss, aud, sub, email,
// email_verified, iat, and exp in five minutes. A nil value removes a default.
func (i *Issuer) Token(claims map[string]any) string {
	i.t.Helper()
	return i.TokenWithKeyID(i.signingKey().KeyID, claims)
}

// TokenWithKeyID is Token with any kid header, whatever key that is.
func (i *Issuer) TokenWithKeyID(kid string, claims map[string]any) string {
	i.t.Helper()
	now := i.Now()
	all := map[string]any{
		"iss":            i.URL,
		"aud":            Audience,
		"sub":            "member",
		"email":          "member@demo.test",
		"email_verified": true,
		"iat":            now.Unix(),
		"exp":            now.Add(5 * time.Minute).Unix(),
	}
	for name, value := range claims {
		if value == nil {
			delete(all, name)
			continue
		}
		all[name] = value
	}
	key := i.signingKey()
	key.KeyID = kid
	return Sign(i.t, jose.SigningKey{Algorithm: jose.SignatureAlgorithm(key.Algorithm), Key: key}, all)
}

// PublicKey returns the key that verifies the tokens.
func (i *Issuer) PublicKey() crypto.PublicKey {
	key := i.signingKey()
	return key.Public().Key
}

// Fetches tells how often the key set was fetched.
func (i *Issuer) Fetches() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.fetches
}

// SetDown makes the issuer answer 503 to everything, or ends that.
func (i *Issuer) SetDown(down bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.down = down
}

// Sign returns a token with any claims and any key.
func Sign(t testing.TB, key jose.SigningKey, claims map[string]any) string {
	t.Helper()
	signer, err := jose.NewSigner(key, new(jose.SignerOptions).WithType("JWT"))
	if err != nil {
		t.Fatalf("signer: %v", err)
	}
	token, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		t.Fatalf("sign: %v", err)
	}
	return token
}

func (i *Issuer) signingKey() jose.JSONWebKey {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.key
}

func (i *Issuer) publish() any {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.fetches++
	return jose.JSONWebKeySet{Keys: []jose.JSONWebKey{i.key.Public()}}
}

func (i *Issuer) serve(document func() any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		i.mu.Lock()
		down := i.down
		i.mu.Unlock()
		if down {
			http.Error(w, "down for the test", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(document()); err != nil {
			i.t.Errorf("issuer: %v", err)
		}
	}
}
