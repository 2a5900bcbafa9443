package limits

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/core"

	"github.com/strata-gateway/strata/fault"
)

// check reports where doc exceeds cfg, each limit once, and whether it may be
// validated. Fragments are checked too, as if they were operations: validation
// looks at each by itself, also if nothing spreads it.
func check(cfg Config, doc *ast.QueryDocument, addError core.AddErrFunc) bool {
	return checkWith(newMeasurer(doc), cfg, doc, addError)
}

func checkWith(m *measurer, cfg Config, doc *ast.QueryDocument, addError core.AddErrFunc) bool {
	var all, worst size
	for _, op := range doc.Operations {
		s := m.operation(op)
		all, worst = all.beside(s), worst.worse(s)
	}
	for _, f := range doc.Fragments {
		s := m.fragment(f)
		s.fields = 0 // a fragment is at the top only where an operation spreads it
		all, worst = all.beside(s), worst.worse(s)
	}
	if m.cycle != nil {
		addError(carrying(fault.New(fault.CodeBadUserInput, fmt.Sprintf(
			"The fragment %q spreads itself.", m.cycle.Name))), core.At(m.cycle.Position))
		return false
	}
	ok := true
	report := func(actual, limit int, what string) {
		if actual > limit {
			ok = false
			addError(carrying(exceeded(actual, limit, what)))
		}
	}
	report(all.selections, cfg.Selections, "fields and fragments selected")
	report(worst.depth, cfg.Depth, "levels of fields")
	report(worst.aliases, cfg.Aliases, "aliases")
	report(worst.directives, cfg.Directives, "directives")
	report(worst.fields, cfg.RootFields, "fields at the top")
	if ok {
		report(m.mostRepeats(doc), cfg.Repeats, "fields that repeat one beside them")
	}
	return ok
}

// worse takes the greater of each measure.
func (s size) worse(o size) size {
	return size{
		selections: max(s.selections, o.selections),
		depth:      max(s.depth, o.depth),
		aliases:    max(s.aliases, o.aliases),
		directives: max(s.directives, o.directives),
		fields:     max(s.fields, o.fields),
	}
}

func (m *measurer) mostRepeats(doc *ast.QueryDocument) int {
	most := 0
	for _, op := range doc.Operations {
		most = max(most, m.repeats(op.SelectionSet))
	}
	for _, f := range doc.Fragments {
		most = max(most, m.repeats(f.SelectionSet))
	}
	return most
}

// exceeded is the LIMIT_EXCEEDED fault for actual of what, more than limit.
func exceeded(actual, limit int, what string) *fault.Error {
	amount := fmt.Sprint(actual)
	if actual >= boundless {
		amount = fmt.Sprintf("over %d", boundless)
	}
	return fault.New(fault.CodeLimitExceeded, fmt.Sprintf(
		"The query has %s %s, more than the limit of %d. Ask for less at once.", amount, what, limit))
}

// carrying makes a validation error of f. The executor overwrites the code in
// the extensions of validation errors, so the fault itself travels with it.
func carrying(f *fault.Error) core.ErrorOption {
	return func(err *gqlerror.Error) {
		err.Message = f.Message
		err.Err = f
	}
}
