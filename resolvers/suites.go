package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
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

// validSuite bounds a new suite and its checks. Errors: BAD_USER_INPUT.
func validSuite(in gql.CreateSuiteInput) error {
	if err := firstError(
		identified("input.asset", in.Asset), named("input.name", in.Name, maxName),
		bounded("input.description", in.Description, maxDescription), atMost("input.checks", len(in.Checks), maxChecks),
	); err != nil {
		return err
	}
	for _, c := range in.Checks {
		if c.Severity == graph.SeverityNone {
			return fault.BadInput("input.checks.severity", "A check that fails is at least INFO: NONE says that nothing failed.")
		}
		if err := firstError(named("input.checks.name", c.Name, maxName), named("input.checks.expectation", c.Expectation, maxName)); err != nil {
			return err
		}
	}
	return nil
}

func newSuite(in gql.CreateSuiteInput) graph.NewSuite {
	out := graph.NewSuite{Asset: in.Asset, Name: in.Name, Description: in.Description}
	for _, c := range in.Checks {
		out.Checks = append(out.Checks, graph.NewCheck{
			Name: c.Name, Expectation: c.Expectation, Column: c.Column, Severity: c.Severity, Dimension: c.Dimension, Config: c.Config,
		})
	}
	return out
}
