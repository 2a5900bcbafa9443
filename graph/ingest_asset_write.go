package graph

const createAssetsQuery = `
UNWIND $rows AS v
CREATE (a:Dataset:Asset)
SET a = v.props`

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

// writeAssets writes the planned assets and their columns.
func (e entered) writeAssets(plans []assetPlan) error {
	var create, change, createColumns, changeColumns, dropColumns []any
	for _, p := range plans {
		switch {
		case p.isNew:
			create = append(create, map[string]any{"props": p.props})
		case len(p.props) > 0:
			change = append(change, map[string]any{"id": p.id, "props": p.props})
		}
		for _, i := range p.columns.put {
			c := p.columns.columns[i]
			row := map[string]any{
				"id": c.id, "asset": p.id, "name": c.name, "type": c.kind, "ordinal": c.ordinal, "description": c.description,
				"documented": trueOrAbsent(c.documented),
			}
			if c.id == "" {
				row["id"] = e.store.ids.New(KindColumn)
				createColumns = append(createColumns, row)
			} else {
				changeColumns = append(changeColumns, row)
			}
		}
		for _, id := range p.columns.remove {
			dropColumns = append(dropColumns, id)
		}
		if p.isNew || len(p.props) > 0 || p.columns.changes() {
			e.touch(FamilyCatalog, e.Workspace, p.id, p.hidden)
		}
	}
	params := map[string]any{"workspace": e.Workspace}
	for _, w := range []struct {
		statement string
		rows      []any
	}{
		{createAssetsQuery, create}, {changeAssetsQuery, change}, {dropColumnsQuery, dropColumns},
		{createColumnsQuery, createColumns}, {changeColumnsQuery, changeColumns},
	} {
		if _, err := e.runBatched(w.statement, w.rows, params); err != nil {
			return err
		}
	}
	return nil
}

// trueOrAbsent is a mark as a property: false is none.
func trueOrAbsent(b bool) any {
	if b {
		return true
	}
	return nil
}
