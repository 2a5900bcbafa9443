// Package graph is the store: the connection to Neo4j, transactions, migrations, all Cypher and the
// domain types that it reads and writes. Nothing else of the product imports the Neo4j driver.
//
// Every statement about a workspace carries one condition, the workspace-and-class condition, which
// is written in one place (statement.go) and added by the functions that run statements: a statement
// without it does not run. What a caller may see of suites is a second shared condition, the ladder.
// Functions that read identity or aggregates take an [Audience]; those that read itemized data take a
// [Scope]. Both are made only in package authz. Functions that write take a rule, and ask it about the
// facts that they read inside the transaction, before the first write.
package graph
