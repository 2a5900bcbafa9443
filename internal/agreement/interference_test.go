package agreement

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/strata-gateway/strata/internal/testkit"
	"github.com/strata-gateway/strata/server"
)

// TestWhatACallerMayNotSeeChangesNothingThatTheySee makes a random world twice, with everything different
// that its caller may not know: suites' names, contents, owners, shares and older runs, and for a
// restricted viewer which restricted assets there are. The same operations get the same answers, to the
// byte: errors, totals, cursors, versions and completeness included, and take the same number of Cypher
// statements.
func TestWhatACallerMayNotSeeChangesNothingThatTheySee(t *testing.T) {
	ids := &switchedIDs{source: testkit.SeededIDs([32]byte{})}
	w := testkit.NewWorld(t, testkit.Clock(frozen), testkit.IDs(ids), testkit.Named(testkit.RandomName()))
	draws := 0
	rapid.Check(t, func(rt *rapid.T) {
		p := drawPlan(rt)
		draws++
		variants := [2]*builder{}
		build := func(v int) *builder {
			ids.use(fmt.Sprintf("%s %d workspace", w.Workspace, draws))
			w.Wipe()
			b := &builder{plan: p, World: w, ids: ids, name: fmt.Sprintf("%s %d", w.Workspace, draws), variant: v}
			b.build()
			return b
		}
		variants[0], variants[1] = build(0), build(1)
		require.Equal(rt, variants[0].public, variants[1].public, "what is public has the same ids")
		secret := append(variants[0].secret, variants[1].secret...)
		todo := operations(rt, append(variants[0].public, variants[0].caller.ID, variants[0].other.ID), secret)
		second := run(variants[1], todo, fmt.Sprintf("draw-%d-1", draws))
		first := run(build(0), todo, fmt.Sprintf("draw-%d-0", draws))
		for i := range first {
			require.Equal(rt, first[i], second[i], "%s tells the %s of what they may not see", todo[i].query, p.callerKind)
		}
	})
}

// run carries out the operations as the caller and returns all that each of them tells. The gateway is a new one: a
// world is made anew at the versions of the one before it, and what is kept of that is not of this.
func run(b *builder, todo []operation, name string) []string {
	g := testkit.NewGateway(b.T(), b.World, testkit.Keeping(b.T(), b.Store), func(d *server.Deps) { d.Limits.Complexity = 10_000_000 })
	defer g.Close()
	b.ids.use(b.name + " operations")
	requests := 0
	client := g.As(b.caller.Email).Naming(func() string {
		requests++
		return fmt.Sprintf("%s-%d", name, requests)
	})
	told := make([]string, len(todo))
	for i, op := range todo {
		for after, page := "", 0; page == 0 || (after != "" && page < 5); page++ {
			variables := map[string]any{}
			if after != "" {
				variables["after"] = after
			}
			answer := client.Query(b.T().Context(), op.query, variables, nil)
			told[i] += fmt.Sprintf("%d statements, %d: %s\n", answer.Statements, answer.Status, answer.Body)
			after = ""
			if op.paged {
				after = nextPage(answer.Data)
			}
		}
	}
	return told
}
