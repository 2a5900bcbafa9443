package limits

import (
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
)

// FuzzRules: no document brings validation down, and one that passes is as small
// as the limits say.
func FuzzRules(f *testing.F) {
	for _, seed := range []string{
		"{a}", bomb(3, 3), "{...F} fragment F on Query{...F}", "{a @skip(if:true) b:a(x:1)}", "query($v:Int=1){a(x:$v)}",
		"{q{...{q{a}} ...on Query{a}}}", "mutation{a}", "subscription{a}", "fragment F on Query{a}", "{__schema{types{name}}}",
	} {
		f.Add(seed)
	}
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: "type Query{a(x:Int):Int q:Query}"})
	cfg := Config{Tokens: 200, Selections: 30, Repeats: 3, Depth: 4, Aliases: 3, Directives: 3, RootFields: 4,
		Complexity: 1, Errors: 5, QueryCache: 1}
	f.Fuzz(func(t *testing.T, query string) {
		doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: query}, cfg.Tokens)
		if err != nil || len(doc.Operations) == 0 {
			return
		}
		if len(validator.ValidateWithRules(schema, doc, Rules(cfg)())) > 0 {
			return
		}
		m := newMeasurer(doc)
		for _, op := range doc.Operations {
			s := m.operation(op)
			if s.selections > cfg.Selections || s.depth > cfg.Depth || s.aliases > cfg.Aliases ||
				s.directives > cfg.Directives || s.fields > cfg.RootFields || m.repeats(op.SelectionSet) > cfg.Repeats {
				t.Errorf("%+v passed: %s", s, query)
			}
		}
	})
}
