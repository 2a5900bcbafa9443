package graph

const ingestedExternalsQuery = `
UNWIND $rows AS id
MATCH (n:Dataset:External {id: id, workspace: $workspace})
USING INDEX SEEK n:Dataset(id, workspace)
RETURN n.id, n.url, n.hiddenRank`

const putExternalsQuery = `
UNWIND $rows AS v
MERGE (n:Dataset:External {id: v.id, workspace: $workspace})
ON CREATE SET n.system = v.system, n.model = v.model, n.hiddenRank = 2, n.createdAt = $at
SET n.url = v.url`

const dropExternalsQuery = `
UNWIND $rows AS id
MATCH (n:Dataset:External {id: id, workspace: $workspace})
USING INDEX SEEK n:Dataset(id, workspace)
WHERE NOT EXISTS { (n)--(:Dataset) }
WITH n, id, n.hiddenRank AS hidden
DETACH DELETE n
RETURN id, hidden`

// writeExternals makes the external nodes that the ingest names, and changes those whose address did.
func (e entered) writeExternals(externals []IngestExternal) error {
	ids := map[string]bool{}
	for _, x := range externals {
		ids[ExternalID(x.System, x.Model)] = true
	}
	rows, err := e.runBatched(ingestedExternalsQuery, sortedAny(ids), map[string]any{"workspace": e.Workspace})
	if err != nil {
		return err
	}
	urls, ranks := make(map[string]*string, len(rows)), make(map[string]int, len(rows))
	for _, r := range rows {
		urls[text(r[0])], ranks[text(r[0])] = textOrNil(r[1]), integer(r[2])
	}
	var put []any
	for _, x := range externals {
		id := ExternalID(x.System, x.Model)
		url, exists := urls[id]
		if exists && equalText(url, x.URL) {
			continue
		}
		hidden := hiddenToOrgHidden // until its edges are there
		if exists {
			hidden = ranks[id]
		}
		put = append(put, map[string]any{"id": id, "system": x.System, "model": x.Model, "url": x.URL})
		e.touch(FamilyLineage, e.Workspace, id, hidden)
	}
	_, err = e.runBatched(putExternalsQuery, put, map[string]any{"workspace": e.Workspace, "at": e.store.nowMillis()})
	return err
}

// dropExternals deletes those of the external nodes that no edge is left at.
func (e entered) dropExternals(ids map[string]bool) error {
	dropped, err := e.runBatched(dropExternalsQuery, sortedAny(ids), map[string]any{"workspace": e.Workspace})
	if err != nil {
		return err
	}
	for _, r := range dropped {
		e.touch(FamilyLineage, e.Workspace, text(r[0]), integer(r[1]))
	}
	return nil
}
