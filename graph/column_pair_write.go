package graph

import (
	"maps"

	"github.com/strata-gateway/strata/fault"
)

// pairsOf are the dependencies of columns that a producer states of an edge; byHand stands for people.
type pairsOf struct {
	edge           string
	source, target end
	pairs          []NewColumnPair
}

// byHand is who states what people write.
const byHand = ""

const ownColumnsQuery = `
UNWIND $rows AS v
MATCH (a:Dataset:Asset {id: v.asset}) WHERE $VISIBLE(a)
MATCH (a)-[:HAS_COLUMN]->(c:Column {id: v.column})
RETURN v.column`

// ownColumns checks that the columns of pairs are those of the ends. Errors: BAD_USER_INPUT at an external end,
// NOT_FOUND for a column that its asset does not have.
func (e entered) ownColumns(all []pairsOf) error {
	asked, rows := map[[2]string]bool{}, []any{}
	ask := func(x end, column string) {
		if !asked[[2]string{x.id, column}] {
			asked[[2]string{x.id, column}] = true
			rows = append(rows, map[string]any{"asset": x.id, "column": column})
		}
	}
	for _, of := range all {
		if len(of.pairs) > 0 && (of.source.datasource == "" || of.target.datasource == "") {
			return fault.BadInput("input.columnPairs", "Only an edge between two assets has columns.")
		}
		for _, p := range of.pairs {
			ask(of.source, p.Source)
			if p.Target != nil {
				ask(of.target, *p.Target)
			}
		}
	}
	if len(rows) == 0 {
		return nil
	}
	found, err := e.run(e.Audience, ownColumnsQuery, map[string]any{"rows": rows})
	if err != nil {
		return err
	}
	if len(found) < len(rows) {
		return fault.NotFound("column")
	}
	return nil
}

const (
	dropPairsQuery = `
UNWIND $rows AS v
CALL (v) {
  MATCH (:Column)-[d:DERIVES {edge: v.edge, workspace: $workspace}]->(:Column) WHERE d.producer = $producer DELETE d
}
CALL (v) {
  MATCH (:Column)-[d:DERIVES_ALL {edge: v.edge, workspace: $workspace}]->(:Dataset) WHERE d.producer = $producer DELETE d
}`

	putPairsQuery = `
UNWIND $rows AS v
MATCH (a:Column {id: v.source}) MATCH (b:Column {id: v.target})
CREATE (a)-[:DERIVES {edge: v.edge, workspace: $workspace, producer: $producer, kind: v.kind, subtype: v.subtype, masking: v.masking}]->(b)`

	putPairsOfAllQuery = `
UNWIND $rows AS v
MATCH (a:Column {id: v.source}) MATCH (b:Dataset {id: v.asset, workspace: v.assetWorkspace})
CREATE (a)-[:DERIVES_ALL {edge: v.edge, workspace: $workspace, producer: $producer, kind: v.kind, subtype: v.subtype, masking: v.masking}]->(b)`
)

// putPairs replaces what a producer states of the columns of edges of the workspace. The columns were checked.
func (e entered) putPairs(workspace, producer string, all []pairsOf) error {
	params := map[string]any{"workspace": workspace, "producer": producer}
	var edges, single, every []any
	for _, of := range all {
		edges = append(edges, map[string]any{"edge": of.edge})
		for _, p := range of.pairs {
			row := map[string]any{"edge": of.edge, "source": p.Source, "kind": string(p.Kind), "subtype": nil, "masking": p.Masking}
			if p.Subtype != nil {
				row["subtype"] = string(*p.Subtype)
			}
			if p.Target != nil {
				row["target"] = *p.Target
				single = append(single, row)
				continue
			}
			row["asset"], row["assetWorkspace"] = of.target.id, of.target.workspace
			every = append(every, row)
		}
	}
	for _, w := range []struct {
		statement string
		rows      []any
	}{{dropPairsQuery, edges}, {putPairsQuery, single}, {putPairsOfAllQuery, every}} {
		if _, err := e.runBatched(w.statement, w.rows, params); err != nil {
			return err
		}
	}
	return nil
}

