package dbt

import "github.com/strata-gateway/strata/graph"

// adapterKind is the kind of datasource that an adapter of dbt talks to.
func adapterKind(adapter string) graph.DatasourceKind {
	switch adapter {
	case "postgres", "alloydb":
		return "POSTGRESQL"
	case "mysql", "mysql5", "mariadb":
		return "MYSQL"
	case "snowflake":
		return "SNOWFLAKE"
	case "bigquery":
		return "BIGQUERY"
	case "redshift":
		return "REDSHIFT"
	case "databricks":
		return "DATABRICKS"
	case "duckdb":
		return "DUCKDB"
	}
	return "OTHER"
}
