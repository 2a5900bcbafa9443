package lineage

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/strata-gateway/strata/cache"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/slots"
)

// maxResults is how many results an impact lists.
const maxResults = 200_000

// ImpactField is what an impact is ordered by.
type ImpactField string

// The fields. Ties fall to the degree, then to the id.
const (
	ByDegree    ImpactField = "DEGREE"
	BySeverity  ImpactField = "SEVERITY"
	ByName      ImpactField = "NAME"
	ByConsumers ImpactField = "CONSUMERS"
)

// ImpactQuery says where an impact starts, whither it goes, what of it is listed, and in which order.
type ImpactQuery struct {
	Node      string
	Direction graph.Direction
	Depth     int
	Filter    graph.WalkFilter
	OrderBy   ImpactField
	// Descending turns the order of the field around, not that of ties.
	Descending bool
}

// ImpactStore is what an impact reads.
type ImpactStore interface {
	// Impact returns everything within reach, in no order.
	Impact(context.Context, graph.Audience, graph.ImpactQuery) ([]graph.Impacted, error)
	// Ranking returns assets of a datasource with the size and the worst verdict of what they lead to.
	Ranking(ctx context.Context, audience graph.Audience, datasource string, limit int) ([]graph.Ranked, error)
	// Topology returns nodes and the edges among them.
	Topology(ctx context.Context, audience graph.Audience, ids []string, f graph.WalkFilter) (graph.Topology, error)
}

// Impacts answers impacts and rankings.
type Impacts struct {
	store ImpactStore
	cache *cache.Cache
	pins  Pins
	// computing bounds how many results are computed at once.
	computing *slots.Slots
}

// How many results are computed at once, and how long others wait for that.
const (
	resultsAtOnce = 4
	resultWait    = 20 * time.Second
)

// NewImpacts makes Impacts over a store. A nil cache keeps no result for who asks the same.
func NewImpacts(store ImpactStore, c *cache.Cache, pins Pins) *Impacts {
	return &Impacts{store: store, cache: c, pins: pins, computing: slots.New("impacts and rankings", resultsAtOnce, resultWait)}
}

// ImpactPosition is where a page of an impact begins.
type ImpactPosition struct {
	First int
	// Offset is how many results lie before the page, Pinned the name of the result that it is of, "" for the
	// first page.
	Offset int
	Pinned string
}

// ImpactPage is a page of an impact, and what is told of the whole.
type ImpactPage struct {
	// Edges are the results of the page, without their cursors.
	Edges []*ImpactEdge
	// Offset is how many results lie before the page.
	Offset int
	Result
	// Pinned is the name of the result.
	Pinned       string
	Completeness *Completeness
}

// ImpactEdge is one result.
type ImpactEdge struct {
	Cursor string
	// Degree is the fewest hops between the start and it.
	Degree int
	// Node is nil if it is gone since the first page.
	Node *Node
	// from and to are the ends of the paths between the two, in the direction of the data; page is what it stands on.
	from, to string
	page     *ImpactPage
}

// PathsAsked are the paths of a result, and those of the results beside it on its page.
func (e *ImpactEdge) PathsAsked(first int) (own graph.PathsOf, beside []graph.PathsOf) {
	for _, x := range e.page.Edges {
		beside = append(beside, graph.PathsOf{From: x.from, To: x.to, First: first})
	}
	return graph.PathsOf{From: e.from, To: e.to, First: first}, beside
}

// Impact answers a page of everything that a node leads to. All pages are of the one result that the first page
// found; the nodes are as they are now. Errors: CURSOR_EXPIRED if that result is not kept any more and is another by
// now, LIMIT_EXCEEDED for more than 200,000 results, or if too many are computed at once.
func (i *Impacts) Impact(ctx context.Context, asked Asked, q ImpactQuery, at ImpactPosition) (*ImpactPage, error) {
	result, pinned, err := i.result(ctx, asked, "impact", q, at.Pinned, func(ctx context.Context) (Result, error) { return i.find(ctx, asked.Audience, q) })
	if err != nil {
		return nil, err
	}
	page := &ImpactPage{
		Result: result, Offset: min(at.Offset, len(result.All)), Pinned: pinned,
		Completeness: newCompleteness(map[Budget]bool{BudgetDepth: result.Beyond}, nil),
	}
	page.Completeness.GraphVersion = result.Version
	return page, i.fill(ctx, asked.Audience, q, page, at.First)
}