const statedPairsQuery = `
UNWIND $rows AS v
CALL (v) {
  MATCH (a:Column)-[d:DERIVES {edge: v.edge, workspace: $workspace}]->(b:Column) WHERE d.producer = $producer
  RETURN a.id AS source, b.id AS target, d
  UNION ALL
  MATCH (a:Column)-[d:DERIVES_ALL {edge: v.edge, workspace: $workspace}]->(:Dataset) WHERE d.producer = $producer
  RETURN a.id AS source, null AS target, d
}
RETURN v.edge, source, target, d.kind, d.subtype, d.masking`

// changedPairs are those of which a producer states other pairs than before.
func (e entered) changedPairs(workspace, producer string, all []pairsOf) ([]pairsOf, error) {
	rows := make([]any, len(all))
	for i, of := range all {
		rows[i] = map[string]any{"edge": of.edge}
	}
	found, err := e.runBatched(statedPairsQuery, rows, map[string]any{"workspace": workspace, "producer": producer})
	if err != nil {
		return nil, err
	}
	before := map[string]map[pairKey]bool{}
	for _, r := range found {
		if before[text(r[0])] == nil {
			before[text(r[0])] = map[pairKey]bool{}
		}
		before[text(r[0])][pairKey{text(r[1]), text(r[2]), text(r[3]), text(r[4]), boolean(r[5])}] = true
	}
	var changed []pairsOf
	for _, of := range all {
		of.pairs = distinctPairs(of.pairs)
		now := map[pairKey]bool{}
		for _, p := range of.pairs {
			now[p.key()] = true
		}
		if !maps.Equal(now, before[of.edge]) && len(now)+len(before[of.edge]) > 0 {
			changed = append(changed, of)
		}
	}
	return changed, nil
}

// pairKey is what makes two pairs of an edge the same.
type pairKey struct {
	source, target, kind, subtype string
	masking                       bool
}

func (p NewColumnPair) key() pairKey {
	k := pairKey{source: p.Source, kind: string(p.Kind), masking: p.Masking}
	if p.Target != nil {
		k.target = *p.Target
	}
	if p.Subtype != nil {
		k.subtype = string(*p.Subtype)
	}
	return k
}

// distinctPairs are pairs without repetitions.
func distinctPairs(pairs []NewColumnPair) []NewColumnPair {
	seen, out := map[pairKey]bool{}, []NewColumnPair{}
	for _, p := range pairs {
		if !seen[p.key()] {
			seen[p.key()] = true
			out = append(out, p)
		}
	}
	return out
}

// statePairs lets a producer say what it states of the columns of edges in a workspace, and returns which of them
// that changed.
func (e entered) statePairs(workspace, producer string, all []pairsOf) (map[string]bool, error) {
	if len(all) == 0 {
		return nil, nil
	}
	if err := e.ownColumns(all); err != nil {
		return nil, err
	}
	changed, err := e.changedPairs(workspace, producer, all)
	if err != nil || len(changed) == 0 {
		return nil, err
	}
	edges := map[string]bool{}
	for _, of := range changed {
		edges[of.edge] = true
		e.touchEdge(workspace, of.source, of.target)
	}
	return edges, e.putPairs(workspace, producer, changed)
}

// sweepPairsQuery deletes the dependencies of columns of edges that are gone, and those of producers who took the
// edge back.
const sweepPairsQuery = `
UNWIND $rows AS v
OPTIONAL MATCH ()-[active:FEEDS {id: v.id, workspace: $workspace}]->()
OPTIONAL MATCH ()-[retired:FED {id: v.id, workspace: $workspace}]->()
WITH v, active IS NULL AND retired IS NULL AS gone
CALL (v, gone) {
  MATCH (:Column)-[d:DERIVES {edge: v.id, workspace: $workspace}]->(:Column) WHERE gone OR d.producer = $producer DELETE d
}
CALL (v, gone) {
  MATCH (:Column)-[d:DERIVES_ALL {edge: v.id, workspace: $workspace}]->(:Dataset) WHERE gone OR d.producer = $producer DELETE d
}`

// sweepPairs cleans up after edges were removed. producer is who took them back, byHand for nobody in particular.
func (e entered) sweepPairs(workspace, producer string, edges []any) error {
	_, err := e.runBatched(sweepPairsQuery, edges, map[string]any{"workspace": workspace, "producer": producer})
	return err
}
