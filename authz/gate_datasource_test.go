package authz

import (
	"context"
	"errors"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

const (
	viewed, reported, foreign, missing = "datasource_00000000000000000000000000000001", "datasource_00000000000000000000000000000002", "datasource_00000000000000000000000000000003", "datasource_00000000000000000000000000000004"
	outside                            = "ext:s3:lake"
)

// rights know three datasources and one external node.
type rights struct{ asked *int }

func (r rights) Touched(_ context.Context, ids ...string) ([]graph.DatasourceFacts, bool, error) {
	*r.asked++
	var out []graph.DatasourceFacts
	for _, id := range ids {
		switch id {
		case viewed:
			out = append(out, graph.DatasourceFacts{ID: id, Name: "viewed", TeamPermission: graph.Viewer})
		case reported:
			out = append(out, graph.DatasourceFacts{ID: id, Name: "reported", TeamPermission: graph.Reporter})
		case foreign:
			out = append(out, graph.DatasourceFacts{ID: id, Name: "foreign"})
		case outside:
		default:
			return nil, false, nil
		}
	}
	return out, true, nil
}

func (r rights) Datasources(ctx context.Context, ids ...string) ([]graph.DatasourceFacts, bool, error) {
	return r.Touched(ctx, ids...)
}

type connected struct{ ends []string }

func (c connected) Touches() []string { return c.ends }

// onDatasource resolves a field behind a gate on VIEWER.
func onDatasource(ctx context.Context, obj any, args map[string]any, of ...string) (any, error) {
	graphql.GetFieldContext(ctx).Args = args
	least := graph.Viewer
	return GateDirective(ctx, obj, func(ctx context.Context) (any, error) {
		if !wasLetThrough(ctx) {
			return nil, errors.New("resolved without the mark")
		}
		return "value", nil
	}, nil, &least, of, nil, nil)
}

func TestGateOnTheDatasourcesOfArguments(t *testing.T) {
	none := ""
	for _, c := range []struct {
		name string
		args map[string]any
		of   []string
		seen bool
		want fault.Code
		tell string
	}{
		{"held", map[string]any{"a": viewed}, []string{"a"}, true, "", ""},
		{"less held", map[string]any{"a": reported}, []string{"a"}, false, fault.CodeForbidden, "VIEWER on the datasource reported"},
		{"nothing held", map[string]any{"a": foreign}, []string{"a"}, false, fault.CodeForbidden, "VIEWER on the datasource foreign"},
		{"one of two", map[string]any{"a": viewed, "b": foreign}, []string{"a", "b"}, false, fault.CodeForbidden, "foreign"},
		{"the ungated one is not read", map[string]any{"a": viewed, "b": foreign}, []string{"a"}, true, "", ""},
		{"nothing there", map[string]any{"a": missing}, []string{"a"}, false, "", ""},
		{"one of two not there", map[string]any{"a": foreign, "b": missing}, []string{"a", "b"}, false, "", ""},
		{"outside the catalog", map[string]any{"a": outside}, []string{"a"}, true, "", ""},
		{"a list", map[string]any{"a": []string{viewed, reported}}, []string{"a"}, false, fault.CodeForbidden, "reported"},
		{"an empty list", map[string]any{"a": []string{}}, []string{"a"}, false, fault.CodeForbidden, ""},
		{"no id", map[string]any{"a": "x"}, []string{"a"}, false, fault.CodeBadUserInput, "a is no id"},
		{"an empty id", map[string]any{"a": &none}, []string{"a"}, false, fault.CodeBadUserInput, "a is no id"},
		{"left out", map[string]any{"a": (*string)(nil)}, []string{"a"}, false, fault.CodeForbidden, ""},
		{"no such argument", map[string]any{"a": viewed}, []string{"c"}, false, fault.CodeForbidden, ""},
		{"none named", map[string]any{"a": viewed}, nil, false, fault.CodeForbidden, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := 0
			v, err := onDatasource(field(WithRights(member(t), rights{&asked}), "Query", true), nil, c.args, c.of...)
			assert.Equal(t, c.want, fault.CodeOf(err))
			assert.Equal(t, c.seen, v != nil)
			if c.tell != "" {
				assert.ErrorContains(t, err, c.tell)
			}
			assert.LessOrEqual(t, asked, 1)
		})
	}
	_, err := onDatasource(field(member(t), "Query", true), nil, map[string]any{"a": viewed}, "a")
	require.Error(t, err, "a context that knows no rights lets nobody through")
	_, err = onDatasource(field(t.Context(), "Query", true), nil, map[string]any{"a": viewed}, "a")
	assert.Equal(t, fault.CodeUnauthenticated, fault.CodeOf(err))
}

func TestGateOnTheDatasourcesOfAnObjectIsABareNull(t *testing.T) {
	for name, c := range map[string]struct {
		ends []string
		seen bool
	}{
		"held": {[]string{viewed, outside}, true}, "one end": {[]string{viewed, foreign}, false}, "gone": {[]string{missing}, false}, "outside alone": {[]string{outside}, true},
	} {
		asked := 0
		v, err := onDatasource(field(WithRights(member(t), rights{&asked}), "Assertion", true), connected{c.ends}, nil)
		require.NoError(t, err, name)
		assert.Equal(t, c.seen, v != nil, name)
	}
}
