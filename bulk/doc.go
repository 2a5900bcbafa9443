// Package bulk writes a large list of an answer at once. gqlgen gives each element of a list a goroutine,
// each field of it a context, a chain of directives and a writer of its own: for the nodes and edges of a
// lineage graph that takes longer than reading them (docs/benchmarks.md). A list whose field has @bulk is
// planned once instead, one column for each selected field, and then written element by element.
//
// It passes by everything that gqlgen does for a field, so a plan is made of fields alone that need none
// of it: their layer is IDENTITY or AGGREGATE, they have no gate and no arguments, and a table says how
// they are written. A selection with anything else in it is left to gqlgen as a whole. Both ways give the
// same bytes (TestBulkWritesWhatTheExecutorWrites).
package bulk