// find computes a result. It looks one hop farther than asked, to tell whether there is more; if that is more than is
// listed, there is, and what was asked for is found without it.
func (i *Impacts) find(ctx context.Context, audience graph.Audience, q ImpactQuery) (Result, error) {
	found, err := i.reach(ctx, audience, q, q.Depth+1)
	if err != nil {
		return Result{}, err
	}
	total := len(found)
	if total > maxResults {
		if found, err = i.reach(ctx, audience, q, q.Depth); err != nil {
			return Result{}, err
		}
	}
	if len(found) > maxResults {
		return Result{}, fault.New(fault.CodeLimitExceeded, "More than 200000 results are in reach. Narrow them by a filter, or by maxDepth.")
	}
	within := slices.DeleteFunc(found, func(x graph.Impacted) bool { return x.Degree > q.Depth })
	slices.SortFunc(within, q.compare)
	return Result{All: slices.Clip(within), Beyond: len(within) < total}, nil
}

// reach is what lies within a depth: one more than is listed if there is more.
func (i *Impacts) reach(ctx context.Context, audience graph.Audience, q ImpactQuery, depth int) ([]graph.Impacted, error) {
	return i.store.Impact(ctx, audience, graph.ImpactQuery{
		Node: q.Node, Direction: q.Direction, Depth: depth, Limit: maxResults, Filter: q.Filter, CountConsumers: q.OrderBy == ByConsumers,
	})
}

// compare orders results.
func (q ImpactQuery) compare(a, b graph.Impacted) int {
	var by int
	switch q.OrderBy {
	case ByDegree:
		by = cmp.Compare(a.Degree, b.Degree)
	case BySeverity:
		by = cmp.Compare(a.Severity.Rank(), b.Severity.Rank())
	case ByName:
		by = strings.Compare(a.Name, b.Name)
	case ByConsumers:
		by = cmp.Compare(a.Consumers, b.Consumers)
	}
	if q.Descending {
		by = -by
	}
	return cmp.Or(by, cmp.Compare(a.Degree, b.Degree), strings.Compare(a.ID, b.ID))
}

// fill loads the nodes of a page as they are now.
func (i *Impacts) fill(ctx context.Context, audience graph.Audience, q ImpactQuery, page *ImpactPage, first int) error {
	shown := page.All[page.Offset:min(page.Offset+first, len(page.All))]
	nodes, err := i.nodes(ctx, audience, shown)
	if err != nil {
		return err
	}
	for _, x := range shown {
		e := &ImpactEdge{Degree: x.Degree, Node: nodes[x.ID], from: q.Node, to: x.ID, page: page}
		if q.Direction == graph.Upstream {
			e.from, e.to = x.ID, q.Node
		}
		if e.Node != nil {
			e.Node.mark(q.Direction, x.Degree)
		}
		page.Edges = append(page.Edges, e)
	}
	return nil
}

// nodes loads the nodes of results as they are now, by id.
func (i *Impacts) nodes(ctx context.Context, audience graph.Audience, shown []graph.Impacted) (map[string]*Node, error) {
	ids := make([]string, len(shown))
	for at, x := range shown {
		ids[at] = x.ID
	}
	if len(ids) == 0 {
		return nil, nil
	}
	topology, err := i.store.Topology(ctx, audience, ids, graph.WalkFilter{})
	if err != nil {
		return nil, err
	}
	nodes := make(map[string]*Node, len(topology.Nodes))
	for _, n := range topology.Nodes {
		node := newNode(n)
		nodes[n.ID] = &node
	}
	return nodes, nil
}

// mark says how far a node is from the start of an impact.
func (n *Node) mark(d graph.Direction, degree int) {
	if d == graph.Upstream {
		n.UpstreamDegree = &degree
		return
	}
	n.DownstreamDegree, n.IsImpacted = &degree, true
}
