package server_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
	"github.com/strata-gateway/strata/internal/teststack"
)

// TestAClientThatLeavesTakesItsTransactionAlong: a change that waits for a lock ends with its client.
func TestAClientThatLeavesTakesItsTransactionAlong(t *testing.T) {
	w := testkit.NewWorld(t)
	g := testkit.NewGateway(t, w)
	admin := w.Member(graph.RoleAdmin)
	d := w.Datasource(admin, "warehouse", graph.Viewer)
	a := w.Asset(admin, d, "orders")

	uri, user, password := teststack.Neo4j(t)
	driver, err := neo4j.NewDriverWithContext(uri, neo4j.BasicAuth(user, password, ""))
	require.NoError(t, err)
	t.Cleanup(func() { _ = driver.Close(context.WithoutCancel(t.Context())) })
	session := driver.NewSession(t.Context(), neo4j.SessionConfig{})
	holder, err := session.BeginTransaction(t.Context())
	require.NoError(t, err)
	defer func() { _ = session.Close(t.Context()) }()
	_, err = holder.Run(t.Context(), `MATCH (a:Asset {id: $id}) SET a.id = a.id`, map[string]any{"id": a.ID})
	require.NoError(t, err)
	waiting := func() bool {
		result, err := neo4j.ExecuteQuery(t.Context(), driver, `SHOW TRANSACTIONS YIELD parameters, metaData
			WHERE parameters.id = $id AND metaData.strata IS NOT NULL RETURN count(*)`, map[string]any{"id": a.ID}, neo4j.EagerResultTransformer)
		require.NoError(t, err)
		return result.Records[0].Values[0].(int64) > 0
	}

	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	body := fmt.Sprintf(`{"query":"mutation { updateAsset(input: {id: \"%s\", tags: [\"late\"]}) { asset { tags } } }"}`, a.ID)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, g.URL+"/graphql", strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+g.Token(admin.Email))
	request.Header.Set("Content-Type", "application/json")
	left := make(chan error, 1)
	go func() {
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			_ = response.Body.Close()
		}
		left <- err
	}()
	require.Eventually(t, waiting, time.Minute, 10*time.Millisecond)
	leave()
	require.ErrorIs(t, <-left, context.Canceled)
	require.Eventually(t, func() bool { return !waiting() }, 10*time.Second, 10*time.Millisecond)
	require.NoError(t, holder.Commit(t.Context()))
	assert.Empty(t, w.AssetNamed(admin, d, "orders").Tags)
}
