package resolvers

import (
	"fmt"
	"slices"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// Bounds of dependencies of columns, of an edge and of a request.
const (
	maxPairs    = 2000
	maxAllPairs = 5000
)

// directSubtypes are those of a DIRECT dependency; all others are of an INDIRECT one.
func directSubtypes() []graph.DependencySubtype {
	return []graph.DependencySubtype{"IDENTITY", "TRANSFORMATION", "AGGREGATION"}
}

// newPairs checks dependencies of columns. Errors: BAD_USER_INPUT.
func newPairs(field string, in []*graph.NewColumnPair) ([]graph.NewColumnPair, error) {
	if err := atMost(field, len(in), maxPairs); err != nil {
		return nil, err
	}
	out := make([]graph.NewColumnPair, len(in))
	for i, p := range in {
		at := fmt.Sprintf("%s[%d]", field, i)
		if err := identified(at+".source", p.Source); err != nil {
			return nil, err
		}
		if p.Target != nil {
			if err := identified(at+".target", *p.Target); err != nil {
				return nil, err
			}
		}
		if p.Subtype != nil && slices.Contains(directSubtypes(), *p.Subtype) != (p.Kind == graph.Direct) {
			return nil, fault.BadInput(at+".subtype", string(*p.Subtype)+" is no subtype of "+string(p.Kind)+". Leave it out, or pass the other kind.")
		}
		if p.Target == nil && p.Kind == graph.Direct {
			return nil, fault.BadInput(at+".target", "A DIRECT dependency is of one column of the target. Name it, or pass INDIRECT.")
		}
		out[i] = *p
	}
	return out, nil
}
