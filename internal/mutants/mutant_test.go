package mutants

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../.."

// TestEveryMutantFitsTheCode holds the list to the code that it breaks, without breaking it.
func TestEveryMutantFitsTheCode(t *testing.T) {
	rules, err := Rules(root)
	require.NoError(t, err)
	names := map[string]bool{}
	for _, m := range append(rules, Written()...) {
		assert.False(t, names[m.Name], "%s is listed twice", m.Name)
		names[m.Name] = true
		path, err := m.Write(root, t.TempDir())
		require.NoError(t, err)
		broken, err := os.ReadFile(path)
		require.NoError(t, err)
		good, err := os.ReadFile(filepath.Join(root, m.File))
		require.NoError(t, err)
		assert.NotEqual(t, string(good), string(broken), m.Name)
	}
	assert.True(t, names["ShareSuite allows everyone"], "rules are found in package authz")
}

func TestAMutantThatFitsNowhereIsAnError(t *testing.T) {
	_, err := Mutant{Name: "gone", File: "authz/ladder.go", From: "no such text", To: ""}.Write(root, t.TempDir())
	assert.ErrorContains(t, err, "0 times")
}
