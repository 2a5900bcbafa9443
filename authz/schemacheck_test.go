package authz

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// schemaOf loads the contract of the product, and more.
func schemaOf(t *testing.T, more string) *ast.Schema {
	t.Helper()
	files, err := filepath.Glob("../schema/*.graphqls")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var sources []*ast.Source
	for _, f := range files {
		b, err := os.ReadFile(f)
		require.NoError(t, err)
		sources = append(sources, &ast.Source{Name: f, Input: string(b)})
	}
	s, err := gqlparser.LoadSchema(append(sources, &ast.Source{Name: "more", Input: more})...)
	require.NoError(t, err)
	return s
}

func TestTheSchemaCannotLeakByOmission(t *testing.T) {
	require.NoError(t, CheckSchema(schemaOf(t, "")))
}

func TestCheckSchemaAcceptsAGateOnARole(t *testing.T) {
	require.NoError(t, CheckSchema(schemaOf(t, `extend type Query { secrets: [String!] @layer(is: ITEMIZED) @gate(role: ADMIN) }`)))
	require.NoError(t, CheckSchema(schemaOf(t, `extend type Asset { secrets: [String!] @layer(is: ITEMIZED) @gate(role: MANAGER) }`)))
}

func TestEveryTypeFieldAndArgumentIsDescribed(t *testing.T) {
	s := schemaOf(t, "")
	for name, def := range s.Types {
		if def.BuiltIn || strings.HasPrefix(name, "__") {
			continue
		}
		if def.Kind == ast.InputObject || def.Kind == ast.Object {
			continue // described by their fields; the types with something to say have said it
		}
		if def.Kind == ast.Interface || def.Kind == ast.Scalar {
			assert.NotEmpty(t, def.Description, name)
		}
	}
	for _, root := range []*ast.Definition{s.Query, s.Mutation} {
		for _, f := range root.Fields {
			if !strings.HasPrefix(f.Name, "__") {
				assert.NotEmpty(t, f.Description, root.Name+"."+f.Name)
			}
		}
	}
}

func TestCheckSchemaFinds(t *testing.T) {
	for _, c := range []struct{ name, schema, want string }{
		{"a field without a layer", `extend type Asset { secret: String }`, "Asset.secret states no layer"},
		{"a layer that is none", `type T { a: Int @layer(is: IDENTITY) b: Int }  extend type Query { t: T @layer(is: IDENTITY) }`, "T.b states no layer"},
		{"an itemized field without a gate", `extend type Asset { rows: String @layer(is: ITEMIZED) }`, "Asset.rows is itemized"},
		{"an itemized root without a gate", `extend type Query { rows: String @layer(is: ITEMIZED) }`, "Query.rows is itemized"},
		{"a type that an ungated field reaches too", `extend type Asset { latest: Run @layer(is: IDENTITY) }`, "Run.state is itemized, and Run can be reached without a gate"},
		{"an interface that leads around a gate", `extend type Query { anything: Node @layer(is: IDENTITY) }`, "Suite.name is itemized, and Suite can be reached without a gate"},
		{"a union that leads around a gate", `union U = Run | Asset  extend type Query { u: U @layer(is: IDENTITY) }`, "Run.state is itemized"},
		{"a gated field that is not nullable", `extend type Asset { mine: [Suite!]! @layer(is: ITEMIZED) @gate(suite: VIEW) }`, "Asset.mine is gated and must be nullable"},
		{"a gate that asks for nothing", `extend type Asset { mine: [Suite!] @layer(is: ITEMIZED) @gate }`, "Asset.mine has a gate that asks for nothing"},
		{"a gate that asks for a role and a level", `extend type Asset { mine: [Suite!] @layer(is: ITEMIZED) @gate(suite: VIEW, role: ADMIN) }`, "Asset.mine has a gate that nothing decides"},
		{"a gate on a team permission and a level", `extend type Asset { mine: [Suite!] @layer(is: ITEMIZED) @gate(datasource: VIEWER, suite: VIEW) }`, "Asset.mine has a gate that nothing decides"},
		{"a gate on rows", `extend type Asset { mine: [Suite!] @layer(is: ITEMIZED) @gate(suite: VIEW, rows: true) }`, "Asset.mine has a gate that nothing decides"},
		{"a root gated by no datasource", `extend type Query { q(d: ID!): Int @layer(is: ITEMIZED) @gate(datasource: VIEWER) }`, "Query.q has a gate on a datasource that names none"},
		{"a root gated by an argument that is not there", `extend type Query { q(d: ID!): Int @layer(is: ITEMIZED) @gate(datasource: VIEWER, of: ["e"]) }`, "Query.q has a gate of e, which is no argument with an id"},
		{"a root gated by a name", `extend type Query { q(d: String!): Int @layer(is: ITEMIZED) @gate(datasource: VIEWER, of: ["d"]) }`, "Query.q has a gate of d, which is no argument with an id"},
		{"a role of an argument", `extend type Query { q(d: ID!): Int @layer(is: ITEMIZED) @gate(role: ADMIN, of: ["d"]) }`, "Query.q has a gate whose arguments (of) nothing reads"},
		{"a mutation that is not nullable", `extend type Mutation { m: AssetPayload! @layer(is: ITEMIZED) @gate(role: ADMIN) }`, "Mutation.m is a mutation and must be nullable"},
		{"a mutation without a gate", `extend type Mutation { m: AssetPayload @layer(is: IDENTITY) }`, "Mutation.m is a mutation without a gate"},
		{"a viewer's value below an aggregate", `extend type Verdict { mine: Int @layer(is: CALLER) }`, "Asset.verdict is an aggregate, but Verdict.mine below it is CALLER"},
		{"a filter that is an oracle", `extend input AssetFilter { suiteName: String @reads(layer: ITEMIZED) }`, "Query.assets is IDENTITY, but its argument filter reads itemized data"},
		{"an order that is an oracle", `extend enum AssetOrderField { FAILING_ROWS @reads(layer: ITEMIZED) }`, "Query.assets is IDENTITY, but its argument orderBy reads itemized data"},
		{"an argument that is an oracle", `extend type Query { q(owner: ID @reads(layer: ITEMIZED)): [Asset!]! @layer(is: IDENTITY) }`, "Query.q is IDENTITY, but its argument owner reads itemized data"},
		{"an aggregate by the caller's rights", `extend type Query { q(mine: ID @reads(layer: CALLER)): Int @layer(is: AGGREGATE) }`, "Query.q is AGGREGATE, but its argument mine reads the caller's own rights"},
		{"a directive on an interface's field", `interface I { a: Int @layer(is: IDENTITY) }`, "I.a has a directive, which never runs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := CheckSchema(schemaOf(t, c.schema))
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.want)
		})
	}
}
