package neo4jd

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func claim(t *testing.T, c Config) *home {
	t.Helper()
	h, err := claimHome(context.Background(), c)
	require.NoError(t, err)
	t.Cleanup(h.release)
	return h
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Mode().Perm()
}

func TestPasswordIsRandomAndPrivate(t *testing.T) {
	one, other := config(t), config(t)
	first := claim(t, one)
	assert.Regexp(t, "^[0-9a-f]{64}$", first.password)
	assert.NotEqual(t, first.password, claim(t, other).password)

	path := filepath.Join(one.Home, passwordFile)
	assert.Equal(t, fs.FileMode(0o600), mode(t, path))

	// A copy of the folder may have lost the mode, not the password.
	first.release()
	require.NoError(t, os.Chmod(path, 0o644))
	assert.Equal(t, first.password, claim(t, one).password)
	assert.Equal(t, fs.FileMode(0o600), mode(t, path))
}

func TestDataFolderIsPrivate(t *testing.T) {
	c := config(t)
	require.NoError(t, os.MkdirAll(c.Home, 0o755))
	claim(t, c)
	assert.Equal(t, fs.FileMode(0o700), mode(t, c.Home))
}

func TestPasswordLost(t *testing.T) {
	c := config(t)
	claim(t, c).release()
	store := filepath.Join(c.Home, systemStore)
	require.NoError(t, os.MkdirAll(filepath.Dir(store), 0o755))
	require.NoError(t, os.WriteFile(store, nil, 0o644))
	claim(t, c).release()

	require.NoError(t, os.Remove(filepath.Join(c.Home, passwordFile)))
	refuse(t, c, ErrPasswordLost, "Restore")
	assert.NoFileExists(t, filepath.Join(c.Home, passwordFile), "a new password would not open the store")
}

func TestSettingsAreWrittenAnewWithPortOnce(t *testing.T) {
	c := config(t)
	c.Port, c.HeapMB = 17687, 1024
	require.NoError(t, os.MkdirAll(c.Home, 0o755))
	path := filepath.Join(c.Home, settingsFile)
	require.NoError(t, os.WriteFile(path, []byte("server.http.enabled=true\n"), 0o644))
	claim(t, c)
	settings, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.NotContains(t, string(settings), "server.http.enabled=true")
	assert.Contains(t, string(settings), "\nserver.bolt.listen_address=127.0.0.1:17687\n")
	assert.NotContains(t, string(settings), "127.0.0.1:0")
	assert.Contains(t, string(settings), "\nserver.memory.pagecache.size=256m\n")
	assert.Contains(t, string(settings), "\nserver.bolt.connection_keep_alive_for_requests=OFF\n")
}

func TestNotWritableIsAFile(t *testing.T) {
	c := config(t)
	require.NoError(t, os.WriteFile(c.Home, nil, 0o644))
	refuse(t, c, ErrNotWritable, c.Home, "--data")
}

func TestChildGetsNoSecretsByEnvironment(t *testing.T) {
	got := childEnvironment([]string{"PATH=/bin", "STRATA_TOKEN=secret", "JAVA_HOME=/j", "REDIS_PASSWORD=secret"})
	assert.Equal(t, []string{"PATH=/bin", "JAVA_HOME=/j"}, got)
}
