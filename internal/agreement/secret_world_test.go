package agreement

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
)

// plan is a random world that can be made in two variants: equal in all that its caller may know, and
// different in what they may not.
type plan struct {
	callerKind string
	// assets and edges are public; an edge is a pair of indexes.
	assets int
	edges  [][2]int
	// externals are the indexes of assets that something outside feeds.
	externals []int
	suites    []suitePlan
	// grouped: the caller holds their shares through a group in a group.
	grouped bool
	// hidden are, for each variant, the assets that the caller may not know.
	hidden [2][]hiddenPlan
}

// suitePlan is a suite. What is public of it are its asset and what the verdict tells; the rest differs
// between the variants unless the caller may view it.
type suitePlan struct {
	asset      int
	level      authz.SuiteLevel // the caller's
	severities []graph.Severity
	dimensions []graph.Dimension
	// runs say of each run which checks fail; the last is the latest. secret are more, older ones.
	runs   [][]bool
	secret [2]int
}

// hiddenPlan is an asset that exists in one variant only, and what it touches.
type hiddenPlan struct {
	feeds, fedBy []int
	external     bool
	monitored    bool
}

func drawPlan(rt *rapid.T) plan {
	p := plan{
		callerKind: rapid.SampledFrom([]string{"member", "manager", "viewer", "restricted"}).Draw(rt, "caller"),
		assets:     rapid.IntRange(1, 4).Draw(rt, "assets"), grouped: rapid.Bool().Draw(rt, "grouped"),
	}
	index := rapid.IntRange(0, p.assets-1)
	for range rapid.IntRange(0, 5).Draw(rt, "edges") {
		if a, b := index.Draw(rt, "from"), index.Draw(rt, "to"); a != b {
			p.edges = append(p.edges, [2]int{a, b})
		}
	}
	p.externals = rapid.SliceOfNDistinct(index, 0, 2, rapid.ID).Draw(rt, "fed from outside")
	for range rapid.IntRange(0, 4).Draw(rt, "suites") {
		p.suites = append(p.suites, drawSuite(rt, index))
	}
	if p.callerKind == "restricted" {
		for variant := range p.hidden {
			for range rapid.IntRange(0, 2).Draw(rt, "hidden") {
				p.hidden[variant] = append(p.hidden[variant], hiddenPlan{
					feeds: rapid.SliceOfNDistinct(index, 0, 2, rapid.ID).Draw(rt, "feeds"), fedBy: rapid.SliceOfNDistinct(index, 0, 2, rapid.ID).Draw(rt, "fed by"),
					external: rapid.Bool().Draw(rt, "external"), monitored: rapid.Bool().Draw(rt, "monitored"),
				})
			}
		}
	}
	return p
}

func drawSuite(rt *rapid.T, index *rapid.Generator[int]) suitePlan {
	s := suitePlan{asset: index.Draw(rt, "on"), level: rapid.SampledFrom([]authz.SuiteLevel{"", "", authz.SuiteView, authz.SuiteEdit, authz.SuiteOwner}).Draw(rt, "level")}
	checks := rapid.IntRange(1, 3).Draw(rt, "checks")
	for range checks {
		s.severities = append(s.severities, rapid.SampledFrom([]graph.Severity{graph.SeverityInfo, graph.SeverityWarning, graph.SeverityCritical}).Draw(rt, "severity"))
		s.dimensions = append(s.dimensions, rapid.SampledFrom(graph.Dimensions()).Draw(rt, "dimension"))
	}
	for range rapid.IntRange(0, 2).Draw(rt, "runs") {
		s.runs = append(s.runs, rapid.SliceOfN(rapid.Bool(), checks, checks).Draw(rt, "fails"))
	}
	if len(s.runs) > 0 { // without a run an older one would be the latest
		s.secret = [2]int{rapid.IntRange(0, 2).Draw(rt, "older runs"), rapid.IntRange(0, 2).Draw(rt, "older runs")}
	}
	return s
}

// frozen is when everything happens.
func frozen() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

// switchedIDs makes ids from the source that is set.
type switchedIDs struct {
	mu     sync.Mutex
	source graph.IDs
}

func (s *switchedIDs) New(k graph.Kind) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.source.New(k)
}

func (s *switchedIDs) use(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.source = testkit.SeededIDs(sha256.Sum256([]byte(name)))
}

