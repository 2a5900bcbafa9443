package lineage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/strata-gateway/strata/graph"
)

// maxOwners is how many owners are counted apart.
const maxOwners = 100

// DegreeCount is how many results lie so many hops away.
type DegreeCount struct{ Degree, Count int }

// SeverityCount is how many results have a worst severity; nil for those that nothing ever checked.
type SeverityCount struct {
	Severity *graph.Severity
	Count    int
}

// OwnerCount is how many results someone owns; nil for nobody.
type OwnerCount struct {
	Owner *string
	Count int
}

// CountByDegree counts results, the nearest first.
func (r Result) CountByDegree() []*DegreeCount {
	out := []*DegreeCount{}
	for degree, n := range counted(r.All, func(x graph.Impacted) int { return x.Degree }) {
		out = append(out, &DegreeCount{degree, n})
	}
	slices.SortFunc(out, func(a, b *DegreeCount) int { return cmp.Compare(a.Degree, b.Degree) })
	return out
}

// CountBySeverity counts results, the worst first.
func (r Result) CountBySeverity() []*SeverityCount {
	n, out := counted(r.All, func(x graph.Impacted) graph.Severity { return x.Severity }), []*SeverityCount{}
	for _, s := range []graph.Severity{graph.SeverityCritical, graph.SeverityWarning, graph.SeverityInfo, graph.SeverityNone, ""} {
		if n[s] == 0 {
			continue
		}
		c := &SeverityCount{Count: n[s]}
		if s != "" {
			c.Severity = &s
		}
		out = append(out, c)
	}
	return out
}

// CountByOwner counts results, of at most 100 owners, those who own most first, then by name.
func (r Result) CountByOwner() []*OwnerCount {
	out := []*OwnerCount{}
	for owner, n := range counted(r.All, func(x graph.Impacted) string { return x.Owner }) {
		c := &OwnerCount{Count: n}
		if owner != "" {
			c.Owner = &owner
		}
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b *OwnerCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(named(a.Owner), named(b.Owner)))
	})
	return out[:min(maxOwners, len(out))]
}

// named is an owner as text, "" for nobody.
func named(owner *string) string {
	if owner == nil {
		return ""
	}
	return *owner
}

// counted counts results by what they have in common.
func counted[K comparable](all []graph.Impacted, key func(graph.Impacted) K) map[K]int {
	out := map[K]int{}
	for _, x := range all {
		out[key(x)]++
	}
	return out
}
