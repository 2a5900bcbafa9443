package graph

import (
	"context"

	"github.com/strata-gateway/strata/fault"
)

const assetForDeleteQuery = `
MATCH (a:Dataset:Asset {id: $id}) WHERE $VISIBLE(a)
SET a.id = a.id
RETURN a.workspace, a.hiddenRank, a.datasource, a.name,
  COLLECT { MATCH (a)<-[:CHECKS]-(s:Suite) RETURN s.id }`

// deleteAssetQuery deletes the asset with its columns, its edges and what producers asserted of them, and
// returns the nodes beside it that are external.
const deleteAssetQuery = `
MATCH (a:Dataset:Asset {id: $id, workspace: $workspace})
CALL (a) {
  OPTIONAL MATCH (a)-[:FEEDS|FED]-(x:External)
  RETURN collect(DISTINCT [x.id, x.workspace, x.hiddenRank]) AS externals
}
CALL (a) {
  OPTIONAL MATCH (a)-[r:FEEDS|FED]-()
  WITH collect(DISTINCT [r.id, r.workspace]) AS edges
  UNWIND edges AS e
  OPTIONAL MATCH (y:Assertion {edge: e[0], workspace: e[1]})
  USING INDEX SEEK y:Assertion(edge, producer, workspace)
  WHERE y.producer IS NOT NULL
  DELETE y
}
CALL (a) {
  OPTIONAL MATCH (a)-[:HAS_COLUMN]->(c:Column)
  DETACH DELETE c
}
DETACH DELETE a
RETURN externals`

// DeleteAsset deletes an asset with all that is derived from it: columns, edges, suites and their runs.
// External nodes that nothing else holds go with it. What a project states of it comes back with the
// project's next ingest. Errors: NOT_FOUND, and what the rule says.
func (s *Store) DeleteAsset(ctx context.Context, w Writer, id string) error {
	return s.write(ctx, w.Actor, func(t *tx) error {
		e, err := t.enter(w)
		if err != nil {
			return err
		}
		rows, err := e.run(e.Audience, assetForDeleteQuery, map[string]any{"id": id})
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return fault.NotFound("asset")
		}
		r := rows[0]
		workspace, hidden, suites := text(r[0]), integer(r[1]), texts(r[4])
		datasources, err := e.datasourceFacts(text(r[2]))
		if err != nil {
			return err
		}
		right, err := e.permit(Facts{Datasources: datasources})
		if err != nil {
			return err
		}
		if err := e.eraseAsset(id, workspace, suites); err != nil {
			return tooLarge(err)
		}
		for _, f := range []Family{FamilyCatalog, FamilyLineage, FamilyVerdict, FamilyDirectory} {
			t.touch(f, workspace, id, hidden)
		}
		for _, suite := range suites {
			t.record(Event{Action: "suite.delete", Resource: suite, AdminOverride: right.AdminOverride, Before: map[string]any{"asset": id}})
		}
		t.record(Event{
			Action: "asset.delete", Resource: id, AdminOverride: right.AdminOverride,
			Before: map[string]any{"name": text(r[3]), "datasource": text(r[2]), "suites": len(suites)},
		})
		return nil
	})
}

// eraseAsset deletes the asset, its suites, and the external nodes that are left without an edge.
func (e entered) eraseAsset(id, workspace string, suites []string) error {
	if _, err := e.runUnscoped(deleteSuitesQuery, map[string]any{"ids": suites}); err != nil {
		return err
	}
	rows, err := e.runUnscoped(deleteAssetQuery, map[string]any{"id": id, "workspace": workspace})
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return fault.NotFound("asset") // another transaction was faster
	}
	for _, v := range list(rows[0][0]) {
		x := list(v)
		if x[0] == nil {
			continue
		}
		gone, err := e.runUnscoped(deleteLooseEndQuery, map[string]any{"id": x[0], "workspace": x[1]})
		if err != nil {
			return err
		}
		if len(gone) > 0 {
			e.touch(FamilyLineage, text(x[1]), text(x[0]), integer(x[2]))
			continue
		}
		if err := e.rankExternals(text(x[1]), map[string]bool{text(x[0]): true}); err != nil {
			return err
		}
	}
	return nil
}