// builder makes one variant of a plan.
type builder struct {
	plan
	*testkit.World
	ids     *switchedIDs
	name    string // of the world and its draw: what ids are derived from
	variant int
	parts   int // how many secrets were made

	owner, caller, other testkit.Member
	warehouse            *graph.Datasource
	assets               []*graph.Asset
	payrolls             []string // the ids of the assets that only this variant has
	// public and secret are ids that are in the answers or may not be: what the operations ask for.
	public, secret []string
}

// secretly has what is made next get ids of the variant's own.
func (b *builder) secretly(make func()) {
	b.parts++
	b.ids.use(fmt.Sprintf("%s secret %d of %d", b.name, b.parts, b.variant))
	make()
	b.ids.use(fmt.Sprintf("%s public %d", b.name, b.parts))
}

// build makes the variant in an empty world.
func (b *builder) build() {
	b.ids.use(b.name + " people")
	b.owner = b.Member(graph.RoleAdmin)
	b.other = b.Enrol("colleague", graph.RoleMember, graph.Unrestricted)
	b.caller = map[string]func() testkit.Member{
		"member":  func() testkit.Member { return b.Member(graph.RoleMember) },
		"manager": func() testkit.Member { return b.Member(graph.RoleManager) },
		"viewer":  func() testkit.Member { return b.Member(graph.RoleViewer) }, "restricted": b.Restricted,
	}[b.callerKind]()
	b.ids.use(b.name + " assets")
	b.warehouse = b.Datasource(b.owner, "warehouse", graph.Viewer)
	for i := range b.plan.assets {
		a := b.Asset(b.owner, b.warehouse, fmt.Sprintf("shop.table%d", i), "shop")
		b.assets, b.public = append(b.assets, a), append(b.public, a.ID, b.Column(a.ID, "c0"), b.Column(a.ID, "c1"))
	}
	b.secretly(b.restrictSome)
	for _, e := range b.edges {
		b.public = append(b.public, b.feed(b.assets[e[0]].ID, b.assets[e[1]].ID))
	}
	for _, i := range b.externals {
		b.public = append(b.public, b.FedBy(b.owner, b.assets[i].ID, "s3", fmt.Sprintf("bucket%d", i)).Source)
	}
	b.buildSuites()
	b.secretly(b.buildHidden)
}

// restrictSome makes the assets that only this variant has. That they were open for a moment is nobody's
// secret, so it is forgotten; nothing that happens to them later may be seen to happen.
func (b *builder) restrictSome() {
	for i := range b.hidden[b.variant] {
		a := b.Asset(b.owner, b.warehouse, fmt.Sprintf("hr.payroll%d.of%d", i, b.variant), "shop", "pii")
		b.Restrict(a.ID)
		b.payrolls, b.secret = append(b.payrolls, a.ID), append(b.secret, a.ID, b.Column(a.ID, "c0"), b.Column(a.ID, "c1"))
	}
	b.ForgetVersions()
}

// feed draws an edge with its columns: the first depends on the first, and all of them on the second.
func (b *builder) feed(source, target string) string {
	edge := b.Feeds(b.owner, source, target).ID
	column := func(asset, name string) string { return graph.DerivedID(graph.KindColumn, asset, name) }
	first := column(target, "c0")
	b.Depends(b.owner, edge, graph.NewColumnPair{Source: column(source, "c0"), Target: &first, Kind: graph.Direct}, graph.NewColumnPair{Source: column(source, "c1"), Kind: graph.Indirect})
	return edge
}

// buildHidden makes what is around them.
func (b *builder) buildHidden() {
	for i, h := range b.hidden[b.variant] {
		id := b.payrolls[i]
		for _, t := range h.feeds {
			b.secret = append(b.secret, b.feed(id, b.assets[t].ID))
		}
		for _, s := range h.fedBy {
			b.secret = append(b.secret, b.feed(b.assets[s].ID, id))
		}
		if h.external {
			b.secret = append(b.secret, b.FedBy(b.owner, id, "s3", fmt.Sprintf("salaries%d of %d", i, b.variant)).Source)
		}
		if h.monitored {
			s := b.World.Suite(b.owner, id, "payroll", "complete")
			b.secret = append(b.secret, s, b.World.Run(b.owner, s, "complete"))
		}
	}
}
