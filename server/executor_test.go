package server

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/server/limits"
)

func TestSchemaThatLeaksIsNotServed(t *testing.T) {
	for schema, refused := range map[string]string{
		`type Query { asset: String @layer(is: IDENTITY) }`: "",
		`type Query { asset: String }`:                      "Query.asset states no layer",
		`type Query { rows: String @layer(is: ITEMIZED) }`:  "Query.rows is itemized",
	} {
		parsed := gqlparser.MustLoadSchema(&ast.Source{Input: `
			enum Layer { IDENTITY AGGREGATE ITEMIZED CALLER }
			directive @layer(is: Layer!) on FIELD_DEFINITION` + "\n" + schema})
		srv, err := serveSchema(Deps{Limits: limits.Default(), Log: slog.New(slog.DiscardHandler)}, gql.NewExecutableSchema(gql.Config{Schema: parsed}))
		if refused == "" {
			require.NoError(t, err)
			assert.NotNil(t, srv)
			continue
		}
		assert.ErrorContains(t, err, refused)
	}
}

func TestWhatAGatewayNeeds(t *testing.T) {
	_, err := New(Deps{})
	assert.ErrorContains(t, err, "Store, Verifier and Policy")
}
