package graph

// An external node is no secret of its own: it is there because of what it feeds or is fed by. So who
// sees none of its neighbours must not learn of it either, nor that it changed. It is made hidden from
// all but the widest class and gets its rank, the least of its neighbours', when its edges are written.

const externalRanksQuery = `
UNWIND $rows AS id
MATCH (x:Dataset:External {id: id, workspace: $workspace})
USING INDEX SEEK x:Dataset(id, workspace)
WITH x, x.hiddenRank AS was, CASE
  WHEN EXISTS { (x)-[:FEEDS|FED]-(n:Dataset) WHERE n.hiddenRank = 0 } OR NOT EXISTS { (x)-[:FEEDS|FED]-() } THEN 0
  WHEN EXISTS { (x)-[:FEEDS|FED]-(n:Dataset) WHERE n.hiddenRank = 1 } THEN 1
  ELSE 2 END AS rank
WHERE was <> rank
SET x.hiddenRank = rank
RETURN x.id, was, rank`

// rankExternals gives external nodes of a workspace the rank that their neighbours leave them, after their
// edges or their neighbours changed.
//
// SECURITY: an external node is seen by who sees one of its neighbours, and by nobody else
// (TestAnExternalNodeIsHiddenWithItsNeighbours).
func (t *tx) rankExternals(workspace string, ids map[string]bool) error {
	changed, err := t.runBatched(externalRanksQuery, sortedAny(ids), map[string]any{"workspace": workspace})
	if err != nil {
		return err
	}
	for _, r := range changed {
		t.touch(FamilyLineage, workspace, text(r[0]), min(integer(r[1]), integer(r[2])))
	}
	return nil
}

const externalNeighboursQuery = `
MATCH (a:Dataset:Asset {id: $id, workspace: $workspace})-[:FEEDS|FED]-(x:External)
RETURN DISTINCT x.workspace, x.id`

// rankNeighbours ranks the external nodes beside an asset.
func (t *tx) rankNeighbours(workspace, asset string) error {
	rows, err := t.runUnscoped(externalNeighboursQuery, map[string]any{"id": asset, "workspace": workspace})
	if err != nil {
		return err
	}
	byWorkspace := map[string]map[string]bool{}
	for _, r := range rows {
		if byWorkspace[text(r[0])] == nil {
			byWorkspace[text(r[0])] = map[string]bool{}
		}
		byWorkspace[text(r[0])][text(r[1])] = true
	}
	for of, ids := range byWorkspace {
		if err := t.rankExternals(of, ids); err != nil {
			return err
		}
	}
	return nil
}
