package neo4jd

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNotWritableByRights(t *testing.T) {
	c := config(t)
	if os.Geteuid() == 0 {
		beNobody(t)
	} else {
		require.NoError(t, os.Chmod(filepath.Dir(c.Home), 0o500))
	}
	refuse(t, c, ErrNotWritable, c.Home, "permission denied", "--data")
}

// beNobody takes root's rights over files from this goroutine until the test ends:
// root may write everywhere.
func beNobody(t *testing.T) {
	t.Helper()
	const nobody = 65534
	runtime.LockOSThread()
	require.NoError(t, syscall.Setfsuid(nobody))
	t.Cleanup(func() {
		require.NoError(t, syscall.Setfsuid(0))
		runtime.UnlockOSThread()
	})
}
