package authn

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/go-jose/go-jose/v4/jwt"
	lru "github.com/hashicorp/golang-lru/v2"
)

const (
	// rememberFor bounds how long an accepted token is not verified again.
	rememberFor = time.Minute
	// rememberAtMost bounds how many tokens are remembered, about 2 MB.
	rememberAtMost = 10_000
)

// Memory is a Verifier that does not verify again what another one accepted
// less than a minute ago: a signature costs more than the rest of a warm request.
//
// SECURITY: an entry ends no later than its token expires; refusals and tokens
// without a readable expiry (opaque ones, which can be revoked) are not kept; the
// key is a digest, so that a dump of the memory holds no token. A key that its
// issuer withdrew verifies for a minute longer. Held by TestMemory.
type Memory struct {
	verifier Verifier
	now      func() time.Time
	accepted *lru.Cache[[sha256.Size]byte, acceptance]
}

type acceptance struct {
	id    Identity
	until time.Time
}

// Remember returns a Memory in front of v. A nil now is the clock of the machine.
func Remember(v Verifier, now func() time.Time) (*Memory, error) {
	if now == nil {
		now = time.Now
	}
	accepted, err := lru.New[[sha256.Size]byte, acceptance](rememberAtMost)
	if err != nil {
		return nil, err
	}
	return &Memory{verifier: v, now: now, accepted: accepted}, nil
}

// Verify implements Verifier.
func (m *Memory) Verify(ctx context.Context, rawToken string) (Identity, error) {
	if len(rawToken) > maxToken {
		return Identity{}, refuse(msgTooLong, nil)
	}
	key := sha256.Sum256([]byte(rawToken))
	if a, ok := m.accepted.Get(key); ok && m.now().Before(a.until) {
		return a.id, nil
	}
	id, err := m.verifier.Verify(ctx, rawToken)
	if err != nil {
		return Identity{}, err
	}
	if expiry, ok := expiryOf(rawToken); ok {
		m.accepted.Add(key, acceptance{id: id, until: earlier(expiry, m.now().Add(rememberFor))})
	}
	return id, nil
}

// expiryOf reads the exp claim of a token that has been verified.
func expiryOf(verified string) (time.Time, bool) {
	token, err := jwt.ParseSigned(verified, algorithms)
	if err != nil {
		return time.Time{}, false
	}
	var c jwt.Claims
	if err := token.UnsafeClaimsWithoutVerification(&c); err != nil || c.Expiry == nil {
		return time.Time{}, false
	}
	return c.Expiry.Time(), true
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
