package ingest

import "github.com/strata-gateway/strata/graph"

// ChangeSet is all that a project states, before it is known which datasources its relations belong to.
type ChangeSet struct {
	// Project is its name as it states it, and Speaker who speaks for projects of that name, as in
	// `dbt:shop`.
	Project, Speaker string
	// Category is that of its edges.
	Category  graph.EdgeCategory
	Assets    []Asset
	Externals []graph.IngestExternal
	Edges     []graph.IngestEdge
	// SuiteName is the name of the suites, one for each asset with checks.
	SuiteName string
	Suites    []graph.IngestSuite
	// Warnings are what was left out, and why.
	Warnings []string
}

// Asset is a relation that the project names. Apply fills in its datasource.
type Asset struct {
	graph.IngestAsset
	Place Place
}

// Place is where a relation stands: what is known of its datasource.
type Place struct {
	Kind graph.DatasourceKind
	// Database and Schema are as the tool spells them, "" if it has none.
	Database, Schema string
}
