package authn

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

const (
	// LocalIssuer is the iss claim of tokens minted with a LocalKey.
	LocalIssuer = "strata-local"
	// LocalAudience is their aud claim.
	LocalAudience = "strata"
)

// LocalKey signs and verifies tokens of an embedded gateway. Whoever can read
// its file can be anyone there, as they could by opening the database itself.
type LocalKey struct {
	private ed25519.PrivateKey
}

// Mint returns a token for email that expires ttl after now.
func (k *LocalKey) Mint(email string, ttl time.Duration, now time.Time) (string, error) {
	email = NormalizeEmail(email)
	if email == "" {
		return "", errors.New("a token needs an e-mail address")
	}
	if ttl <= 0 {
		return "", fmt.Errorf("a token cannot be valid for %s: give a positive duration", ttl)
	}
	signer, err := jose.NewSigner(
		jose.SigningKey{Algorithm: jose.EdDSA, Key: k.private},
		new(jose.SignerOptions).WithType("JWT"),
	)
	if err != nil {
		return "", fmt.Errorf("sign with the local key: %w", err)
	}
	token, err := jwt.Signed(signer).Claims(jwt.Claims{
		Issuer:   LocalIssuer,
		Subject:  email,
		Audience: jwt.Audience{LocalAudience},
		IssuedAt: jwt.NewNumericDate(now),
		Expiry:   jwt.NewNumericDate(now.Add(ttl)),
		ID:       rand.Text(),
	}).Claims(map[string]any{
		"email":          email,
		"email_verified": true,
	}).Serialize()
	if err != nil {
		return "", fmt.Errorf("sign with the local key: %w", err)
	}
	return token, nil
}

// Verifier returns a verifier of the tokens that k mints. A nil now is the
// clock of the machine.
func (k *LocalKey) Verifier(now func() time.Time) Issued {
	if now == nil {
		now = time.Now
	}
	return &localVerifier{
		keys: &oidc.StaticKeySet{PublicKeys: []crypto.PublicKey{k.private.Public()}},
		policy: policy{
			issuer:     LocalIssuer,
			audiences:  []string{LocalAudience},
			algorithms: []jose.SignatureAlgorithm{jose.EdDSA},
			now:        now,
		},
	}
}

type localVerifier struct {
	keys   oidc.KeySet
	policy policy
}

func (v *localVerifier) Issuer() string { return v.policy.issuer }

func (v *localVerifier) Verify(ctx context.Context, rawToken string) (Identity, error) {
	if err := v.policy.requireIssuer(rawToken); err != nil {
		return Identity{}, err
	}
	return v.policy.verify(ctx, rawToken, v.keys)
}
