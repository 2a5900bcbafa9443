package limits_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/server/limits"
)

const sdl = `
	type Query { a(x: Int): Int  node: Node  nodes(first: Int = 1): [Node]  kind(is: Kind): Int }
	interface Node { id: ID }
	type Asset implements Node { id: ID  parent: Asset  name(x: Int): String }
	type Suite implements Node { id: ID  title: String }
	enum Kind { TABLE VIEW }
`

func loadSchema(t testing.TB) *ast.Schema {
	t.Helper()
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: sdl})
	require.NoError(t, err)
	return schema
}

func validate(t *testing.T, cfg limits.Config, query string) gqlerror.List {
	t.Helper()
	doc, err := parser.ParseQuery(&ast.Source{Input: query})
	require.NoError(t, err)
	return validator.ValidateWithRules(loadSchema(t), doc, limits.Rules(cfg)())
}

// parents is a selection set on Asset that is depth fields deep.
func parents(depth int) string {
	return strings.Repeat("{parent", depth-1) + "{id}" + strings.Repeat("}", depth-1)
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format+" ", i)
	}
	return b.String()
}

func TestEachLimit(t *testing.T) {
	tests := []struct {
		name         string
		within, over string
		says         string
	}{
		{"depth", "{node{...on Asset" + parents(14) + "}}", "{node{...on Asset" + parents(15) + "}}",
			"16 levels of fields, more than the limit of 15"},
		{"depth through fragments",
			"{node{...F}} fragment F on Asset" + parents(14),
			"{node{...F}} fragment F on Asset" + parents(15),
			"16 levels of fields"},
		{"aliases", "{node{" + numbered(50, "x%d:id") + "}}", "{node{" + numbered(51, "x%d:id") + "}}",
			"51 aliases, more than the limit of 50"},
		{"aliases through fragments",
			"{node{...F} x:node{...F}} fragment F on Node{" + numbered(24, "x%d:id") + "}",
			"{node{...F} x:node{...F}} fragment F on Node{" + numbered(25, "x%d:id") + "}",
			"51 aliases"},
		{"directives", "{a@skip(if:false) node{" + strings.Repeat("id@skip(if:false) ", 49) + "}}",
			"{a@skip(if:false) node{" + strings.Repeat("id@skip(if:false) ", 50) + "}}",
			"51 directives, more than the limit of 50"},
		{"root fields", "{" + numbered(20, "x%d:a") + "}", "{" + numbered(21, "x%d:a") + "}",
			"21 fields at the top, more than the limit of 20"},
		{"root fields through fragments",
			"{...F ...{a}} fragment F on Query{" + numbered(19, "x%d:a") + "}",
			"{...F ...{a}} fragment F on Query{" + numbered(20, "x%d:a") + "}",
			"21 fields at the top"},
		{"repeats", "{node{" + strings.Repeat("id ", 201) + "}}", "{node{" + strings.Repeat("id ", 202) + "}}",
			"201 fields that repeat one beside them, more than the limit of 200"},
		{"repeats in a fragment that nothing spreads",
			"{a ...F} fragment F on Query{node{" + strings.Repeat("id ", 201) + "}}",
			"{a} fragment F on Query{node{" + strings.Repeat("id ", 202) + "}}",
			"201 fields that repeat"},
		{"selections", "{" + spreadTimes(19, 20) + "}" + fields(10), "{" + spreadTimes(20, 25) + "}" + fields(10),
			"fields and fragments selected, more than the limit of 5000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg := limits.Default()
			if tt.name == "selections" {
				cfg.Repeats = 10_000
			}
			assert.Empty(t, validate(t, cfg, tt.within))
			errs := validate(t, cfg, tt.over)
			require.Len(t, errs, 1)
			assert.Equal(t, fault.CodeLimitExceeded, fault.CodeOf(errs[0]))
			assert.Contains(t, errs[0].Message, tt.says)
			assert.Equal(t, errs[0].Message, fault.Of(errs[0]).Public().Message)
		})
	}
}

// spreadTimes selects node n times, each with the fragment F m times.
func spreadTimes(n, m int) string {
	return strings.Repeat("node{"+strings.Repeat("...F ", m)+"}", n)
}

func fields(n int) string {
	return " fragment F on Asset{" + strings.Repeat("id ", n) + "}"
}

func TestSeveralLimitsAtOnce(t *testing.T) {
	errs := validate(t, limits.Default(), "{"+numbered(60, "x%d:a@skip(if:false)")+"}")
	require.Len(t, errs, 3)
	for _, err := range errs {
		assert.Equal(t, fault.CodeLimitExceeded, fault.CodeOf(err))
	}
}

func TestFragmentCycles(t *testing.T) {
	for _, query := range []string{
		"{...F} fragment F on Query{...F}",
		"{...F} fragment F on Query{a ...G} fragment G on Query{...H ...H} fragment H on Query{...F ...G}",
		"{a} fragment F on Query{...G} fragment G on Query{...F}",
		"{...F} fragment F on Query{node{... on Asset{parent{...G}}}} fragment G on Asset{parent{...G}}",
	} {
		errs := validate(t, limits.Default(), query)
		require.Len(t, errs, 1, query)
		assert.Equal(t, fault.CodeBadUserInput, fault.CodeOf(errs[0]))
		assert.Contains(t, errs[0].Message, "spreads itself")
		assert.NotEmpty(t, errs[0].Locations)
	}
}

