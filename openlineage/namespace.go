package openlineage

import (
	"slices"
	"strings"

	"github.com/strata-gateway/strata/graph"
)

// scheme is how namespaces of a kind of datasource begin, and the port that they may leave out.
type scheme struct{ name, port string }

// schemeOf is the scheme of a kind; "" for one whose namespaces only its datasource can state.
func schemeOf(k graph.DatasourceKind) scheme {
	return map[graph.DatasourceKind]scheme{
		"POSTGRESQL": {"postgres", "5432"}, "MYSQL": {"mysql", "3306"}, "SNOWFLAKE": {"snowflake", ""}, "BIGQUERY": {"bigquery", ""},
		"REDSHIFT": {"redshift", "5439"}, "DATABRICKS": {"databricks", ""}, "DUCKDB": {"duckdb", ""}, "S3": {"s3", ""}, "GCS": {"gs", ""},
		"KAFKA": {"kafka", "9092"}, "FILE": {"file", ""},
	}[k]
}

// Means reports whether a namespace means a datasource: one that it states itself, or the one that follows
// from its kind and host. The host's case and a default port make no difference.
func Means(namespace string, d *graph.Datasource) bool {
	n := canonical(namespace, "")
	if slices.ContainsFunc(d.Namespaces, func(stated string) bool { return canonical(stated, "") == n }) {
		return true
	}
	s := schemeOf(d.Kind)
	if s.name == "" {
		return false
	}
	host := ""
	if d.Host != nil {
		host = *d.Host
	}
	return canonical(namespace, s.port) == canonical(s.name+"://"+host, s.port)
}

// canonical is a namespace with its scheme and host in lower case, without a default port or slashes at the
// end. The three schemes of S3 are one, and so are the two of PostgreSQL.
func canonical(namespace, port string) string {
	name, rest, found := strings.Cut(namespace, "://")
	name = strings.ToLower(name)
	if same, ok := map[string]string{"s3a": "s3", "s3n": "s3", "postgresql": "postgres"}[name]; ok {
		name = same
	}
	if !found {
		return name // a namespace that is a scheme alone, as BigQuery's
	}
	authority, path, _ := strings.Cut(rest, "/")
	if port != "" {
		authority = strings.TrimSuffix(authority, ":"+port)
	}
	return strings.TrimRight(name+"://"+strings.ToLower(authority)+"/"+path, "/:")
}

// Spellings are the ways in which a datasource of a kind may have catalogued a dataset's name, the likeliest
// first: as it is, and as the kind folds names that nobody quoted. A slash before a path is left out.
func Spellings(name string, k graph.DatasourceKind) []string {
	out := []string{name}
	switch k {
	case "SNOWFLAKE":
		out = append(out, strings.ToUpper(name))
	case "POSTGRESQL", "REDSHIFT", "DATABRICKS", "DUCKDB":
		out = append(out, strings.ToLower(name))
	case "S3", "GCS", "FILE":
		out = append(out, strings.Trim(name, "/"), "/"+strings.Trim(name, "/"))
	}
	slices.Sort(out[1:])
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(s string) bool {
		before := seen[s]
		seen[s] = true
		return before || s == ""
	})
}
