package graph_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/strata-gateway/strata/graph"
)

func TestNoCredentialsAreKeptInNames(t *testing.T) {
	for system, want := range map[string]string{
		"dbt": "dbt", "external": "external", "s3://lake": "s3://lake", "postgres://db.example.test:5432": "postgres://db.example.test:5432",
		"postgres://me:secret@db.example.test:5432": "postgres://db.example.test:5432", "postgres://me@db.example.test": "postgres://db.example.test",
		"postgres://me:p@ss@db.example.test/shop": "postgres://db.example.test/shop", "jdbc:postgresql://db/shop?user=me&password=secret": "jdbc:postgresql://db/shop",
		"me:secret@elsewhere": "me:secret@elsewhere", "file:///data/a@b": "file:///data/a@b", "://": "://", "": "",
	} {
		assert.Equal(t, want, graph.WithoutCredentials(system), system)
	}
}
