package authz

import (
	"context"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"
)

// field is the context of a field of an object type, with or without a gate of its own.
func field(ctx context.Context, object string, gated bool) context.Context {
	definition := &ast.FieldDefinition{Name: "f"}
	if gated {
		definition.Directives = ast.DirectiveList{{Name: "gate"}}
	}
	return graphql.WithFieldContext(ctx, &graphql.FieldContext{
		Object: object, Field: graphql.CollectedField{Field: &ast.Field{Name: "f", Definition: definition}},
	})
}

func returns(v any) graphql.Resolver { return func(context.Context) (any, error) { return v, nil } }

func member(t *testing.T) context.Context {
	t.Helper()
	c := caller(graph.RoleMember)
	c.Audience = graph.Audience{Workspace: "w", Class: graph.ClassFull}
	return WithCaller(t.Context(), c)
}

func TestLayerFailsClosed(t *testing.T) {
	somebody := member(t)
	audience := withAudienceOnly(somebody)
	for _, c := range []struct {
		name  string
		ctx   context.Context
		layer Layer
		gated bool
		want  fault.Code
	}{
		{"identity for a member", somebody, LayerIdentity, false, ""},
		{"aggregate for a member", somebody, LayerAggregate, false, ""},
		{"caller for a member", somebody, LayerCaller, false, ""},
		{"itemized with a gate of its own", somebody, LayerItemized, true, ""},
		{"itemized below a gate", withLetThrough(somebody), LayerItemized, false, ""},
		{"itemized without a gate", somebody, LayerItemized, false, fault.CodeForbidden},
		{"an unknown layer", somebody, "PUBLIC", false, fault.CodeForbidden},
		{"no layer", somebody, "", true, fault.CodeForbidden},
		{"identity for nobody", t.Context(), LayerIdentity, false, fault.CodeUnauthenticated},
		{"aggregate for nobody", t.Context(), LayerAggregate, false, fault.CodeUnauthenticated},
		{"itemized for nobody, below a gate", withLetThrough(t.Context()), LayerItemized, true, fault.CodeUnauthenticated},
		{"aggregate for an audience", audience, LayerAggregate, false, ""},
		{"caller for an audience", audience, LayerCaller, false, fault.CodeUnauthenticated},
		{"itemized for an audience", withLetThrough(audience), LayerItemized, true, fault.CodeUnauthenticated},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := LayerDirective(field(c.ctx, "Asset", c.gated), nil, returns("value"), c.layer)
			assert.Equal(t, c.want, fault.CodeOf(err))
			assert.Equal(t, c.want == "", v == "value")
		})
	}
}

func TestNobodyAsksBelowAnAggregate(t *testing.T) {
	_, err := LayerDirective(field(member(t), "Asset", false), nil, func(ctx context.Context) (any, error) {
		_, err := CallerFrom(ctx)
		require.Error(t, err)
		_, err = ScopeFrom(ctx)
		require.Error(t, err)
		a, err := AudienceFrom(ctx)
		assert.Equal(t, graph.Audience{Workspace: "w", Class: graph.ClassFull}, a)
		return nil, err
	}, LayerAggregate)
	require.NoError(t, err)
}

func gate(ctx context.Context, obj any, next graphql.Resolver, level SuiteLevel) (any, error) {
	return GateDirective(ctx, obj, next, &level, nil, nil, nil, nil)
}

func TestLayerAndGateInEitherOrder(t *testing.T) {
	mine := &graph.Suite{SuiteFacts: graph.SuiteFacts{ID: "s", Owner: "me"}}
	others := &graph.Suite{SuiteFacts: graph.SuiteFacts{ID: "s", Owner: "you"}}
	for _, c := range []struct {
		suite *graph.Suite
		seen  bool
	}{{mine, true}, {others, false}} {
		ctx := field(member(t), "Query", true)
		layerFirst, err := LayerDirective(ctx, nil, func(ctx context.Context) (any, error) {
			return gate(ctx, nil, returns(c.suite), SuiteView)
		}, LayerItemized)
		require.NoError(t, err)
		gateFirst, err := gate(ctx, nil, func(ctx context.Context) (any, error) {
			return LayerDirective(ctx, nil, returns(c.suite), LayerItemized)
		}, SuiteView)
		require.NoError(t, err)
		assert.Equal(t, c.seen, layerFirst != nil)
		assert.Equal(t, layerFirst, gateFirst)
	}
}

// list stands for a connection.
type list struct{ scope graph.Scope }

func (l *list) CarriedScope() graph.Scope { return l.scope }

func TestGateOnEveryKindOfValue(t *testing.T) {
	mine, others := graph.SuiteFacts{ID: "s", Owner: "me"}, graph.SuiteFacts{ID: "s", Owner: "you"}
	ctx := field(member(t), "Query", true)
	for _, c := range []struct {
		name  string
		value any
		seen  bool
		want  fault.Code
	}{
		{"nothing", nil, false, ""},
		{"a typed nothing", (*graph.Suite)(nil), false, ""},
		{"an asset", &graph.Asset{}, true, ""},
		{"a datasource", &graph.Datasource{}, true, ""},
		{"an external node", &graph.External{}, true, ""},
		{"a suite of the caller's", &graph.Suite{SuiteFacts: mine}, true, ""},
		{"another's suite is as nonexistent", &graph.Suite{SuiteFacts: others}, false, ""},
		{"a run of the caller's suite", &graph.Run{Suite: &graph.Suite{SuiteFacts: mine}}, true, ""},
		{"a run of another's suite is as nonexistent", &graph.Run{Suite: &graph.Suite{SuiteFacts: others}}, false, ""},
		{"a value that names no suite", &graph.Check{}, false, fault.CodeForbidden},
		{"a text", "text", false, fault.CodeForbidden},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := gate(ctx, nil, returns(c.value), SuiteView)
			assert.Equal(t, c.want, fault.CodeOf(err))
			assert.Equal(t, c.seen, v != nil)
		})
	}
}

