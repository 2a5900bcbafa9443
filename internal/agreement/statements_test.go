package agreement

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
)

// page asks of each asset what a list of a frontend shows.
const page = `query($first: Int!) { assets(first: $first) { totalCount edges { node {
  id name datasource { name } columns(first: 5) { edges { node { name } } }
  verdict { worstSeverity checksTotal checksPassed }
  suites(first: 5) { edges { node { name runs(first: 1) { edges { node { state finishedAt } } } } } }
} } } }`

func TestAPageCostsAsManyStatementsWhateverItsSize(t *testing.T) {
	w := testkit.NewWorld(t)
	admin := w.Member(graph.RoleAdmin)
	d := w.Datasource(admin, "warehouse", graph.Viewer)
	var names []string
	for i := range 60 {
		names = append(names, fmt.Sprintf("asset.n%02d", i))
	}
	ids := w.Graph(admin, d, "project", names...)
	for i := range 20 {
		suite := w.Suite(admin, ids[names[i*3]], fmt.Sprintf("suite %d", i), "complete")
		w.Run(admin, suite)
	}
	g := testkit.NewGateway(t, w)
	for _, who := range []testkit.Member{admin, w.Member(graph.RoleMember), w.Restricted()} {
		for _, size := range []int{1, 10, 50} {
			var out struct {
				Assets struct {
					TotalCount int
					Edges      []struct {
						Node struct {
							ID, Name   string
							Datasource struct{ Name string }
							Columns    struct {
								Edges []struct{ Node struct{ Name string } }
							}
							Verdict struct {
								WorstSeverity             *string
								ChecksTotal, ChecksPassed int
							}
							Suites struct {
								Edges []struct {
									Node struct {
										Name string
										Runs struct {
											Edges []struct {
												Node struct{ State, FinishedAt string }
											}
										}
									}
								}
							}
						}
					}
				}
			}
			answer := g.As(who.Email).Query(t.Context(), page, map[string]any{"first": size}, &out)
			answer.RequireNoErrors(t)
			require.Len(t, out.Assets.Edges, size)
			assert.Equal(t, 60, out.Assets.TotalCount)
			assert.LessOrEqual(t, answer.Statements, 6, "%s, %d assets", who.Email, size)
			if who == admin {
				first := out.Assets.Edges[0].Node.Suites.Edges[0].Node
				assert.Equal(t, "suite 0", first.Name)
				assert.Equal(t, "SUCCEEDED", first.Runs.Edges[0].Node.State)
			}
		}
	}
}
