package authz

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// CheckSchema reports every way in which a schema could leak by omission; nil if there is none. It runs
// in the tests and when a gateway starts, which refuses to serve a schema that does not pass.
//
//   - Every field of every object type states its layer.
//   - An itemized field has a gate, or its type is itself reached through gated fields only.
//   - A gate names something that is decided, and a gated field or a mutation can be null.
//   - Below an aggregate there are only aggregates.
//   - What reads itemized data does not filter, sort or group a list of a lower layer.
//   - Directives stand on fields of object types only: elsewhere they would not run.
func CheckSchema(schema *ast.Schema) error {
	c := checker{schema: schema, gatedTypes: gatedTypes(schema)}
	for _, name := range slices.Sorted(maps.Keys(schema.Types)) {
		def := schema.Types[name]
		if def.BuiltIn || strings.HasPrefix(name, "__") {
			continue
		}
		c.checkDefinition(def)
	}
	return errors.Join(c.faults...)
}

type checker struct {
	schema     *ast.Schema
	gatedTypes map[string]bool
	faults     []error
}

func (c *checker) complain(def *ast.Definition, f *ast.FieldDefinition, format string, args ...any) {
	c.faults = append(c.faults, fmt.Errorf("schema: %s.%s %s", def.Name, f.Name, fmt.Sprintf(format, args...)))
}

func (c *checker) checkDefinition(def *ast.Definition) {
	for _, d := range []string{"layer", "gate"} {
		if def.Directives.ForName(d) != nil {
			c.faults = append(c.faults, fmt.Errorf("schema: @%s on %s would never run; put it on the fields", d, def.Name))
		}
	}
	for _, f := range def.Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		switch def.Kind {
		case ast.Object:
			c.checkField(def, f)
		case ast.Interface:
			if declaresGate(f) || f.Directives.ForName("layer") != nil {
				c.complain(def, f, "has a directive, which never runs on an interface's field; put it on the types that implement it")
			}
		}
	}
}

func (c *checker) checkField(def *ast.Definition, f *ast.FieldDefinition) {
	layer, ok := layerOf(f)
	if !ok {
		c.complain(def, f, "states no layer; add @layer(is: …)")
		return
	}
	if layer == LayerItemized && !declaresGate(f) && !c.gatedTypes[def.Name] {
		c.complain(def, f, "is itemized, and %s can be reached without a gate; add @gate(…)", def.Name)
	}
	if declaresGate(f) {
		c.checkGate(def, f)
	}
	if def == c.schema.Mutation && f.Type.NonNull {
		c.complain(def, f, "is a mutation and must be nullable, so that its refusal nulls nothing beside it")
	}
	if def == c.schema.Mutation && !declaresGate(f) {
		c.complain(def, f, "is a mutation without a gate; declare what it needs")
	}
	if layer == LayerAggregate {
		c.checkAggregate(def, f)
	}
	c.checkReads(def, f, layer)
}

func (c *checker) checkGate(def *ast.Definition, f *ast.FieldDefinition) {
	if len(f.Directives.ForName("gate").Arguments) == 0 {
		c.complain(def, f, "has a gate that asks for nothing")
	} else if def != c.schema.Mutation && !isDecided(f.Directives.ForName("gate")) {
		c.complain(def, f, "has a gate that nothing decides outside mutations: ask for a suite level, a role or a team permission, and for nothing besides")
	}
	c.checkGateArguments(def, f)
	// Of a list of objects each entry is refused by itself.
	refusable := f.Type
	if refusable.Elem != nil && refusable.NonNull {
		refusable = refusable.Elem
	}
	if refusable.NonNull {
		c.complain(def, f, "is gated and must be nullable, so that a refusal nulls nothing beside it")
	}
}

// isDecided reports whether a gate asks for what GateDirective decides outside mutations.
func isDecided(gate *ast.Directive) bool {
	asked := 0
	for _, a := range gate.Arguments {
		if a.Name == "rows" {
			return false
		}
		if a.Name != "of" {
			asked++
		}
	}
	return asked == 1
}

// checkGateArguments: a gate on a team permission knows on which datasource. At the root it names arguments
// that hold ids; elsewhere it may stand on an object that does.
func (c *checker) checkGateArguments(def *ast.Definition, f *ast.FieldDefinition) {
	gate := f.Directives.ForName("gate")
	of := gate.Arguments.ForName("of")
	if of == nil {
		if def == c.schema.Query && gate.Arguments.ForName("datasource") != nil {
			c.complain(def, f, "has a gate on a datasource that names none; add of: [\"argument\"]")
		}
		return
	}
	if def == c.schema.Mutation || gate.Arguments.ForName("datasource") == nil {
		c.complain(def, f, "has a gate whose arguments (of) nothing reads")
	}
	for _, name := range of.Value.Children {
		if a := f.Arguments.ForName(name.Value.Raw); a == nil || a.Type.Name() != "ID" {
			c.complain(def, f, "has a gate of %s, which is no argument with an id", name.Value.Raw)
		}
	}
}

// checkAggregate: who asks is unknown below an aggregate, so nothing below may depend on it.
func (c *checker) checkAggregate(def *ast.Definition, f *ast.FieldDefinition) {
	child := c.schema.Types[f.Type.Name()]
	if child == nil || !child.IsCompositeType() {
		return
	}
	for _, t := range c.schema.GetPossibleTypes(child) {
		for _, sub := range t.Fields {
			if layer, ok := layerOf(sub); ok && layer != LayerAggregate && !strings.HasPrefix(sub.Name, "__") {
				c.complain(def, f, "is an aggregate, but %s.%s below it is %s", t.Name, sub.Name, layer)
			}
		}
	}
}

func layerOf(f *ast.FieldDefinition) (Layer, bool) { return layerArgument(f.Directives, "layer", "is") }

func layerArgument(directives ast.DirectiveList, name, argument string) (Layer, bool) {
	d := directives.ForName(name)
	if d == nil || d.Arguments.ForName(argument) == nil {
		return "", false
	}
	layer := Layer(d.Arguments.ForName(argument).Value.Raw)
	return layer, slices.Contains([]Layer{LayerIdentity, LayerAggregate, LayerItemized, LayerCaller}, layer)
}
