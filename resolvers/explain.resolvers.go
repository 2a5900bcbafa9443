package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
)

func (r *queryResolver) ExplainAccess(ctx context.Context, subject string, object string, action string) (*authz.Explanation, error) {
	c, err := authz.CallerFrom(ctx)
	if err != nil {
		return nil, err
	}
	access, err := authz.AccessNamed(action)
	if err != nil {
		return nil, err
	}
	if err := identified("subject", subject); err != nil {
		return nil, err
	}
	if access.About != "" {
		if err := identified("object", object); err != nil {
			return nil, err
		}
	}
	if err := authz.OnExplanation(c, subject).Err(); err != nil {
		return nil, err
	}
	return r.explain(ctx, c, access, subject, object)
}
