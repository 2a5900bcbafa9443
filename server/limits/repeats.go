package limits

import "github.com/vektah/gqlparser/v2/ast"

// place tells the fields of one selection set apart: two with the same response
// name are the same selection again, unless they are asked of different types.
type place struct{ on, name string }

// repeats counts the fields that select again what was selected beside them,
// with the fragments laid out. The rule that such fields must agree compares
// each with each, and writes every disagreement out.
//
// It takes time in proportion to the selections, which MUST be within their
// limit, and the fragments free of cycles.
func (m *measurer) repeats(set ast.SelectionSet) int {
	seen := map[place]bool{}
	return m.repeatsIn(set, "", seen)
}

func (m *measurer) repeatsIn(set ast.SelectionSet, on string, seen map[place]bool) int {
	total := 0
	for _, selection := range set {
		m.visits++
		switch s := selection.(type) {
		case *ast.Field:
			p := place{on: on, name: s.Alias}
			if seen[p] {
				total++
			}
			seen[p] = true
			total += m.repeats(s.SelectionSet)
		case *ast.InlineFragment:
			total += m.repeatsIn(s.SelectionSet, narrowed(on, s.TypeCondition), seen)
		case *ast.FragmentSpread:
			if f, known := m.fragments[s.Name]; known {
				total += m.repeatsIn(f.SelectionSet, narrowed(on, f.TypeCondition), seen)
			}
		}
	}
	return total
}

func narrowed(on, condition string) string {
	if condition == "" {
		return on
	}
	return condition
}
