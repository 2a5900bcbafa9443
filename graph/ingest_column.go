package graph

import (
	"slices"
	"strings"
)

// storedColumn is a column as the store has it.
type storedColumn struct {
	id, name          string
	kind, description *string
	ordinal           int
	// documented is set on a column that no source ever showed: only a project's documentation has it.
	documented bool
}

// columnPlan is what an ingest makes of the columns of an asset.
type columnPlan struct {
	// columns are all that remain, in order; a new one has no id yet.
	columns []storedColumn
	// put are the indexes in columns of those to create or change.
	put    []int
	remove []string // ids
}

func (p columnPlan) changes() bool { return len(p.put) > 0 || len(p.remove) > 0 }

func (p columnPlan) names() []string {
	names := make([]string, len(p.columns))
	for i, c := range p.columns {
		names[i] = c.name
	}
	return names
}

// planColumns merges the columns that an ingest states into those of the asset. What was read from the
// relation gives order and spelling. Only a project that builds the relation takes columns away: those
// the relation does not show, or, where it did not look, those that only documentation ever had.
func planColumns(stored []storedColumn, in IngestAsset) columnPlan {
	stored = slices.Clone(stored)
	slices.SortStableFunc(stored, func(a, b storedColumn) int { return a.ordinal - b.ordinal })
	match := matchColumns(stored, in.Columns)
	of := make(map[int]int, len(match)) // stored → stated
	for stated, at := range match {
		of[at] = stated
	}
	var p columnPlan
	var stay, put []storedColumn // those not stated, and those stated
	before := map[string]storedColumn{}
	for at, c := range stored {
		before[c.id] = c
		stated, ok := of[at]
		switch {
		case ok:
			stay = append(stay, mergedColumn(c, in.Columns[stated], in))
		case in.Builds && (in.Observed || c.documented):
			p.remove = append(p.remove, c.id)
		default:
			stay = append(stay, c)
		}
	}
	for stated, c := range in.Columns {
		if _, ok := match[stated]; !ok {
			put = append(put, storedColumn{name: c.Name, kind: c.Type, description: c.Description, documented: !in.Observed})
		}
	}
	p.columns = append(stay, put...)
	if in.Observed {
		sortAsStated(p.columns, in.Columns)
	}
	for i := range p.columns {
		p.columns[i].ordinal = i + 1
		if was, ok := before[p.columns[i].id]; !ok || !was.equals(p.columns[i]) {
			p.put = append(p.put, i)
		}
	}
	return p
}

// mergedColumn is a stored column after what was stated of it. A description that is gone goes from the
// documentation of the project that builds the relation alone.
func mergedColumn(c storedColumn, stated IngestColumn, in IngestAsset) storedColumn {
	if in.Observed {
		c.name, c.documented = stated.Name, false
	}
	if stated.Type != nil {
		c.kind = stated.Type
	}
	if stated.Description != nil || in.Builds {
		c.description = stated.Description
	}
	return c
}

// sortAsStated puts the columns in the order in which they were stated, and others behind.
func sortAsStated(columns []storedColumn, stated []IngestColumn) {
	position := make(map[string]int, len(stated))
	for i, c := range stated {
		position[c.Name] = i + 1
	}
	at := func(c storedColumn) int {
		if p := position[c.name]; p > 0 {
			return p
		}
		return len(stated) + 1
	}
	slices.SortStableFunc(columns, func(a, b storedColumn) int { return at(a) - at(b) })
}

// matchColumns finds for each stated column, by its index, the stored one that it is: of the same name,
// else of the same name but for case if there is no other such name on either side.
func matchColumns(stored []storedColumn, stated []IngestColumn) map[int]int {
	byName := make(map[string]int, len(stored))
	for i, c := range stored {
		byName[c.name] = i
	}
	match, taken := map[int]int{}, map[int]bool{}
	for i, c := range stated {
		if at, ok := byName[c.Name]; ok {
			match[i], taken[at] = at, true
		}
	}
	const several = -1
	folded := func(n int, name func(int) string, skip func(int) bool) map[string]int {
		out := map[string]int{}
		for i := range n {
			if skip(i) {
				continue
			}
			key := strings.ToLower(name(i))
			if _, ok := out[key]; ok {
				out[key] = several
			} else {
				out[key] = i
			}
		}
		return out
	}
	free := folded(len(stored), func(i int) string { return stored[i].name }, func(i int) bool { return taken[i] })
	asked := folded(len(stated), func(i int) string { return stated[i].Name }, func(i int) bool { _, ok := match[i]; return ok })
	for key, i := range asked {
		if at, ok := free[key]; ok && at != several && i != several {
			match[i] = at
		}
	}
	return match
}

func (c storedColumn) equals(o storedColumn) bool {
	return c.id == o.id && c.name == o.name && c.ordinal == o.ordinal && c.documented == o.documented &&
		equalText(c.kind, o.kind) && equalText(c.description, o.description)
}

func equalText(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
