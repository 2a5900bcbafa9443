package limits

import (
	"context"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/assert"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

func TestErrorsAreOrderedByPath(t *testing.T) {
	at := func(path ...ast.PathElement) *gqlerror.Error {
		return &gqlerror.Error{Message: ast.Path(path).String(), Path: path}
	}
	a, list := ast.PathName("a"), ast.PathName("list")
	resp := errorCap{most: 4}.InterceptResponse(t.Context(), func(context.Context) *graphql.Response {
		return &graphql.Response{Errors: gqlerror.List{
			at(list, ast.PathIndex(10), a), at(list, ast.PathIndex(9)), at(list, ast.PathIndex(10)), at(a), at(list, ast.PathIndex(11)),
		}}
	})
	var got []string
	for _, err := range resp.Errors {
		got = append(got, err.Message)
	}
	assert.Equal(t, []string{"a", "list[9]", "list[10]", "There are 2 more errors. Mend these first."}, got, "which are left out does not depend on time either")
}
