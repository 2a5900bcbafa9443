package agreement

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
)

// estate is a random world and what a plain reading of the rules says about it.
type estate struct {
	*testkit.World
	callers    []subject
	assets     []*asset
	suites     []*suite
	datasource string
}

// subject is a caller and what the reference needs to know of them.
type subject struct {
	testkit.Member
	name string
	// allSuites: a stored or allow-listed workspace admin.
	allSuites bool
	// restricted: does not see restricted assets.
	restricted bool
	// groups are those that hold shares for them, through groups in groups too.
	groups map[string]bool
}

type asset struct {
	id, name   string
	restricted bool
}

type suite struct {
	id, name string
	asset    *asset
	owner    string          // a member's id
	shares   map[string]bool // by the id of the member or group
	runs     []string
}

// sees reports whether the asset exists for the subject.
func (s subject) sees(a *asset) bool { return !a.restricted || !s.restricted }

// views reports whether the subject may view the suite.
func (s subject) views(x *suite) bool {
	held := x.shares[s.ID]
	for g, in := range s.groups {
		held = held || (in && x.shares[g])
	}
	return s.sees(x.asset) && (s.allSuites || x.owner == s.ID || held)
}

// allowListed is the name of the viewer whose address is on the allow-list.
const allowListed = "listed"

// drawEstate makes a world: up to six assets of two datasources, edges (cycles, self edges and pairs of
// several categories included), suites of several owners, shares, runs that pass and fail, and
// assets that are restricted.
func drawEstate(t *testing.T, rt *rapid.T) *estate {
	w := testkit.NewWorld(t, testkit.AllowListedNames(allowListed))
	e := &estate{World: w}
	admin := w.Member(graph.RoleAdmin)
	e.callers = []subject{
		{Member: admin, name: "admin", allSuites: true},
		{Member: w.Member(graph.RoleManager), name: "manager"},
		{Member: w.Member(graph.RoleMember), name: "member"},
		{Member: w.Enrol("colleague", graph.RoleMember, graph.Unrestricted), name: "colleague"},
		{Member: w.Member(graph.RoleViewer), name: "viewer"},
		{Member: w.Restricted(), name: "restricted viewer", restricted: true},
		{Member: w.Enrol(allowListed, graph.RoleViewer, graph.Restricted), name: "allow-listed viewer", allSuites: true},
		{Member: w.Enrol("guest", graph.RoleViewer, graph.Unrestricted), name: "viewer whom a team restricts", restricted: true},
		{Member: w.Enrol("trainee", graph.RoleMember, graph.Unrestricted), name: "member in the team that restricts viewers"},
	}
	w.RestrictingTeam(admin, "guests", w.Enrol("guest", graph.RoleViewer, graph.Unrestricted), w.Enrol("trainee", graph.RoleMember, graph.Unrestricted))
	groups := e.drawGroups(rt, admin)
	e.drawGraph(t, rt, admin)
	e.drawSuites(rt, admin, groups)
	for i, a := range e.assets {
		if rapid.IntRange(0, 3).Draw(rt, fmt.Sprintf("asset %d is restricted when 0", i)) == 0 {
			w.Restrict(a.id)
			a.restricted = true
		}
	}
	return e
}

func (e *estate) drawGraph(t *testing.T, rt *rapid.T, admin testkit.Member) {
	names := make([]string, rapid.IntRange(1, 6).Draw(rt, "assets"))
	edges := make([]string, len(names))
	for i := range names {
		names[i] = fmt.Sprintf("asset.n%d", i)
		edges[i] = names[i]
	}
	for range rapid.IntRange(0, 8).Draw(rt, "edges") {
		a, b := rapid.SampledFrom(names).Draw(rt, "from"), rapid.SampledFrom(names).Draw(rt, "to")
		edges = append(edges, a+">"+b)
	}
	d := e.Datasource(admin, "warehouse", rapid.SampledFrom([]graph.TeamPermission{"", graph.Reporter, graph.Viewer, graph.Editor}).Draw(rt, "everyone"))
	e.datasource = d.ID
	ids := e.Graph(admin, d, "project", edges...)
	for _, n := range names {
		require.Contains(t, ids, n)
		e.assets = append(e.assets, &asset{id: ids[n], name: n})
	}
}

// drawGroups makes two groups, one in the other and sometimes in a circle, and draws who is in which.
func (e *estate) drawGroups(rt *rapid.T, admin testkit.Member) []string {
	inner, outer := e.Group(admin, "inner"), e.Group(admin, "outer")
	e.Group(admin, "outer", inner)
	circle := rapid.Bool().Draw(rt, "a circle")
	if circle {
		e.Group(admin, "inner", outer)
	}
	for i := range e.callers {
		c := &e.callers[i]
		c.groups = map[string]bool{}
		switch rapid.IntRange(0, 3).Draw(rt, c.name+" is in the inner group when 0, in the outer when 1") {
		case 0:
			e.Group(admin, "inner", c.ID)
			c.groups[inner], c.groups[outer] = true, true
		case 1:
			e.Group(admin, "outer", c.ID)
			c.groups[outer], c.groups[inner] = true, circle
		}
	}
	return []string{inner, outer}
}

func (e *estate) drawSuites(rt *rapid.T, admin testkit.Member, groups []string) {
	owners := e.callers[:4] // a viewer creates none
	for i := range rapid.IntRange(0, 6).Draw(rt, "suites") {
		owner := rapid.SampledFrom(owners).Draw(rt, "owner")
		s := &suite{
			name: fmt.Sprintf("suite %d", i), asset: rapid.SampledFrom(e.assets).Draw(rt, "on"), owner: owner.ID, shares: map[string]bool{},
		}
		s.id = e.Suite(admin, s.asset.id, s.name, "complete", "unique")
		e.Give(s.id, owner.Member)
		for range rapid.IntRange(0, 2).Draw(rt, "runs") {
			failing := rapid.SliceOfDistinct(rapid.SampledFrom([]string{"complete", "unique"}), rapid.ID).Draw(rt, "failing")
			s.runs = append(s.runs, e.Run(admin, s.id, failing...))
		}
		for _, c := range e.callers {
			if c.ID != owner.ID && rapid.IntRange(0, 4).Draw(rt, "shared with "+c.name+" when 0") == 0 {
				e.Share(admin, s.id, c.Member, graph.ShareView)
				s.shares[c.ID] = true
			}
		}
		for _, g := range groups {
			if rapid.IntRange(0, 3).Draw(rt, "shared with a group when 0") == 0 {
				e.ShareWithGroup(admin, s.id, g, graph.ShareView)
				s.shares[g] = true
			}
		}
		e.suites = append(e.suites, s)
	}
}

// viewable are the ids of the subject's suites on an asset, by name.
func (e *estate) viewable(c subject, a *asset) []string {
	ids := []string{}
	for _, s := range e.suites {
		if s.asset == a && c.views(s) {
			ids = append(ids, s.id)
		}
	}
	return ids // suites are drawn in the order of their names
}

// monitoredBy is how many suites an asset has, whoever may view them.
func (e *estate) monitoredBy(a *asset) int {
	return len(slices.DeleteFunc(slices.Clone(e.suites), func(s *suite) bool { return s.asset != a }))
}
