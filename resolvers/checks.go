package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/loaders"
)

// validCheck bounds what a check is made of, field where it stands in the input. Errors: BAD_USER_INPUT.
func validCheck(field, name, expectation string, s graph.Severity) error {
	if s == graph.SeverityNone {
		return fault.BadInput(field+".severity", "A check that fails is at least INFO: NONE says that nothing failed.")
	}
	return firstError(named(field+".name", name, maxName), named(field+".expectation", expectation, maxName))
}

// newCheckChange checks a change of a check. Errors: BAD_USER_INPUT.
func newCheckChange(in gql.UpdateCheckInput) (graph.CheckChange, error) {
	c := graph.CheckChange{
		Name: given(in.Name), Expectation: given(in.Expectation), Severity: given(in.Severity), Dimension: given(in.Dimension),
		Column: change(in.Column), Config: change(in.Config),
	}
	if err := identified("input.check", in.Check); err != nil {
		return c, err
	}
	if c.Name.Set {
		if err := named("input.name", c.Name.Value, maxName); err != nil {
			return c, err
		}
	}
	if c.Expectation.Set {
		if err := named("input.expectation", c.Expectation.Value, maxName); err != nil {
			return c, err
		}
	}
	if c.Severity.Set && c.Severity.Value == graph.SeverityNone {
		return c, fault.BadInput("input.severity", "A check that fails is at least INFO: NONE says that nothing failed.")
	}
	return c, nil
}

// checkPayload is the answer to a change of a check. Errors: NOT_FOUND if it was taken away since.
func (r *Resolver) checkPayload(ctx context.Context, suite, check string) (*gql.CheckPayload, error) {
	changed, err := r.suitePayload(ctx, suite)
	if err != nil {
		return nil, err
	}
	checks, err := loaders.From(ctx).Checks(ctx, suite)
	if err != nil {
		return nil, err
	}
	for _, c := range checks {
		if c.ID == check {
			return &gql.CheckPayload{Check: c, Suite: changed.Suite}, nil
		}
	}
	return nil, fault.NotFound("check")
}