func TestOverLimitIsNotValidated(t *testing.T) {
	for name, query := range map[string]string{
		"unknown directives":     "{a " + strings.Repeat("@unknown", 10_000) + "}",
		"unknown fields":         "{" + strings.Repeat("unknown ", 4_000) + "}",
		"disagreeing fields":     "{node{... on Asset{" + numbered(800, "name(x:%d)") + "}}}",
		"unused, and unknown":    "{a} fragment F on Query{" + strings.Repeat("unknown ", 6_000) + "}",
		"unknown leaf selection": "{" + strings.Repeat("a{id}", 3_000) + "}",
	} {
		t.Run(name, func(t *testing.T) {
			for _, err := range validate(t, limits.Default(), query) {
				assert.Equal(t, fault.CodeLimitExceeded, fault.CodeOf(err), err.Message)
			}
		})
	}
}

func TestWithinLimitsIsValidated(t *testing.T) {
	tests := []struct {
		name, query string
		says        []string
	}{
		{"unknown field, without a suggestion", "{nod}", []string{`Cannot query field "nod" on type "Query".`}},
		{"unknown argument, without a suggestion", "{a(xx:1)}", []string{`Unknown argument "xx" on field "Query.a".`}},
		{"unknown type, without a suggestion", "{node{...on Asse{id}}}", []string{`Unknown type "Asse".`}},
		{"unknown value, without a suggestion", "{kind(is:TABL)}", []string{`Value "TABL" does not exist in "Kind" enum.`}},
		{"missing selection, without a suggestion", "{node}", []string{`Field "node" of type "Node" must have a selection of subfields.`}},
		{"several", "{b c}", []string{`Cannot query field "b" on type "Query".`, `Cannot query field "c" on type "Query".`}},
		{"in the second operation", "query x{a} query y{b}", []string{`Cannot query field "b" on type "Query".`}},
		{"unused fragment", "{a} fragment F on Query{a}", []string{`Fragment "F" is never used.`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, err := range validate(t, limits.Default(), tt.query) {
				assert.Nil(t, fault.Of(err))
				assert.NotEmpty(t, err.Rule)
				got = append(got, err.Message)
			}
			assert.Equal(t, tt.says, got)
		})
	}
}

// TestEveryRuleOfTheSpecificationRuns: the two stages lose none of the errors
// that one would find.
func TestEveryRuleOfTheSpecificationRuns(t *testing.T) {
	schema := loadSchema(t)
	for _, query := range []string{
		"query a{a} query a{a}", "{a} {a}", "query($v:Int){a}", "{a(x:$v)}", "{a(x:1 x:2)}", "{a a(x:1)}",
		"query($v:Asset){a(x:$v)}", "query($v:String){a(x:$v)}", "{a@skip}", "{a@skip(if:true)@skip(if:true)}",
		"mutation{a}", "{...on Kind{a}}", "{node{...on Query{a}}}", "{...F}", `{a(x:"1")}`, "{a{b}}",
		"query($v:Int $v:Int){a(x:$v)}",
	} {
		doc, err := parser.ParseQuery(&ast.Source{Input: query})
		require.NoError(t, err)
		var want []string
		for _, e := range validator.ValidateWithRules(schema, doc, nil) {
			want = append(want, e.Rule)
		}
		require.NotEmpty(t, want, query)
		var got []string
		for _, e := range validate(t, limits.Default(), query) {
			got = append(got, strings.TrimSuffix(e.Rule, "WithoutSuggestions"))
		}
		assert.ElementsMatch(t, want, got, query)
	}
}

func TestMessagesAreCut(t *testing.T) {
	errs := validate(t, limits.Default(), "{"+strings.Repeat("x", 100_000)+"}")
	require.Len(t, errs, 1)
	assert.Less(t, len(errs[0].Message), 1100)
}

func TestTheIntrospectionQueryOfGraphQLJSFits(t *testing.T) {
	typeRef := "kind name" + strings.Repeat(" ofType{kind name", 9) + strings.Repeat("}", 9)
	errs := validate(t, limits.Default(), `query IntrospectionQuery {
		__schema {
			description queryType{name kind} mutationType{name kind} subscriptionType{name kind}
			types{...FullType}
			directives{name description isRepeatable locations args(includeDeprecated:true){...InputValue}}
		}
	}
	fragment FullType on __Type {
		kind name description specifiedByURL isOneOf
		fields(includeDeprecated:true){
			name description args(includeDeprecated:true){...InputValue} type{...TypeRef} isDeprecated deprecationReason
		}
		inputFields(includeDeprecated:true){...InputValue}
		interfaces{...TypeRef}
		enumValues(includeDeprecated:true){name description isDeprecated deprecationReason}
		possibleTypes{...TypeRef}
	}
	fragment InputValue on __InputValue {
		name description type{...TypeRef} defaultValue isDeprecated deprecationReason
	}
	fragment TypeRef on __Type{`+typeRef+`}`)
	assert.Empty(t, errs)
}

func TestConfigValidate(t *testing.T) {
	assert.NoError(t, limits.Default().Validate())
	assert.Error(t, limits.Config{}.Validate())
	cfg := limits.Default()
	cfg.Aliases = 0
	assert.ErrorContains(t, cfg.Validate(), "aliases")
	var f *fault.Error
	assert.False(t, errors.As(cfg.Validate(), &f), "for the operator, not for a client")
}
