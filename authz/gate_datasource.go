package authz

import (
	"context"
	"errors"

	"github.com/99designs/gqlgen/graphql"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// Rights finds what datasources say of the caller.
type Rights interface {
	// Touched returns the datasources that things stand for: of a datasource itself, of an asset or a column
	// its own, of an external node none. It reports false if one of the things is nothing that the caller may
	// know.
	Touched(ctx context.Context, ids ...string) (facts []graph.DatasourceFacts, found bool, err error)
	// Datasources returns datasources. It reports false if one of them is nothing that the caller may know.
	Datasources(ctx context.Context, ids ...string) (facts []graph.DatasourceFacts, found bool, err error)
}

// touching is an object about datasources: Touches are their ids.
type touching interface{ Touches() []string }

type rightsKey struct{}

// WithRights returns a context in which gates find the rights on datasources.
func WithRights(ctx context.Context, r Rights) context.Context {
	return context.WithValue(ctx, rightsKey{}, r)
}

var (
	errNoRights   = errors.New("a gate on a datasource in a context that knows no rights")
	errNoArgument = errors.New("a gate on a datasource that names no argument with an id")
)

// asksForDatasourceAlone reports whether a team permission decides, whatever the field returns.
func (g Gate) asksForDatasourceAlone() bool {
	return g.Datasource != nil && g.Suite == nil && g.Role == nil && g.Rows == nil
}

// onDatasources decides before the field is resolved. Of the arguments that it names it is FORBIDDEN with
// what is missing, or a bare null where one names nothing; on an object it is a bare null, since a list of
// objects would answer with as many errors.
func (g Gate) onDatasources(ctx context.Context, c *Caller, obj any) (passed bool, err error) {
	rights, ok := ctx.Value(rightsKey{}).(Rights)
	if !ok {
		return false, fault.Wrap(fault.CodeForbidden, "You may not see this.", errNoRights)
	}
	find, byArgument := rights.Touched, len(g.Of) > 0
	ids, err := g.argumentIDs(ctx)
	if err != nil {
		return false, err
	}
	if t, ok := obj.(touching); ok && !byArgument {
		find, ids = rights.Datasources, t.Touches()
	} else if len(ids) == 0 {
		return false, fault.Wrap(fault.CodeForbidden, "You may not see this.", errNoArgument)
	}
	facts, found, err := find(ctx, ids...)
	if err != nil || !found {
		return false, err
	}
	d := OnDatasources(c, facts, *g.Datasource)
	if byArgument {
		return d.Allowed, d.Err()
	}
	return d.Allowed, nil
}

// argumentIDs are the ids in the arguments that the gate names. Errors: BAD_USER_INPUT for what is no id.
func (g Gate) argumentIDs(ctx context.Context) ([]string, error) {
	fc := graphql.GetFieldContext(ctx)
	if fc == nil {
		return nil, nil
	}
	var all []string
	for _, name := range g.Of {
		var ids []string
		switch v := fc.Args[name].(type) {
		case string:
			ids = []string{v}
		case *string:
			if v != nil {
				ids = []string{*v}
			}
		case []string:
			ids = v
		}
		for _, id := range ids {
			if graph.KindOf(id) == "" {
				return nil, fault.NoID(name)
			}
		}
		all = append(all, ids...)
	}
	return all, nil
}
