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

func TestChangesOfOneRequestSeeEachOther(t *testing.T) {
	w := testkit.NewWorld(t)
	manager := w.Member(graph.RoleManager)
	a := w.Asset(manager, w.Datasource(manager, "warehouse", graph.Viewer), "shop.orders")
	suite := w.Suite(manager, a.ID, "orders")
	check := func(name string) string {
		return fmt.Sprintf(`%s: createCheck(input: {suite: %q, name: %q, expectation: "e", dimension: VALIDITY}) { check { name } suite { checks { name } asset { verdict { scorecard { dimension } } } } }`, name, suite, name)
	}
	var got map[string]struct {
		Check struct{ Name string }
		Suite struct {
			Checks []struct{ Name string }
			Asset  struct {
				Verdict struct{ Scorecard []struct{ Dimension string } }
			}
		}
	}
	testkit.NewGateway(t, w).As(manager.Email).Query(t.Context(), "mutation { "+check("a")+" "+check("b")+" }", nil, &got).RequireNoErrors(t)
	assert.Len(t, got["a"].Suite.Checks, 1)
	assert.Len(t, got["b"].Suite.Checks, 2)
	assert.Equal(t, "b", got["b"].Check.Name)
	assert.Len(t, got["b"].Suite.Asset.Verdict.Scorecard, 1, "coverage follows at once")
}

// TestSuiteChangesByWhatIsHeld runs each change of a suite as someone of every level, on a suite made for it.
func TestSuiteChangesByWhatIsHeld(t *testing.T) {
	w := testkit.NewWorld(t)
	admin, owner := w.Member(graph.RoleAdmin), w.Enrol("owner", graph.RoleMember, graph.Unrestricted)
	d := w.Datasource(admin, "warehouse", graph.Viewer)
	a, hidden := w.Asset(admin, d, "shop.orders"), w.Asset(admin, d, "hr.payroll")
	w.Restrict(hidden.ID)
	viewer := w.Member(graph.RoleViewer)
	callers := []struct {
		name  string
		as    testkit.Member
		on    string // the asset
		level string
	}{
		{"admin", admin, a.ID, ""},
		{"owner", owner, a.ID, "OWNER"},
		{"holder of EDIT", w.Enrol("editor", graph.RoleMember, graph.Unrestricted), a.ID, "EDIT"},
		{"holder of VIEW", w.Enrol("reader", graph.RoleManager, graph.Unrestricted), a.ID, "VIEW"},
		{"stranger", w.Member(graph.RoleManager), a.ID, ""},
		{"owner who became a viewer", viewer, a.ID, "OWNER"},
		{"restricted owner of a suite on a hidden asset", w.Restricted(), hidden.ID, "OWNER"},
	}
	g := testkit.NewGateway(t, w)
	const allowed, forbidden, missing, bad = "", "FORBIDDEN", "NOT_FOUND", "BAD_USER_INPUT"
	for _, c := range []struct {
		name, mutation string // SUITE, CHECK, SHARE, MEMBER, VIEWER stand for ids
		codes          [7]string
	}{
		{"updateSuite", `updateSuite(input: {suite: "SUITE", name: "renamed", description: null}) { suite { id name } }`, [7]string{allowed, allowed, allowed, forbidden, missing, forbidden, missing}},
		{"createCheck", `createCheck(input: {suite: "SUITE", name: "c", expectation: "e", dimension: VALIDITY}) { check { id } suite { id } }`, [7]string{allowed, allowed, allowed, forbidden, missing, forbidden, missing}},
		{"createCheck on no column", `createCheck(input: {suite: "SUITE", name: "c", expectation: "e", column: "none", dimension: VALIDITY}) { check { id } }`, [7]string{bad, bad, bad, forbidden, missing, forbidden, missing}},
		{"updateCheck", `updateCheck(input: {check: "CHECK", severity: CRITICAL}) { check { id severity } }`, [7]string{allowed, allowed, allowed, forbidden, missing, forbidden, missing}},
		{"deleteCheck", `deleteCheck(input: {check: "CHECK"}) { id }`, [7]string{allowed, allowed, allowed, forbidden, missing, forbidden, missing}},
		{"transferSuite", `transferSuite(input: {suite: "SUITE", newOwner: "MEMBER"}) { suite { id owner { id } } }`, [7]string{allowed, forbidden, forbidden, forbidden, missing, forbidden, missing}},
		{"transferSuite to a viewer", `transferSuite(input: {suite: "SUITE", newOwner: "VIEWER"}) { suite { id } }`, [7]string{bad, forbidden, forbidden, forbidden, missing, forbidden, missing}},
		{"transferSuite to nobody", `transferSuite(input: {suite: "SUITE", newOwner: "user_00000000000000000000000000000000"}) { suite { id } }`, [7]string{bad, forbidden, forbidden, forbidden, missing, forbidden, missing}},
		{"shareSuite", `shareSuite(input: {suite: "SUITE", user: "MEMBER", permission: VIEW}) { share { id } }`, [7]string{allowed, allowed, forbidden, forbidden, missing, forbidden, missing}},
		{"revokeShare", `revokeShare(input: {share: "SHARE"}) { id }`, [7]string{allowed, allowed, missing, missing, missing, missing, missing}},
		{"deleteSuite", `deleteSuite(input: {suite: "SUITE"}) { id }`, [7]string{allowed, allowed, forbidden, forbidden, missing, forbidden, missing}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, caller := range callers {
				suite := w.Suite(admin, caller.on, "orders", "complete")
				check := w.CheckOf(admin, suite, "complete")
				share := w.Share(admin, suite, w.Enrol("grantee", graph.RoleMember, graph.Unrestricted), graph.ShareView)
				w.Give(suite, owner)
				switch caller.level {
				case "OWNER":
					w.Give(suite, caller.as)
				case "VIEW", "EDIT":
					w.Share(admin, suite, caller.as, graph.SharePermission(caller.level))
				}
				mutation := strings.NewReplacer("SUITE", suite, "CHECK", check, "SHARE", share, "MEMBER", w.Member(graph.RoleMember).ID, "VIEWER", viewer.ID).Replace(c.mutation)
				before := w.Events()
				answer := g.As(caller.as.Email).Query(t.Context(), "mutation { "+mutation+" }", nil, nil)
				if c.codes[i] == allowed {
					answer.RequireNoErrors(t)
					assert.Equal(t, before+1, w.Events(), "%s leaves one event", caller.name)
					continue
				}
				require.Equal(t, []string{c.codes[i]}, answer.Codes(), "%s: %+v", caller.name, answer.Errors)
				assert.Equal(t, before, w.Events(), "what is refused to the %s writes nothing", caller.name)
			}
		})
	}
}
