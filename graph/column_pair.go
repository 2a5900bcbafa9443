package graph

import "context"

// DependencyKind says how a column depends on another one.
type DependencyKind string

// The kinds.
const (
	// Direct: its values come from the other's.
	Direct DependencyKind = "DIRECT"
	// Indirect: the other decides which rows there are, or in which order.
	Indirect DependencyKind = "INDIRECT"
)

// DependencySubtype says more of a dependency, as OpenLineage has it.
type DependencySubtype string

// NewColumnPair is a dependency of columns to be written. A nil Target stands for every column of the target's
// asset.
type NewColumnPair struct {
	Source  string
	Target  *string
	Kind    DependencyKind
	Subtype *DependencySubtype
	Masking bool
}

// ColumnPair is a dependency of columns that belongs to an edge.
type ColumnPair struct {
	Source *Column
	// Target is nil for every column of the edge's target.
	Target  *Column
	Kind    DependencyKind
	Subtype *DependencySubtype
	Masking bool
}

// columnList is a column c as one list.
const columnList = `[c.id, c.name, c.type, c.ordinal, c.description]`

// readColumn reads columnList, nil of nothing.
func readColumn(v any) *Column {
	c := list(v)
	if len(c) == 0 {
		return nil
	}
	return &Column{ID: text(c[0]), Name: text(c[1]), Type: textOrNil(c[2]), Ordinal: integer(c[3]), Description: textOrNil(c[4])}
}

const columnPairsQuery = `
UNWIND $ids AS id
CALL (id) {
  MATCH (s:Dataset)-[r:FEEDS {id: id}]->(t:Dataset) WHERE $VISIBLE(s) AND $VISIBLE(t) AND ` + stated + `
  RETURN r.workspace AS workspace
  UNION
  MATCH (s:Dataset)-[r:FED {id: id}]->(t:Dataset) WHERE $VISIBLE(s) AND $VISIBLE(t) AND ` + stated + `
  RETURN r.workspace AS workspace
}
CALL (id, workspace) {
  MATCH (a:Column)-[d:DERIVES {edge: id, workspace: workspace}]->(b:Column)
  RETURN a, d, b
  UNION ALL
  MATCH (a:Column)-[d:DERIVES_ALL {edge: id, workspace: workspace}]->(:Dataset)
  RETURN a, d, null AS b
}
WITH DISTINCT id, a, b, d.kind AS kind, d.subtype AS subtype, d.masking AS masking
ORDER BY id, b.ordinal, a.ordinal, kind, subtype, masking
RETURN id, COLLECT { WITH a AS c RETURN ` + columnList + ` }[0], COLLECT { WITH b AS c WHERE c IS NOT NULL RETURN ` + columnList + ` }[0], kind, subtype, masking`

// ColumnPairs returns the dependencies of columns of edges, retired ones too, each once whoever states it, by
// position in the target and then in the source, those of every column of the target last; by the ids of the edges
// that the audience sees and that have some.
func (s *Store) ColumnPairs(ctx context.Context, audience Audience, edges []string) (map[string][]*ColumnPair, error) {
	rows, err := s.read(ctx, audience, columnPairsQuery, map[string]any{"ids": edges})
	if err != nil {
		return nil, err
	}
	out := map[string][]*ColumnPair{}
	for _, r := range rows {
		p := &ColumnPair{Source: readColumn(r[1]), Target: readColumn(r[2]), Kind: DependencyKind(text(r[3])), Masking: boolean(r[5])}
		if subtype := DependencySubtype(text(r[4])); subtype != "" {
			p.Subtype = &subtype
		}
		out[text(r[0])] = append(out[text(r[0])], p)
	}
	return out, nil
}