func TestGateRefusesEachOfSeveralNodesByItself(t *testing.T) {
	nodes := []graph.Node{
		&graph.Asset{ID: "a"}, &graph.Suite{SuiteFacts: graph.SuiteFacts{Owner: "you"}}, nil, (*graph.Run)(nil),
		&graph.Suite{SuiteFacts: graph.SuiteFacts{Owner: "me"}},
	}
	v, err := gate(field(member(t), "Query", true), nil, returns(nodes), SuiteView)
	require.NoError(t, err)
	got := v.([]graph.Node)
	assert.NotNil(t, got[0])
	assert.Nil(t, got[1])
	assert.Nil(t, got[2])
	assert.Nil(t, got[3])
	assert.NotNil(t, got[4])
}

func TestGateRefusesAListWithoutItsScope(t *testing.T) {
	ctx := member(t)
	c, err := CallerFrom(ctx)
	require.NoError(t, err)
	another := c.Scope()
	another.User = "you"
	wider := c.Scope()
	wider.AllSuites = true
	for _, l := range []struct {
		scope graph.Scope
		want  fault.Code
	}{{c.Scope(), ""}, {graph.Scope{}, fault.CodeForbidden}, {another, fault.CodeForbidden}, {wider, fault.CodeForbidden}} {
		_, err := gate(field(ctx, "Asset", true), &graph.Asset{}, returns(&list{l.scope}), SuiteView)
		assert.Equal(t, l.want, fault.CodeOf(err))
	}
}

func TestGateOnAFieldOfASuiteDecidesBeforeItIsResolved(t *testing.T) {
	shared := &graph.Suite{SuiteFacts: graph.SuiteFacts{Owner: "you", Share: graph.ShareEdit}}
	_, err := gate(field(member(t), "Suite", true), shared, func(context.Context) (any, error) {
		t.Error("resolved what was refused")
		return nil, nil
	}, SuiteAdmin)
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
}

func TestGateWithoutADecisionRefuses(t *testing.T) {
	ctx := field(member(t), "Asset", true)
	suite, datasource, role, yes := SuiteView, graph.Reporter, graph.RoleViewer, true
	_, err := GateDirective(ctx, nil, returns(&graph.Asset{}), nil, nil, nil, nil, nil)
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
	_, err = GateDirective(ctx, nil, returns(&graph.Asset{}), nil, &datasource, nil, nil, nil)
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
	_, err = GateDirective(ctx, nil, returns(&graph.Asset{}), &suite, nil, nil, &role, nil)
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(err), "a role stands alone")
	_, err = GateDirective(ctx, nil, returns(&graph.Asset{}), nil, &datasource, nil, &role, nil)
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
	_, err = GateDirective(ctx, nil, returns(&graph.Asset{}), nil, nil, nil, &role, &yes)
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
	_, err = GateDirective(ctx, nil, returns(&graph.Asset{}), nil, nil, nil, nil, &yes)
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
}

func TestGateOnAMutationRefusesEarlyWhoMayChangeNothing(t *testing.T) {
	manager, suite := graph.RoleManager, SuiteAdmin
	as := func(role graph.Role) context.Context {
		c := caller(role)
		c.Audience = graph.Audience{Workspace: "w", Class: graph.ClassFull}
		return field(WithCaller(t.Context(), c), "Mutation", true)
	}
	_, err := GateDirective(as(graph.RoleViewer), nil, returns(1), nil, nil, nil, nil, nil)
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
	_, err = GateDirective(as(graph.RoleMember), nil, returns(1), nil, nil, nil, &manager, nil)
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(err))
	_, err = GateDirective(as(graph.RoleManager), nil, returns(1), nil, nil, nil, &manager, nil)
	require.NoError(t, err)
	_, err = GateDirective(as(graph.RoleViewer), nil, returns(1), &suite, nil, nil, nil, nil)
	require.NoError(t, err, "whether the suite exists is the rule's to answer")
}

func TestGateOnARoleDecidesBeforeTheFieldIsResolved(t *testing.T) {
	suite := &graph.Suite{SuiteFacts: graph.SuiteFacts{Owner: "me"}}
	for _, c := range []struct {
		least, held graph.Role
		want        fault.Code
	}{
		{graph.RoleAdmin, graph.RoleAdmin, ""}, {graph.RoleAdmin, graph.RoleManager, fault.CodeForbidden},
		{graph.RoleViewer, graph.RoleViewer, ""}, {graph.RoleViewer, "", fault.CodeForbidden}, {"ROOT", graph.RoleAdmin, fault.CodeForbidden},
	} {
		for object, obj := range map[string]any{"Query": nil, "Asset": &graph.Asset{}, "Suite": suite} {
			who, resolved := caller(c.held), false
			who.Audience = graph.Audience{Workspace: "w", Class: graph.ClassFull}
			ctx := field(WithCaller(t.Context(), who), object, true)
			v, err := GateDirective(ctx, obj, func(ctx context.Context) (any, error) {
				resolved = true
				assert.True(t, wasLetThrough(ctx))
				return "value", nil
			}, nil, nil, nil, &c.least, nil)
			assert.Equal(t, c.want, fault.CodeOf(err), object)
			assert.Equal(t, c.want == "", resolved)
			assert.Equal(t, c.want == "", v == "value")
		}
	}
	least := graph.RoleViewer
	_, err := GateDirective(field(t.Context(), "Query", true), nil, returns("value"), nil, nil, nil, &least, nil)
	assert.Equal(t, fault.CodeUnauthenticated, fault.CodeOf(err))
}
