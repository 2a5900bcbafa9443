// Package openlineage speaks the names of OpenLineage: which datasource a namespace means, and how a
// dataset's name may be spelled there (docs/lineage.md, "OpenLineage names").
package openlineage
