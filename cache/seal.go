package cache

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"
)

var errUnsealed = errors.New("cache: what Redis holds was not written by a gateway of this store")

// seal encrypts and authenticates what leaves this process.
//
// SECURITY: who can read Redis learns no name of an asset, and who can write to it cannot have anything be answered
// (TestWhatAnotherWroteToRedisIsNotAnswered).
type seal struct{ aead cipher.AEAD }

func newSeal(secret []byte) (seal, error) {
	key, err := derive(secret, "strata cache: what is kept")
	if err != nil {
		return seal{}, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return seal{}, err
	}
	aead, err := cipher.NewGCM(block)
	return seal{aead: aead}, err
}

// derive is the key of one purpose. The secret may serve others elsewhere.
func derive(secret []byte, purpose string) ([]byte, error) {
	return hkdf.Key(sha256.New, secret, nil, purpose, 32)
}

// close seals a text under the id that it is kept under.
func (s seal) close(id string, text []byte) []byte {
	nonce := make([]byte, s.aead.NonceSize(), s.aead.NonceSize()+len(text)+s.aead.Overhead())
	_, _ = rand.Read(nonce) // never fails
	return s.aead.Seal(nonce, nonce, text, []byte(id))
}

// open returns the text that was sealed under an id.
func (s seal) open(id string, sealed []byte) ([]byte, error) {
	if len(sealed) < s.aead.NonceSize() {
		return nil, errUnsealed
	}
	text, err := s.aead.Open(nil, sealed[:s.aead.NonceSize()], sealed[s.aead.NonceSize():], []byte(id))
	if err != nil {
		return nil, errUnsealed
	}
	return text, nil
}
