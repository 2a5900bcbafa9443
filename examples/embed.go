// Package examples carries the demo estate: what two small dbt projects, shop
// and finance, leave behind when real dbt builds them on DuckDB. The artifacts
// are embedded in the binary, so that a first start has an estate to show
// without dbt, a network or a warehouse. build.sh makes them anew; README.md
// describes their shape, and the tests of this package hold it to that.
package examples

import "embed"

// The files are listed one by one: a missing one fails the build.
//
//go:embed shop/artifacts/manifest.json shop/artifacts/catalog.json shop/artifacts/run_results.json
//go:embed finance/artifacts/manifest.json finance/artifacts/catalog.json finance/artifacts/run_results.json
var artifacts embed.FS

// Project is one dbt project of the estate, with its artifacts as dbt wrote
// them. Manifest and RunResults come from the same invocation of `dbt build`.
type Project struct {
	Name       string // the project's name in dbt
	Manifest   []byte // manifest.json, version 12, without dbt's built-in macros
	Catalog    []byte // catalog.json, version 1
	RunResults []byte // run_results.json, version 6
	Datasource Datasource
}

// Datasource says which datasource a project's own relations belong to. A
// manifest names no host, so whoever loads it has to be told.
type Datasource struct {
	Name     string // suggested name, unique within the estate
	Kind     string // kind of database, in the spelling of the GraphQL enum DatasourceKind
	Database string // first part of the relations' names
}

// Projects returns the projects in the order in which they load: shop first,
// since finance names the shop's marts as its sources. Each call returns fresh
// copies of the bytes.
func Projects() []Project {
	return []Project{project("shop"), project("finance")}
}

func project(name string) Project {
	return Project{
		Name:       name,
		Manifest:   artifact(name, "manifest.json"),
		Catalog:    artifact(name, "catalog.json"),
		RunResults: artifact(name, "run_results.json"),
		Datasource: Datasource{Name: name, Kind: "DUCKDB", Database: name},
	}
}

// artifact panics where a file is not embedded, which only a name that differs
// from the directives above can bring about.
func artifact(project, file string) []byte {
	content, err := artifacts.ReadFile(project + "/artifacts/" + file)
	if err != nil {
		panic(err)
	}
	return content
}
