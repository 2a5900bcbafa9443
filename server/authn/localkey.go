package authn

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	localKeyFile = "local.key"
	pemType      = "PRIVATE KEY" // PKCS #8
)

// OpenLocalKey loads the key under the data folder, and makes one first if there
// is none. Processes that start together get the same key.
func OpenLocalKey(dataDir string) (*LocalKey, error) {
	key, err := LoadLocalKey(dataDir)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if err := createLocalKey(dataDir); err != nil {
		return nil, fmt.Errorf("create the local key: %w", err)
	}
	return LoadLocalKey(dataDir)
}

// LoadLocalKey loads the key under the data folder. The error is fs.ErrNotExist
// if there is none, that is, if no embedded gateway ever started there.
//
// SECURITY: a key that others may read or write is refused, and so is anything
// but a regular file. Held by TestLocalKeyPermissions.
func LoadLocalKey(dataDir string) (*LocalKey, error) {
	path := filepath.Join(dataDir, localKeyFile)
	info, err := os.Lstat(path)
	if err != nil {
		return nil, fmt.Errorf("local key: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("local key %s is not a regular file: move it away", path)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("local key %s is open to other users (mode %04o): run chmod 600 %s",
			path, info.Mode().Perm(), path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("local key: %w", err)
	}
	private, err := parseLocalKey(text)
	if err != nil {
		return nil, fmt.Errorf("local key %s: %w; delete the file to have a new key made, which ends all tokens of the old one",
			path, err)
	}
	return &LocalKey{private: private}, nil
}

func parseLocalKey(text []byte) (ed25519.PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != pemType {
		return nil, errors.New("not a PEM private key")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("not a PKCS #8 key: %w", err)
	}
	private, ok := parsed.(ed25519.PrivateKey)
	if !ok {
		return nil, errors.New("not an Ed25519 key")
	}
	return private, nil
}

// createLocalKey writes a new key beside its place and links it there, which
// fails if another process was first; that one's key then stands. So the file
// is never seen half written and never replaced.
func createLocalKey(dataDir string) (err error) {
	if err := os.MkdirAll(dataDir, 0o700); err != nil {
		return err
	}
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return err
	}
	draft, err := os.CreateTemp(dataDir, localKeyFile+".*") // mode 0600
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(draft.Name())) }()
	err = pem.Encode(draft, &pem.Block{Type: pemType, Bytes: der})
	if err == nil {
		err = draft.Sync()
	}
	if err = errors.Join(err, draft.Close()); err != nil {
		return err
	}
	err = os.Link(draft.Name(), filepath.Join(dataDir, localKeyFile))
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}
