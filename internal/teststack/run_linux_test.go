package teststack

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestServerThatEndsUnderCommandIsReported(t *testing.T) {
	// The script finds the server by its last argument, a folder of this test alone.
	code, err := run(t, `for p in /proc/[0-9]*; do
		if tr '\0' '\n' <$p/cmdline 2>/dev/null | grep -q "^$TMPDIR/.*/neo4j$"; then kill -KILL ${p#/proc/}; fi
	done`)
	assert.Equal(t, 0, code)
	assert.ErrorContains(t, err, "signal: killed")
}
