package server_test

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
)

func TestAFileSentAsJSON(t *testing.T) {
	w := testkit.NewWorld(t)
	g := testkit.NewGateway(t, w)
	as := g.As(w.Member(graph.RoleManager).Email)
	for _, body := range []string{
		`{"query":"mutation { ingestDbt(manifest: \"{}\") { project } }"}`,
		`{"query":"mutation { ingestDbt { project } }"}`,
		`{"query":"mutation($m: Upload!) { ingestDbt(manifest: $m) { project } }","variables":{"m":"{}"}}`,
		`{"query":"mutation($m: Upload!) { ingestDbt(manifest: $m) { project } }","variables":{"m":{"metadata":{}}}}`,
		`{"query":"mutation($m: Upload!) { ingestDbt(manifest: $m) { project } }","variables":{"m":null}}`,
		`{"query":"mutation($m: Upload!) { ingestDbt(manifest: $m) { project } }"}`,
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.URL+"/graphql", bytes.NewReader([]byte(body)))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "application/json")
		answer := as.Do(request)
		answer.AssertCode(t, "BAD_USER_INPUT")
		assert.Contains(t, answer.Errors[0].Message, "Send a multipart request, in which the variable is null", body)
		assert.Contains(t, answer.Errors[0].Message, "`strata ingest dbt`", body)
	}
}
