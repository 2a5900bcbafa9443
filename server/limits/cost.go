package limits

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// costLimit is gqlgen's complexity limit with an error of ours. The cost of each
// list is set where the schema's executor is configured.
type costLimit struct {
	*extension.ComplexityLimit
	most int
}

func newCostLimit(most int) costLimit {
	return costLimit{ComplexityLimit: extension.FixedComplexityLimit(most), most: most}
}

// MutateOperationContext implements graphql.OperationContextMutator.
func (c costLimit) MutateOperationContext(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	refused := c.ComplexityLimit.MutateOperationContext(ctx, op)
	if refused == nil {
		return nil
	}
	actual := c.most + 1
	stats, ok := op.Stats.GetExtension(c.ExtensionName()).(*extension.ComplexityStats)
	if ok {
		actual = stats.Complexity
	}
	return gqlerror.Wrap(exceeded(actual, c.most, "points of cost"))
}
