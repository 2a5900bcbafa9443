// Package ingest turns what other tools state about data into one common change set, and applies it. A
// reader for each tool (package dbt) makes a ChangeSet out of files, without a store at hand; Apply finds
// the datasources that its relations belong to and hands all of it to the store, which applies it in one
// transaction, under the caller's rights. Nothing here decides a right or reads a row of data.
package ingest
