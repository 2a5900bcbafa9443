package authntest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"testing"

	"github.com/go-jose/go-jose/v4"
)

func newPrivateKey(t testing.TB, alg jose.SignatureAlgorithm) crypto.Signer {
	t.Helper()
	var key crypto.Signer
	var err error
	switch alg {
	case jose.RS256:
		key, err = rsa.GenerateKey(rand.Reader, 2048)
	case jose.ES256:
		key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	case jose.EdDSA:
		_, key, err = ed25519.GenerateKey(rand.Reader)
	default:
		err = fmt.Errorf("no key for the algorithm %s", alg)
	}
	if err != nil {
		t.Fatalf("key: %v", err)
	}
	return key
}
