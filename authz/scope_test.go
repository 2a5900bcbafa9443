package authz

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestScopesAreMadeInAuthzOnly(t *testing.T) {
	set, seen := token.NewFileSet(), 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".." || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || filepath.Dir(path) == "../authz" {
			return nil
		}
		f, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		seen++
		inGraph := f.Name.Name == "graph"
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || len(lit.Elts) == 0 { // the zero value sees nothing
				return true
			}
			name := ""
			switch x := lit.Type.(type) {
			case *ast.SelectorExpr:
				if pkg, ok := x.X.(*ast.Ident); ok && pkg.Name == "graph" {
					name = x.Sel.Name
				}
			case *ast.Ident:
				if inGraph {
					name = x.Name
				}
			}
			assert.NotContains(t, []string{"Scope", "Audience", "Writer"}, name, "%s makes one at %s", path, set.Position(lit.Pos()))
			return true
		})
		return nil
	})
	require.NoError(t, err)
	assert.Greater(t, seen, 50, "the walk found the sources")
}
