package agreement

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
)

// TestTheDetailsOfAnAssertionNeedBothEnds: who asserts an edge is for everyone, what they say besides for who holds
// VIEWER on the datasource of each end.
func TestTheDetailsOfAnAssertionNeedBothEnds(t *testing.T) {
	w := testkit.NewWorld(t)
	admin, member, viewer := w.Member(graph.RoleAdmin), w.Member(graph.RoleMember), w.Member(graph.RoleViewer)
	open, closed := w.Datasource(admin, "open", graph.Viewer), w.Datasource(admin, "closed", graph.Reporter)
	a, b, c := w.Asset(admin, open, "a"), w.Asset(admin, open, "b"), w.Asset(admin, closed, "c")
	g := testkit.NewGateway(t, w)
	end := func(asset string) string { return fmt.Sprintf("{asset: %q}", asset) }
	const outside = `{external: {system: "s3", model: "m"}}`
	for _, e := range []struct {
		name, source, target string
		shown                bool // to who holds VIEWER on open alone
	}{
		{"within", end(a.ID), end(b.ID), true}, {"into the closed one", end(a.ID), end(c.ID), false}, {"out of the closed one", end(c.ID), end(b.ID), false},
		{"from outside", outside, end(a.ID), true}, {"from outside into the closed one", outside, end(c.ID), false},
	} {
		t.Run(e.name, func(t *testing.T) {
			var made struct {
				AssertEdges struct{ Edges []struct{ ID, Target string } }
			}
			g.As(admin.Email).Query(t.Context(), fmt.Sprintf(`mutation { assertEdges(input: {category: COLLECTED, producer: "collector", scope: %q,
				edges: [{source: %s, target: %s, details: {job: "quotes rows"}}]}) { edges { id target } } }`, e.name, e.source, e.target), nil, &made).RequireNoErrors(t)
			for caller, shown := range map[string]bool{admin.Email: true, member.Email: e.shown, viewer.Email: e.shown} {
				var got struct {
					Lineage struct {
						Edges []struct {
							ID         string
							Assertions []struct {
								Producer string
								Details  *struct{ Job, Scope string }
							}
						}
					}
				}
				answer := g.As(caller).Query(t.Context(), fmt.Sprintf(`{ lineage(node: %q, depth: 1) { edges { id assertions { producer details { job scope } } } } }`, made.AssertEdges.Edges[0].Target), nil, &got)
				answer.RequireNoErrors(t)
				for _, x := range got.Lineage.Edges {
					if x.ID != made.AssertEdges.Edges[0].ID {
						continue
					}
					require.Len(t, x.Assertions, 1, caller)
					assert.Equal(t, "collector", x.Assertions[0].Producer)
					assert.Equal(t, shown, x.Assertions[0].Details != nil, caller)
				}
				assert.Equal(t, shown, strings.Contains(answer.Body, `"scope":"`+e.name+`"`), "nothing of it anywhere in the answer: %s", caller)
			}
		})
	}
}
