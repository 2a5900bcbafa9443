// Package authz holds every rule about who may see and do what: roles, the suite ladder, team
// permissions, audience classes, and the directives that apply them to the schema. Rules are pure
// functions over facts that package graph loads; each decides in one place and has one table test. The
// zero value of a decision denies, and every decision carries its reason. docs/visibility.md states the
// rules.
package authz
