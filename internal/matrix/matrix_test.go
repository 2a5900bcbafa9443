package matrix

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/internal/mutants"
)

func TestThePageIsWhatTheRulesSay(t *testing.T) {
	page, err := os.ReadFile("../../docs/permissions.md")
	require.NoError(t, err)
	assert.Equal(t, Page(), string(page), "run `make generate`")
}

// TestEveryRuleIsOnThePage finds the rules in the code, so that a new one cannot be left out.
func TestEveryRuleIsOnThePage(t *testing.T) {
	shown := map[string]bool{}
	for _, a := range Actions() {
		shown[a.Rule+" allows everyone"] = true
	}
	rules, err := mutants.Rules("../..")
	require.NoError(t, err)
	require.NotEmpty(t, rules)
	for _, r := range rules {
		assert.True(t, shown[r.Name], "%s: no action shows the rule", r.Name)
		delete(shown, r.Name)
	}
	assert.Empty(t, shown, "shown, but not a rule")
}
