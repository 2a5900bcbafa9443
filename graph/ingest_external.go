package graph

const ingestedExternalsQuery = `
UNWIND $rows AS id
MATCH (n:Dataset:External {id: id, workspace: $workspace})
USING INDEX SEEK n:Dataset(id, workspace)
RETURN n.id, n.url`

const putExternalsQuery = `
UNWIND $rows AS v
MERGE (n:Dataset:External {id: v.id, workspace: $workspace})
ON CREATE SET n.system = v.system, n.model = v.model, n.hiddenRank = 0, n.createdAt = $at
SET n.url = v.url`

const dropExternalsQuery = `
UNWIND $rows AS id
MATCH (n:Dataset:External {id: id, workspace: $workspace})
USING INDEX SEEK n:Dataset(id, workspace)
WHERE NOT EXISTS { (n)--(:Dataset) }
DETACH DELETE n
RETURN id`

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
	urls := make(map[string]*string, len(rows))
	for _, r := range rows {
		urls[text(r[0])] = textOrNil(r[1])
	}
	var put []any
	for _, x := range externals {
		id := ExternalID(x.System, x.Model)
		if url, ok := urls[id]; ok && equalText(url, x.URL) {
			continue
		}
		put = append(put, map[string]any{"id": id, "system": x.System, "model": x.Model, "url": x.URL})
		e.touch(FamilyLineage, e.Workspace, id, visibleToAll)
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
		e.touch(FamilyLineage, e.Workspace, text(r[0]), visibleToAll)
	}
	return nil
}
