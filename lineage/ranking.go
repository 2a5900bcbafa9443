package lineage

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/strata-gateway/strata/graph"
)

// maxRanked is how many assets of a datasource are ranked.
const maxRanked = 2000

// RankingField is what a ranking is ordered by: the greatest, or the worst, first.
type RankingField string

// The fields. Ties fall to the other one, then to the id.
const (
	ByReach RankingField = "REACH"
	ByWorst RankingField = "WORST_SEVERITY"
)

// RankingQuery says which datasource's assets are ranked, and by what.
type RankingQuery struct {
	Datasource string
	OrderBy    RankingField
}

// RankedEdge is an asset of a ranking.
type RankedEdge struct {
	Cursor string
	// Node is nil if it is gone since the first page.
	Node *Node
	// Reach is how many distinct nodes it leads to.
	Reach int
	// WorstSeverity is the worst verdict among them, nil if nothing of them was ever checked.
	WorstSeverity *graph.Severity
}

// RankingPage is a page of a ranking.
type RankingPage struct {
	Edges []*RankedEdge
	// Offset is how many assets lie before the page, Total how many are ranked.
	Offset, Total int
	Pinned        string
	Completeness  *Completeness
}

// Ranking answers a page of the assets of a datasource, those first whose change would hit most. Its pages are
// pinned as those of an impact. At most 2,000 are ranked, those that feed most directly: `completeness` says NODES if
// there are more. Errors: as Impact's.
func (i *Impacts) Ranking(ctx context.Context, asked Asked, q RankingQuery, at ImpactPosition) (*RankingPage, error) {
	result, pinned, err := i.result(ctx, asked, "ranking", q, at.Pinned, func(ctx context.Context) (Result, error) { return i.rank(ctx, asked.Audience, q) })
	if err != nil {
		return nil, err
	}
	page := &RankingPage{Offset: min(at.Offset, len(result.All)), Total: len(result.All), Pinned: pinned, Completeness: newCompleteness(map[Budget]bool{BudgetNodes: result.Beyond}, nil)}
	page.Completeness.GraphVersion = result.Version
	shown := result.All[page.Offset:min(page.Offset+at.First, len(result.All))]
	nodes, err := i.nodes(ctx, asked.Audience, shown)
	if err != nil {
		return nil, err
	}
	for _, x := range shown {
		e := &RankedEdge{Node: nodes[x.ID], Reach: x.Degree}
		if x.Severity != "" {
			e.WorstSeverity = &x.Severity
		}
		page.Edges = append(page.Edges, e)
	}
	return page, nil
}

// rank computes a ranking: of each asset the degree is its reach, and the severity the worst that it leads to.
func (i *Impacts) rank(ctx context.Context, audience graph.Audience, q RankingQuery) (Result, error) {
	found, err := i.store.Ranking(ctx, audience, q.Datasource, maxRanked+1)
	if err != nil {
		return Result{}, err
	}
	r := Result{All: make([]graph.Impacted, len(found)), Beyond: len(found) > maxRanked}
	for at, x := range found {
		r.All[at] = graph.Impacted{ID: x.ID, Degree: x.Reach, Severity: x.Worst}
	}
	r.All = r.All[:min(maxRanked, len(r.All))]
	slices.SortFunc(r.All, func(a, b graph.Impacted) int {
		reach, worst := cmp.Compare(b.Degree, a.Degree), cmp.Compare(b.Severity.Rank(), a.Severity.Rank())
		if q.OrderBy == ByWorst {
			reach, worst = worst, reach
		}
		return cmp.Or(reach, worst, strings.Compare(a.ID, b.ID))
	})
	return r, nil
}
