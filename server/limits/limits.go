// Package limits bounds what one GraphQL operation may ask for, before anything
// is computed for it. gqlgen's complexity limit alone does not: it lays out every
// fragment anew, so that a few hundred bytes of nested spreads keep it busy for
// seconds, and it runs after validation, where a field repeated ten thousand
// times costs ten seconds more. So here a document is measured first, in time
// linear in its text; only what is within the limits is validated, and only what
// is valid is priced.
//
// Each limit is an error of its own with the code LIMIT_EXCEEDED that names the
// limit and what was asked for. The errors carry a fault, which the error
// presenter turns into the public form.
package limits

import "fmt"

// Config holds the limits. Each is a maximum, and at least 1.
type Config struct {
	// Tokens is the number of lexical tokens of a document.
	Tokens int
	// Selections is the number of fields, spreads and inline fragments, those of
	// a fragment counted wherever it is spread, summed over all operations and
	// fragments of a document. Validation takes time in proportion to it.
	Selections int
	// Repeats is the number of fields that select what an operation has already
	// selected beside them. Validation takes time in proportion to its square.
	Repeats int
	// Depth is how many fields deep an operation goes.
	Depth int
	// Aliases is the number of fields with an alias in an operation.
	Aliases int
	// Directives is the number of directives in an operation.
	Directives int
	// RootFields is the number of fields at the top of an operation.
	RootFields int
	// Complexity is the cost of an operation: 1 for a field unless the schema
	// gives another, a list costing as many times its elements as it may return.
	Complexity int
	// Errors is the number of errors in a response.
	Errors int
	// QueryCache bounds the cache of parsed documents, in bytes of query text. A
	// parsed document takes some 20 to 150 times the memory of its text.
	QueryCache int
}

// Default returns the limits that fit the explorer and every query in the
// documentation many times over.
func Default() Config {
	return Config{
		Tokens:     10_000,
		Selections: 5_000,
		Repeats:    200,
		Depth:      15,
		Aliases:    50,
		Directives: 50,
		RootFields: 20,
		Complexity: 100_000,
		Errors:     50,
		QueryCache: 512 << 10,
	}
}

// Validate names the first limit that is less than 1.
func (c Config) Validate() error {
	for _, limit := range []struct {
		name  string
		value int
	}{
		{"tokens", c.Tokens},
		{"selections", c.Selections},
		{"repeats", c.Repeats},
		{"depth", c.Depth},
		{"aliases", c.Aliases},
		{"directives", c.Directives},
		{"root fields", c.RootFields},
		{"complexity", c.Complexity},
		{"errors", c.Errors},
		{"query cache", c.QueryCache},
	} {
		if limit.value < 1 {
			return fmt.Errorf("limit of %s is %d: it must be at least 1", limit.name, limit.value)
		}
	}
	return nil
}
