package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRefusalsNameTheFlag(t *testing.T) {
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"errors": [{"message": "You are in several workspaces. Name one in the header X-Strata-Workspace: a, b."}]}`))
	}))
	t.Cleanup(gateway.Close)
	err := (&client{endpoint: gateway.URL}).send(t.Context(), strings.NewReader("{}"), "application/json", nil)
	assert.EqualError(t, err, "You are in several workspaces. Name one in --workspace: a, b.")
}
