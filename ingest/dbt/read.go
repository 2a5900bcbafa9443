package dbt

import (
	"context"
	"io"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/ingest"
)

// Files are the artifacts of one project. Catalog and RunResults may be nil.
type Files struct {
	Manifest, Catalog, RunResults io.Reader
}

// Read makes a change set of the artifacts. Errors: BAD_USER_INPUT, whose field is `manifest`, `catalog`
// or `runResults`, for a file that is another one, damaged or of an unsupported version; LIMIT_EXCEEDED
// for files that are too large.
func Read(ctx context.Context, f Files) (ingest.ChangeSet, error) {
	left := int64(maxBytes)
	m, err := readManifest(artifact{ctx: ctx, field: "manifest", r: f.Manifest, left: &left})
	if err != nil {
		return ingest.ChangeSet{}, err
	}
	c, err := readCatalog(artifact{ctx: ctx, field: "catalog", r: f.Catalog, left: &left})
	if err != nil {
		return ingest.ChangeSet{}, err
	}
	results, err := readRunResults(artifact{ctx: ctx, field: "runResults", r: f.RunResults, left: &left})
	if err != nil {
		return ingest.ChangeSet{}, err
	}
	return build(m, c, results), nil
}

// build is the change set that the decoded artifacts state.
func build(m *manifest, c *catalog, results *runResults) ingest.ChangeSet {
	b := newBuilder(m, c)
	b.addAssets()
	b.addEdges()
	b.addSuites()
	b.addRuns(results)
	return ingest.ChangeSet{
		Project: m.project, Speaker: "dbt:" + m.project, Category: graph.EdgeDBT, Assets: b.assets, Externals: b.externals,
		Edges: b.edges, SuiteName: "dbt: " + m.project, Suites: b.suites, Warnings: b.warnings,
	}
}
