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

// TestTheLadderOfManySuitesIsOneStatement lists 200 suites of several owners with the caller's level on each,
// half of which a group holds for them.
func TestTheLadderOfManySuitesIsOneStatement(t *testing.T) {
	w := testkit.NewWorld(t)
	manager, member := w.Member(graph.RoleManager), w.Member(graph.RoleMember)
	a := w.Asset(manager, w.Datasource(manager, "warehouse", graph.Viewer), "shop.orders")
	group := w.Group(w.Member(graph.RoleAdmin), "readers", member.ID)
	for i := range 220 {
		suite := w.Suite(manager, a.ID, fmt.Sprintf("suite %03d", i))
		switch {
		case i >= 200: // the caller holds nothing on these
		case i%2 == 0:
			w.Share(manager, suite, member, graph.ShareEdit)
		default:
			w.ShareWithGroup(manager, suite, group, graph.ShareView)
		}
	}
	var out struct {
		Suites struct {
			TotalCount int
			Edges      []struct{ Node struct{ MyPermission string } }
		}
	}
	answer := testkit.NewGateway(t, w).As(member.Email).Query(t.Context(), `{ suites(first: 200) { totalCount edges { node { myPermission } } } }`, nil, &out)
	answer.RequireNoErrors(t)
	assert.Equal(t, 2, answer.Statements, "who asks, and the list")
	assert.Equal(t, 200, out.Suites.TotalCount)
	require.Len(t, out.Suites.Edges, 200)
	levels := map[string]int{}
	for _, e := range out.Suites.Edges {
		levels[e.Node.MyPermission]++
	}
	assert.Equal(t, map[string]int{"EDIT": 100, "VIEW": 100}, levels)
}
