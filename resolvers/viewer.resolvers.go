package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
)

func (r *queryResolver) Viewer(ctx context.Context) (*authz.Viewer, error) {
	c, err := authz.CallerFrom(ctx)
	if err != nil {
		return nil, err
	}
	return c.Viewer(), nil
}
