package authn_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/server/authn"
)

// counted is a verifier that accepts everything until it is told not to, and
// counts.
type counted struct {
	calls   int
	refuses bool
}

func (c *counted) verify(raw string) (authn.Identity, error) {
	c.calls++
	if c.refuses {
		return authn.Identity{}, errors.New("refused")
	}
	return authn.Identity{Subject: raw}, nil
}

func TestMemory(t *testing.T) {
	w := newWorld(t)
	expiresIn := func(d time.Duration) string {
		return w.issuer.Token(map[string]any{"exp": w.clock.now().Add(d).Unix()})
	}
	tests := []struct {
		name      string
		token     string
		wait      time.Duration
		wantCalls int // of the verifier behind, for two requests wait apart
	}{
		{"again at once", expiresIn(time.Hour), 0, 1},
		{"within the minute", expiresIn(time.Hour), 59 * time.Second, 1},
		{"after the minute", expiresIn(time.Hour), time.Minute, 2},
		{"before its expiry", expiresIn(30 * time.Second), 29 * time.Second, 1},
		{"at its expiry", expiresIn(30 * time.Second), 30 * time.Second, 2},
		{"without expiry", w.issuer.Token(map[string]any{"exp": nil}), 0, 2},
		{"opaque", "opaque", 0, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newClock()
			behind := &counted{}
			memory, err := authn.Remember(verifierFunc(behind.verify), c.now)
			require.NoError(t, err)
			for range 2 {
				id, err := memory.Verify(t.Context(), tt.token)
				require.NoError(t, err)
				assert.Equal(t, tt.token, id.Subject)
				c.advance(tt.wait)
			}
			assert.Equal(t, tt.wantCalls, behind.calls)
		})
	}
}

func TestMemoryKeepsNoRefusal(t *testing.T) {
	w := newWorld(t)
	behind := &counted{refuses: true}
	memory, err := authn.Remember(verifierFunc(behind.verify), w.clock.now)
	require.NoError(t, err)
	token := w.issuer.Token(nil)
	_, err = memory.Verify(t.Context(), token)
	require.Error(t, err)

	behind.refuses = false
	_, err = memory.Verify(t.Context(), token)
	require.NoError(t, err)
	_, err = memory.Verify(t.Context(), w.issuer.Token(map[string]any{"sub": "another"}))
	require.NoError(t, err)
	assert.Equal(t, 3, behind.calls, "another token is another entry")
}

func TestMemoryEndsWithTheToken(t *testing.T) {
	w := newWorld(t)
	memory, err := authn.Remember(w.verifier, w.clock.now)
	require.NoError(t, err)
	token := w.issuer.Token(map[string]any{"exp": w.clock.now().Add(time.Second).Unix()})
	_, err = memory.Verify(t.Context(), token)
	require.NoError(t, err)
	w.clock.advance(63 * time.Second)
	_, err = memory.Verify(t.Context(), token)
	assertRefused(t, err, "has expired")
}
