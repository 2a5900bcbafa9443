package bulk

import (
	"io"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Table says how the elements of a list are written.
type Table[T any] struct {
	// Type is the name of the elements' type in the schema, an object.
	Type string
	// Columns are those of its fields that can be written in bulk, by name.
	Columns map[string]Column[T]
}

// list is a table of any type of element.
type list interface {
	// writer writes the value of a field if it is a list of the table's elements of which nothing but
	// columns that may pass is selected; else it is nil.
	writer(op *graphql.OperationContext, field graphql.CollectedField, value any, may func(*ast.FieldDefinition) bool) graphql.Marshaler
}

// column is one selected field: the text that introduces it, and what it is followed by.
type column[T any] struct {
	key   []byte
	value Column[T]
}

func (t Table[T]) writer(op *graphql.OperationContext, field graphql.CollectedField, value any, may func(*ast.FieldDefinition) bool) graphql.Marshaler {
	elements, ok := value.([]*T)
	if !ok || slices.Contains(elements, nil) {
		return nil
	}
	plan := t.plan(op, field.Selections, may)
	if plan == nil {
		return nil
	}
	return graphql.WriterFunc(func(w io.Writer) {
		// A failed write is the transport's to notice: gqlgen's own writers have no error either.
		_, _ = w.Write(appendList(nil, plan, elements))
	})
}

// plan is nil if something is selected that cannot be written in bulk.
func (t Table[T]) plan(op *graphql.OperationContext, selections ast.SelectionSet, may func(*ast.FieldDefinition) bool) []column[T] {
	fields := graphql.CollectFields(op, selections, []string{t.Type})
	plan := make([]column[T], 0, len(fields))
	for _, f := range fields {
		value := t.column(f, may)
		if value == nil {
			return nil
		}
		plan = append(plan, column[T]{key: append(appendText(nil, f.Alias), ':'), value: value})
	}
	return plan
}

func (t Table[T]) column(f graphql.CollectedField, may func(*ast.FieldDefinition) bool) Column[T] {
	switch {
	case len(f.Deferrables) > 0:
		return nil
	case f.Name == "__typename":
		return Text(func(*T) string { return t.Type })
	case f.Definition == nil || !may(f.Definition):
		return nil
	}
	return t.Columns[f.Name]
}

func appendList[T any](b []byte, plan []column[T], elements []*T) []byte {
	b = append(b, '[')
	for i, v := range elements {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendObject(b, plan, v)
		if i == 0 {
			b = append(make([]byte, 0, room(len(b), len(elements))), b...)
		}
	}
	return append(b, ']')
}

// room guesses how many bytes all elements take from what the first one took, with a quarter to spare.
func room(first, elements int) int { return (first + 1) * elements * 5 / 4 }

func appendObject[T any](b []byte, plan []column[T], v *T) []byte {
	b = append(b, '{')
	for i, c := range plan {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, c.key...)
		b = c.value(b, v)
	}
	return append(b, '}')
}
