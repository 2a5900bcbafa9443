package graph

const createAssetsQuery = `
MATCH (:Workspace {id: $workspace})-[:HAS_PROJECT]->(p:Project {producer: $producer})
UNWIND $rows AS v
CREATE (p)-[:DESCRIBES {builds: v.builds}]->(a:Dataset:Asset)
SET a = v.props
FOREACH (c IN v.columns |
  CREATE (a)-[:HAS_COLUMN]->(:Column {id: c.id, workspace: $workspace, asset: v.props.id, name: c.name, type: c.type,
    ordinal: c.ordinal, description: c.description, documented: c.documented}))`

const changeAssetsQuery = `
UNWIND $rows AS v
MATCH (a:Dataset:Asset {id: v.id, workspace: $workspace})
USING INDEX SEEK a:Dataset(id, workspace)
SET a += v.props`

const createColumnsQuery = `
UNWIND $rows AS v
MATCH (a:Dataset:Asset {id: v.asset, workspace: $workspace})
USING INDEX SEEK a:Dataset(id, workspace)
CREATE (a)-[:HAS_COLUMN]->(:Column {id: v.id, workspace: $workspace, asset: v.asset, name: v.name, type: v.type,
  ordinal: v.ordinal, description: v.description, documented: v.documented})`

const changeColumnsQuery = `
UNWIND $rows AS v
MATCH (c:Column {id: v.id})
SET c.name = v.name, c.type = v.type, c.ordinal = v.ordinal, c.description = v.description, c.documented = v.documented`

const dropColumnsQuery = `
UNWIND $rows AS id
MATCH (c:Column {id: id})
DETACH DELETE c`

// newAssetBatch is how many assets one statement creates, each with its columns.
const newAssetBatch = 1_000

// writeAssets writes the planned assets and their columns; the project describes those that are new.
func (e entered) writeAssets(producer string, plans []assetPlan) error {
	var create, change, createColumns, changeColumns, dropColumns []any
	for _, p := range plans {
		var columns []any
		for _, i := range p.columns.put {
			row := p.columnRow(p.columns.columns[i])
			if row["id"] != "" {
				changeColumns = append(changeColumns, row)
				continue
			}
			row["id"] = e.store.ids.New(KindColumn)
			columns = append(columns, row)
		}
		switch {
		case p.isNew:
			create = append(create, map[string]any{"props": p.props, "builds": p.builds, "columns": columns})
		case len(p.props) > 0:
			change = append(change, map[string]any{"id": p.id, "props": p.props})
		}
		if !p.isNew {
			createColumns = append(createColumns, columns...)
		}
		for _, id := range p.columns.remove {
			dropColumns = append(dropColumns, id)
		}
		if p.isNew || len(p.props) > 0 || p.columns.changes() {
			e.touch(FamilyCatalog, e.Workspace, p.id, p.hidden)
		}
	}
	params := map[string]any{"workspace": e.Workspace, "producer": producer}
	for _, w := range []struct {
		statement string
		rows      []any
		size      int
	}{
		{createAssetsQuery, create, newAssetBatch}, {changeAssetsQuery, change, batchSize}, {dropColumnsQuery, dropColumns, batchSize},
		{createColumnsQuery, createColumns, batchSize}, {changeColumnsQuery, changeColumns, batchSize},
	} {
		if _, err := e.runInBatches(w.size, w.statement, w.rows, params); err != nil {
			return err
		}
	}
	return nil
}

// columnRow is a column as a row of a statement.
func (p assetPlan) columnRow(c storedColumn) map[string]any {
	return map[string]any{
		"id": c.id, "asset": p.id, "name": c.name, "type": c.kind, "ordinal": c.ordinal, "description": c.description,
		"documented": trueOrAbsent(c.documented),
	}
}

// trueOrAbsent is a mark as a property: false is none.
func trueOrAbsent(b bool) any {
	if b {
		return true
	}
	return nil
}
