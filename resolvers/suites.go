package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/loaders"
)

// suite finds a suite by id, nil if there is none; whether the caller may view it is the gate's to say.
func (r *Resolver) suite(ctx context.Context, id string) (*graph.Suite, error) {
	scope, err := authz.ScopeFrom(ctx)
	if err != nil {
		return nil, err
	}
	found, err := r.Store.Suites(ctx, scope, []string{id})
	return found[id], err
}

// suitePayload is the answer to a change of a suite. Errors: NOT_FOUND if it was deleted since.
func (r *Resolver) suitePayload(ctx context.Context, id string) (*gql.SuitePayload, error) {
	changed, err := r.suite(ctx, id)
	if err != nil {
		return nil, err
	}
	if changed == nil {
		return nil, fault.NotFound("suite")
	}
	return &gql.SuitePayload{Suite: changed}, nil
}

// newSuiteChange checks a change of a suite. Errors: BAD_USER_INPUT.
func newSuiteChange(in gql.UpdateSuiteInput) (graph.SuiteChange, error) {
	c := graph.SuiteChange{Name: given(in.Name), Description: textChange(in.Description)}
	if err := firstError(identified("input.suite", in.Suite), prose("input.description", c.Description.Value, maxDescription)); err != nil {
		return c, err
	}
	if c.Name.Set {
		return c, named("input.name", c.Name.Value, maxName)
	}
	return c, nil
}

// keeps is the share that a previous owner keeps, "" for none.
func keeps(k gql.OwnerKeeps) graph.SharePermission {
	if k == gql.OwnerKeepsNone {
		return ""
	}
	return graph.SharePermission(k)
}

// validSuite bounds a new suite and its checks. Errors: BAD_USER_INPUT.
func validSuite(in gql.CreateSuiteInput) error {
	if err := firstError(
		identified("input.asset", in.Asset), named("input.name", in.Name, maxName),
		prose("input.description", in.Description, maxDescription), atMost("input.checks", len(in.Checks), maxChecks),
	); err != nil {
		return err
	}
	for _, c := range in.Checks {
		if err := validCheck("input.checks", c.Name, c.Expectation, c.Severity); err != nil {
			return err
		}
	}
	return nil
}

func newSuite(in gql.CreateSuiteInput) graph.NewSuite {
	out := graph.NewSuite{Asset: in.Asset, Name: in.Name, Description: nonEmpty(in.Description)}
	for _, c := range in.Checks {
		out.Checks = append(out.Checks, graph.NewCheck{
			Name: c.Name, Expectation: c.Expectation, Column: c.Column, Severity: c.Severity, Dimension: c.Dimension, Config: c.Config,
		})
	}
	return out
}

// restrictedSuites counts the suites of an asset that the caller may not view. Someone whose groups are
// too many to be looked through may view none, and is told so by the list of suites.
func (r *Resolver) restrictedSuites(ctx context.Context, asset string) (int, error) {
	scope, err := authz.ScopeFrom(ctx)
	if err != nil {
		return 0, err
	}
	if scope.Groups.Exceeded && !scope.AllSuites {
		v, err := loaders.From(ctx).Verdict(ctx, asset)
		if err != nil || v == nil {
			return 0, err
		}
		return v.SuiteCount, nil
	}
	found, err := loaders.From(ctx).Suites(ctx, graph.SuitesOf{Asset: asset})
	return found.All - found.Total, err
}

// newShare checks whom a share is for. Errors: BAD_USER_INPUT.
func newShare(in gql.ShareSuiteInput) (graph.NewShare, error) {
	if (in.User == nil) == (in.Group == nil) {
		return graph.NewShare{}, fault.BadInput("input", "Give exactly one of user and group.")
	}
	out := graph.NewShare{Suite: in.Suite, Permission: in.Permission}
	field, holder := "input.user", in.User
	if in.Group != nil {
		field, holder = "input.group", in.Group
		out.Group = *in.Group
	} else {
		out.User = *in.User
	}
	return out, firstError(identified("input.suite", in.Suite), identified(field, *holder))
}
