// Package dbt reads the artifacts that dbt leaves in its target folder (manifest.json, catalog.json and
// run_results.json) and makes a change set of them. A relation becomes an asset, whatever its node is
// called; what is no relation, such as an ephemeral model or a metric, passes its edges through; an
// exposure becomes a consumer outside the catalog; tests become the checks of one suite for each relation,
// and their results its runs. The files are read as streams and only what is needed of a node is kept. No
// SQL is parsed, and there are no column edges: the artifacts do not have them.
package dbt
