package mutants

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// rulesFolder is where the rules are.
const rulesFolder = "authz"

// Rules are, for each function of package authz that decides an action (an authz.Rule), the mutant that
// allows it to everyone. A new rule has one without being listed.
func Rules(root string) ([]Mutant, error) {
	files, err := filepath.Glob(filepath.Join(root, rulesFolder, "*.go"))
	if err != nil {
		return nil, err
	}
	var all []Mutant
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		found, err := rulesIn(file)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func rulesIn(file string) ([]Mutant, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, source, 0)
	if err != nil {
		return nil, err
	}
	var all []Mutant
	for _, d := range parsed.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || !fn.Name.IsExported() || !isRule(fn.Type) {
			continue
		}
		text := func(n ast.Node) string {
			return string(source[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset])
		}
		whole := text(fn)
		all = append(all, Mutant{
			Name: fn.Name.Name + " allows everyone", File: filepath.Join(rulesFolder, filepath.Base(file)),
			From: whole, To: strings.Replace(whole, text(fn.Body), "{ return allow(ReasonRole) }", 1),
		})
	}
	return all, nil
}

// isRule reports whether a function takes a caller and facts and returns a decision.
func isRule(f *ast.FuncType) bool {
	var types []string
	for _, list := range []*ast.FieldList{f.Params, f.Results} {
		if list == nil {
			return false
		}
		for _, p := range list.List {
			for range max(1, len(p.Names)) {
				types = append(types, typeName(p.Type))
			}
		}
	}
	return fmt.Sprint(types) == "[*Caller graph.Facts Decision]"
}

func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return "*" + typeName(e.X)
	case *ast.SelectorExpr:
		return typeName(e.X) + "." + e.Sel.Name
	}
	return ""
}
