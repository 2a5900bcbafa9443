package authz

import (
	"context"
	"errors"
	"reflect"

	"github.com/99designs/gqlgen/graphql"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

var (
	errUngated  = errors.New("an itemized field that no gate let through")
	errNoTarget = errors.New("a gate whose value names no suite, datasource or scope")
)

// suiteBound is a value that belongs to one suite.
type suiteBound interface{ OfSuite() graph.SuiteFacts }

// scoped is a list that was filtered by a scope and carries it.
type scoped interface{ CarriedScope() graph.Scope }

// Gate is what @gate asks for. Its arguments are ANDed.
type Gate struct {
	Suite      *SuiteLevel
	Datasource *graph.TeamPermission
	Role       *graph.Role
	Rows       *bool
	// Of are the arguments of the field whose datasources Datasource is about.
	Of []string
}

// GateDirective is @gate. On a mutation it asks for the role that every change needs and leaves the
// rest to the rule inside the transaction. Elsewhere a role and a team permission are decided before the
// field is resolved: the permission on the datasources of the arguments that it names (see Rights), else on
// those that the object stands for. A suite level is decided on the object that the field stands on if that belongs to a suite, else on what
// the field returns: a refused object is a bare null, equal to a nonexistent one; a list must carry the
// scope it was filtered by; a value that names neither is refused.
//
// SECURITY: TestGateOnEveryKindOfValue, TestGateRefusesAListWithoutItsScope,
// TestGateOnARoleDecidesBeforeTheFieldIsResolved, TestGateOnTheDatasourcesOfArguments.
func GateDirective(ctx context.Context, obj any, next graphql.Resolver, suite *SuiteLevel, datasource *graph.TeamPermission, of []string, role *graph.Role, rows *bool) (any, error) {
	c, err := CallerFrom(ctx)
	if err != nil {
		return nil, err
	}
	g := Gate{Suite: suite, Datasource: datasource, Role: role, Rows: rows, Of: of}
	if isMutation(ctx) {
		if err := g.declaredOnMutation(c).Err(); err != nil {
			return nil, err
		}
		return next(withLetThrough(ctx))
	}
	if g.asksForRoleAlone() {
		if err := HasRole(c, *role).Err(); err != nil {
			return nil, err
		}
		return next(withLetThrough(ctx))
	}
	if g.asksForDatasourceAlone() {
		if passed, err := g.onDatasources(ctx, c, obj); err != nil || !passed {
			return nil, err
		}
		return next(withLetThrough(ctx))
	}
	if bound, ok := obj.(suiteBound); ok && suite != nil {
		if err := OnSuite(c, bound.OfSuite(), *suite, "suite").Err(); err != nil {
			return nil, err
		}
		return next(withLetThrough(ctx))
	}
	// The mark must be set before what is below is known; a refusal returns nothing to stand below.
	value, err := next(withLetThrough(ctx))
	if err != nil {
		return nil, err
	}
	return g.pass(c, value)
}

// asksForRoleAlone reports whether the caller's role decides, whatever the field stands on or returns.
func (g Gate) asksForRoleAlone() bool {
	return g.Role != nil && g.Suite == nil && g.Datasource == nil && g.Rows == nil
}

func isMutation(ctx context.Context) bool {
	fc := graphql.GetFieldContext(ctx)
	return fc != nil && fc.Object == "Mutation"
}

// declaredOnMutation refuses early who may change nothing, and who lacks a role that the gate names. A
// gate that names a suite leaves even that to the rule: whether a suite exists is not for their eyes.
func (g Gate) declaredOnMutation(c *Caller) Decision {
	least := graph.RoleMember
	if g.Suite != nil {
		return allow(ReasonRole)
	}
	if g.Role != nil && roleRank(*g.Role) > roleRank(least) {
		least = *g.Role
	}
	return HasRole(c, least)
}

// pass decides on what a field returned.
func (g Gate) pass(c *Caller, value any) (any, error) {
	if g.Suite == nil || g.Datasource != nil || g.Role != nil || g.Rows != nil {
		// No field outside mutations has such a gate yet; one that gets it must bring its decision.
		return nil, fault.Wrap(fault.CodeForbidden, "You may not see this.", errNoTarget)
	}
	if isNil(value) {
		return nil, nil
	}
	if nodes, ok := value.([]graph.Node); ok {
		for i, n := range nodes {
			passed, err := g.one(c, n)
			if err != nil {
				return nil, err
			}
			if passed == nil {
				nodes[i] = nil
			}
		}
		return nodes, nil
	}
	return g.one(c, value)
}

// isNil reports whether a value is nil, also as a typed pointer in an interface.
func isNil(value any) bool {
	if value == nil {
		return true
	}
	v := reflect.ValueOf(value)
	return (v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice) && v.IsNil()
}

func (g Gate) one(c *Caller, value any) (any, error) {
	if isNil(value) {
		return nil, nil
	}
	switch v := value.(type) {
	case *graph.Asset, *graph.Datasource, *graph.External:
		return v, nil
	case scoped:
		if !sameScope(v.CarriedScope(), c.Scope()) {
			return nil, fault.Wrap(fault.CodeForbidden, "You may not see this.", errUncarried)
		}
		return v, nil
	case suiteBound:
		if !OnSuite(c, v.OfSuite(), *g.Suite, "suite").Allowed {
			return nil, nil
		}
		return v, nil
	}
	return nil, fault.Wrap(fault.CodeForbidden, "You may not see this.", errNoTarget)
}

var errUncarried = errors.New("a gated list that does not carry the caller's scope")

// sameScope reports whether a list was filtered for exactly this caller.
func sameScope(a, b graph.Scope) bool {
	return a.User != "" && a.User == b.User && a.Audience == b.Audience && a.AllSuites == b.AllSuites
}
