package dbt

import (
	"slices"
	"strings"

	"github.com/strata-gateway/strata/graph"
)

// dimension is the aspect of quality that a test measures. dbt's own tests are known; others are judged by
// the words of the template's name, or of a singular test's own, in this order: uniqueness, completeness,
// timeliness, consistency, validity. What no word tells is accuracy.
func dimension(n *node) graph.Dimension {
	name := n.Name
	if n.Test != nil && n.Test.Name != "" {
		name = n.Test.Name
	}
	switch name {
	case "not_null":
		return "COMPLETENESS"
	case "unique":
		return "UNIQUENESS"
	case "accepted_values":
		return "VALIDITY"
	case "relationships":
		return "CONSISTENCY"
	}
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r < 'a' || r > 'z' })
	for _, d := range []struct {
		is    graph.Dimension
		words []string
	}{
		{"UNIQUENESS", []string{"unique", "uniqueness", "duplicate", "duplicates", "duplicated", "distinct"}},
		{"COMPLETENESS", []string{"null", "nulls", "missing", "empty", "blank", "complete", "completeness", "least", "gaps"}},
		{"TIMELINESS", []string{"recency", "recent", "fresh", "freshness", "stale", "late", "delayed", "timely", "timeliness", "latency"}},
		{"CONSISTENCY", []string{"relationships", "relationship", "reference", "references", "referential", "foreign", "orphan", "orphans", "equal", "equality", "equals", "match", "matches", "consistent", "consistency", "reconcile", "reconciles", "balance", "balances", "agree", "agrees", "cardinality"}},
		{"VALIDITY", []string{"accepted", "valid", "validity", "invalid", "range", "between", "regex", "format", "pattern", "type", "types", "positive", "negative", "length", "lengths", "enum", "values", "future", "bounds"}},
	} {
		if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(d.words, w) }) {
			return d.is
		}
	}
	return "ACCURACY"
}
