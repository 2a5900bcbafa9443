package authz

import "github.com/vektah/gqlparser/v2/ast"

// gatedTypes are the object types that can be reached through gated fields only: what stands in them was
// let through by a gate above. They are found by striking out, until nothing changes, every type that an
// ungated field of a type outside the set returns, directly or through an interface or union.
func gatedTypes(schema *ast.Schema) map[string]bool {
	gated := map[string]bool{}
	for name, def := range schema.Types {
		gated[name] = def.Kind == ast.Object && def != schema.Query && def != schema.Mutation && def != schema.Subscription
	}
	for changed := true; changed; {
		changed = false
		for name, def := range schema.Types {
			if def.Kind != ast.Object || gated[name] {
				continue
			}
			for _, f := range def.Fields {
				if declaresGate(f) {
					continue
				}
				for _, t := range schema.GetPossibleTypes(schema.Types[f.Type.Name()]) {
					if gated[t.Name] {
						gated[t.Name], changed = false, true
					}
				}
			}
		}
	}
	return gated
}

// checkReads: an argument, an input field or an order that reads itemized data must not shape a list of
// a lower layer, or the list's order, length and pages would be an oracle.
func (c *checker) checkReads(def *ast.Definition, f *ast.FieldDefinition, layer Layer) {
	for _, a := range f.Arguments {
		for _, reads := range c.readsOf(a.Directives, a.Type, map[string]bool{}) {
			if reads == LayerItemized && layer != LayerItemized {
				c.complain(def, f, "is %s, but its argument %s reads itemized data", layer, a.Name)
			}
			if reads == LayerCaller && layer != LayerCaller && layer != LayerItemized {
				c.complain(def, f, "is %s, but its argument %s reads the caller's own rights", layer, a.Name)
			}
		}
	}
}

// readsOf are the layers that an argument makes the server read: its own, and those of the input fields
// and enum values of its type.
func (c *checker) readsOf(directives ast.DirectiveList, t *ast.Type, seen map[string]bool) []Layer {
	var out []Layer
	if l, ok := layerArgument(directives, "reads", "layer"); ok {
		out = append(out, l)
	}
	def := c.schema.Types[t.Name()]
	if def == nil || seen[def.Name] {
		return out
	}
	seen[def.Name] = true
	for _, v := range def.EnumValues {
		if l, ok := layerArgument(v.Directives, "reads", "layer"); ok {
			out = append(out, l)
		}
	}
	if def.Kind == ast.InputObject {
		for _, f := range def.Fields {
			out = append(out, c.readsOf(f.Directives, f.Type, seen)...)
		}
	}
	return out
}
