package authn_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/server/authn"
)

func TestLocalTokens(t *testing.T) {
	c := newClock()
	key, err := authn.OpenLocalKey(t.TempDir())
	require.NoError(t, err)
	verifier := key.Verifier(c.now)

	token, err := key.Mint(" Member@demo.test", time.Hour, c.now())
	require.NoError(t, err)
	got, err := verifier.Verify(t.Context(), token)
	require.NoError(t, err)
	assert.Equal(t, authn.Identity{Issuer: "strata-local", Subject: "member@demo.test", Email: "member@demo.test"}, got)

	again, err := key.Mint("member@demo.test", time.Hour, c.now())
	require.NoError(t, err)
	assert.NotEqual(t, token, again, "each token has an id of its own")

	c.advance(time.Hour + 61*time.Second)
	_, err = verifier.Verify(t.Context(), token)
	assertRefused(t, err, "has expired")
}

func TestLocalTokenOfAnotherKey(t *testing.T) {
	ours, err := authn.OpenLocalKey(t.TempDir())
	require.NoError(t, err)
	theirs, err := authn.OpenLocalKey(t.TempDir())
	require.NoError(t, err)
	token, err := theirs.Mint("admin@demo.test", time.Hour, time.Now())
	require.NoError(t, err)
	_, err = ours.Verifier(nil).Verify(t.Context(), token)
	assertRefused(t, err, "bad signature")
}

func TestMintRefuses(t *testing.T) {
	key, err := authn.OpenLocalKey(t.TempDir())
	require.NoError(t, err)
	_, err = key.Mint("  ", time.Hour, time.Now())
	assert.ErrorContains(t, err, "e-mail")
	_, err = key.Mint("member@demo.test", 0, time.Now())
	assert.ErrorContains(t, err, "positive")
}

func TestLocalKeyIsKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "if", "missing")
	_, err := authn.LoadLocalKey(dir)
	require.ErrorIs(t, err, fs.ErrNotExist)

	first, err := authn.OpenLocalKey(dir)
	require.NoError(t, err)
	info, err := os.Stat(filepath.Join(dir, "local.key"))
	require.NoError(t, err)
	assert.Equal(t, fs.FileMode(0o600), info.Mode())

	second, err := authn.OpenLocalKey(dir)
	require.NoError(t, err)
	assertSameKey(t, first, second)
}

func TestLocalKeyIsCreatedOnce(t *testing.T) {
	dir := t.TempDir()
	keys := make([]*authn.LocalKey, 16)
	var wg sync.WaitGroup
	for n := range keys {
		wg.Go(func() {
			var err error
			keys[n], err = authn.OpenLocalKey(dir)
			assert.NoError(t, err)
		})
	}
	wg.Wait()
	for _, k := range keys[1:] {
		assertSameKey(t, keys[0], k)
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1, "no draft is left behind")
}

func TestLocalKeyPermissions(t *testing.T) {
	for _, mode := range []fs.FileMode{0o640, 0o604, 0o620, 0o601} {
		dir := t.TempDir()
		_, err := authn.OpenLocalKey(dir)
		require.NoError(t, err)
		path := filepath.Join(dir, "local.key")
		require.NoError(t, os.Chmod(path, mode))
		_, err = authn.OpenLocalKey(dir)
		assert.ErrorContains(t, err, "chmod 600 "+path)
	}
}

func TestLocalKeyMustBeAFile(t *testing.T) {
	dir := t.TempDir()
	_, err := authn.OpenLocalKey(dir)
	require.NoError(t, err)
	linked := t.TempDir()
	require.NoError(t, os.Symlink(filepath.Join(dir, "local.key"), filepath.Join(linked, "local.key")))
	_, err = authn.OpenLocalKey(linked)
	assert.ErrorContains(t, err, "not a regular file")
}

func TestLocalKeyContents(t *testing.T) {
	wrongKind, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	der, err := x509.MarshalPKCS8PrivateKey(wrongKind)
	require.NoError(t, err)
	for name, text := range map[string][]byte{
		"empty":         nil,
		"not PEM":       []byte("key"),
		"not a key":     pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("key")}),
		"another block": pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		"another kind":  pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "local.key"), text, 0o600))
			_, err := authn.OpenLocalKey(dir)
			assert.ErrorContains(t, err, "delete the file")
		})
	}
}

func assertSameKey(t *testing.T, a, b *authn.LocalKey) {
	t.Helper()
	token, err := a.Mint("member@demo.test", time.Hour, time.Now())
	require.NoError(t, err)
	_, err = b.Verifier(nil).Verify(t.Context(), token)
	assert.NoError(t, err)
}
