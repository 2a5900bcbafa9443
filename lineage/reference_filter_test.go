package lineage_test

import (
	"slices"
	"strings"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
)

// passes says whether a filter shows a node.
func passes(v vertex, f graph.WalkFilter) bool {
	name := v.workspace + ".public." + v.id
	if v.external {
		v.tags, v.kind, v.severity, v.owner, name = nil, "", "", "", v.id
	}
	tagged := slices.ContainsFunc(f.Tags, func(t string) bool { return slices.Contains(v.tags, t) })
	return (len(f.Systems) == 0 || v.external && slices.Contains(f.Systems, "test")) &&
		(len(f.Tags) == 0 || tagged) &&
		(len(f.Types) == 0 || slices.Contains(f.Types, v.kind)) &&
		(f.WorstSeverityAtLeast == "" || v.severity != "" && v.severity.Rank() >= f.WorstSeverityAtLeast.Rank()) &&
		strings.Contains(name, f.Text) &&
		(f.OwnerEmail == "" || v.owner == f.OwnerEmail) &&
		(f.Datasource == "" || !v.external && f.Datasource == "ds-"+v.id)
}

// takes says whether a filter lets an edge of a category be walked.
func takes(f graph.WalkFilter, c graph.EdgeCategory) bool {
	return len(f.Categories) == 0 || slices.Contains(f.Categories, c)
}

// leads says whether a path among the shown nodes of a set leads from one to another.
func (r *reference) leads(in map[string]bool, from, to string) bool {
	seen, queue := map[string]bool{from: true}, []string{from}
	for ; len(queue) > 0; queue = queue[1:] {
		if queue[0] == to {
			return true
		}
		for y := range r.next[graph.Downstream][queue[0]] {
			if in[y] && !r.hides[y] && !seen[y] {
				seen[y] = true
				queue = append(queue, y)
			}
		}
	}
	return false
}

// withRetired are edges with the retired ones among the shown nodes.
func (r *reference) withRetired(edges []*lineage.Edge, m measured) []*lineage.Edge {
	datasource := func(id string) string {
		if r.nodes[id].external {
			return ""
		}
		return "ds-" + id
	}
	for id, e := range r.retired {
		if _, active := r.edges[id]; active || !m.in[e.Source] || !m.in[e.Target] || r.hides[e.Source] || r.hides[e.Target] {
			continue
		}
		edges = append(edges, &lineage.Edge{
			ID: id, Source: e.Source, Target: e.Target, Category: e.Category, Retired: true,
			SourceDatasource: datasource(e.Source), TargetDatasource: datasource(e.Target),
		})
	}
	slices.SortFunc(edges, func(a, b *lineage.Edge) int { return strings.Compare(a.ID, b.ID) })
	return edges
}
