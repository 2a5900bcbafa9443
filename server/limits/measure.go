package limits

import "github.com/vektah/gqlparser/v2/ast"

// boundless is where sizes stop growing. Sums of two stay far from overflow.
const boundless = 1_000_000_000

// size is what a selection set amounts to with its fragments laid out.
type size struct {
	selections int // fields, spreads and inline fragments
	depth      int // fields on the longest way down
	aliases    int
	directives int
	fields     int // fields at the top
}

// beside is the size of two parts of one selection set.
func (s size) beside(o size) size {
	return size{
		selections: min(s.selections+o.selections, boundless),
		depth:      max(s.depth, o.depth),
		aliases:    min(s.aliases+o.aliases, boundless),
		directives: min(s.directives+o.directives, boundless),
		fields:     min(s.fields+o.fields, boundless),
	}
}

// measurer sizes the definitions of one document. Each fragment is measured
// once, however often it is spread.
type measurer struct {
	fragments map[string]*ast.FragmentDefinition
	memo      map[string]size
	open      map[string]bool // fragments that are being measured
	cycle     *ast.FragmentSpread
	visits    int // selections looked at: the work done
}

func newMeasurer(doc *ast.QueryDocument) *measurer {
	m := &measurer{
		fragments: make(map[string]*ast.FragmentDefinition, len(doc.Fragments)),
		memo:      make(map[string]size, len(doc.Fragments)),
		open:      map[string]bool{},
	}
	for _, f := range doc.Fragments {
		if _, twice := m.fragments[f.Name]; !twice {
			m.fragments[f.Name] = f
		}
	}
	return m
}

// operation sizes op with the directives on it and on its variables.
func (m *measurer) operation(op *ast.OperationDefinition) size {
	s := m.set(op.SelectionSet)
	own := len(op.Directives)
	for _, v := range op.VariableDefinitions {
		own += len(v.Directives)
	}
	return s.beside(size{directives: own})
}

func (m *measurer) set(set ast.SelectionSet) size {
	var total size
	for _, selection := range set {
		m.visits++
		switch s := selection.(type) {
		case *ast.Field:
			total = total.beside(m.field(s))
		case *ast.InlineFragment:
			own := size{selections: 1, directives: len(s.Directives)}
			total = total.beside(own).beside(m.set(s.SelectionSet))
		case *ast.FragmentSpread:
			own := size{selections: 1, directives: len(s.Directives)}
			total = total.beside(own).beside(m.spread(s))
		}
	}
	return total
}

func (m *measurer) field(f *ast.Field) size {
	s := m.set(f.SelectionSet)
	s.depth++
	s.fields = 1
	own := size{selections: 1, directives: len(f.Directives)}
	if f.Alias != f.Name {
		own.aliases = 1
	}
	return s.beside(own)
}

func (m *measurer) spread(s *ast.FragmentSpread) size {
	f, known := m.fragments[s.Name]
	if !known {
		return size{} // validation says so
	}
	if m.open[s.Name] {
		m.cycle = s
		return size{}
	}
	return m.fragment(f)
}

// fragment sizes what f spreads to.
func (m *measurer) fragment(f *ast.FragmentDefinition) size {
	if s, ok := m.memo[f.Name]; ok {
		return s
	}
	m.open[f.Name] = true
	s := m.set(f.SelectionSet).beside(size{directives: len(f.Directives)})
	delete(m.open, f.Name)
	m.memo[f.Name] = s
	return s
}
