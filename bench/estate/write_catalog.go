package estate

import (
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/strata-gateway/strata/graph"
)

const teamsQuery = `
UNWIND $rows AS v
CREATE (t:Team {id: v.id, workspace: $workspace, name: v.name, everyone: false})
WITH t, v
CALL (t, v) {
  UNWIND v.members AS id
  MATCH (u:User {id: id})
  CREATE (u)-[:IN_TEAM]->(t)
}
CALL (t, v) {
  UNWIND v.rights AS right
  MATCH (d:Datasource {id: right.datasource})
  CREATE (t)-[:TEAM_ON {rank: right.rank}]->(d)
}`

func (l *loader) writeTeams(ctx context.Context) error {
	return l.writeAll(ctx, teamsQuery, func(yield func(record) bool) {
		for _, t := range l.params.teams() {
			row := record{"id": t.id, "name": t.name}
			members, rights := []any{}, []any{}
			for _, m := range t.members {
				members = append(members, l.users[m])
			}
			for _, d := range slices.Sorted(maps.Keys(t.rights)) {
				rights = append(rights, record{"datasource": l.datasources[d], "rank": t.rights[d].Rank()})
			}
			row["members"], row["rights"] = members, rights
			if !yield(row) {
				return
			}
		}
	})
}

const assetsQuery = `
UNWIND $rows AS v
CREATE (a:Dataset:Asset)
SET a = v`

func (l *loader) writeAssets(ctx context.Context) error {
	checked := verdicts(l.params.Suites())
	return l.writeAll(ctx, assetsQuery, func(yield func(record) bool) {
		for index := range l.params.Assets {
			row := l.assetRow(index)
			maps.Copy(row, verdictProperties(checked[index]))
			if !yield(row) {
				return
			}
		}
	})
}

func (l *loader) assetRow(index int) record {
	a := l.params.Asset(index)
	columns := make([]Column, a.Columns)
	for at := range columns {
		columns[at] = columnAt(index, at)
	}
	hidden := 0
	if a.Restricted {
		hidden = 1
	}
	return record{
		"id": a.ID, "workspace": l.params.Workspace, "datasource": l.datasources[a.Datasource], "name": a.Name, "type": string(a.Type),
		"env": "prod", "namespace": a.Namespace, "description": orAbsent(a.Description), "sourceDescription": orAbsent(a.SourceDescription),
		"ownerEmail": orAbsent(a.OwnerEmail), "sourceOwners": []string{}, "tags": a.Tags, "sourceTags": []string{},
		"isRestricted": a.Restricted, "hiddenRank": hidden, "columnCount": a.Columns, "searchText": a.searchText(columns),
		"firstSeenAt": base().AddDate(-1, 0, 0).UnixMilli(), "lastSeenAt": base().UnixMilli(),
	}
}

// verdictProperties are a verdict as it is kept on its asset; the zero one is that of an asset that no
// suite checks.
func verdictProperties(v graph.Verdict) record {
	kept := record{
		"checksTotal": v.ChecksTotal, "checksPassed": v.ChecksPassed, "hasFailedRun": v.HasFailedRun, "hasRunningRun": v.HasRunningRun,
		"hasOpenIncident": v.HasOpenIncident, "suiteCount": v.SuiteCount, "scorecard": flatScorecard(v.Scorecard),
	}
	if v.WorstSeverity != nil {
		kept["severityRank"] = v.WorstSeverity.Rank()
	}
	if v.LastRunAt != nil {
		kept["lastRunAt"] = v.LastRunAt.UnixMilli()
	}
	return kept
}

const columnsQuery = `
UNWIND $rows AS v
MATCH (a:Dataset:Asset {id: v.asset, workspace: $workspace})
CREATE (a)-[:HAS_COLUMN]->(:Column {id: v.id, workspace: $workspace, asset: v.asset, name: v.name, type: v.type,
  ordinal: v.ordinal, description: v.description})`

func (l *loader) writeColumns(ctx context.Context) error {
	return l.writeAll(ctx, columnsQuery, func(yield func(record) bool) {
		made := 0
		for index := range l.params.Assets {
			asset := l.params.AssetID(index)
			for at := range columnsOf(index) {
				c := columnAt(index, at)
				if !yield(record{
					"asset": asset, "id": l.params.id(graph.KindColumn, made), "name": c.Name, "type": c.Type, "ordinal": at + 1,
					"description": orAbsent(c.Description),
				}) {
					return
				}
				made++
			}
		}
	})
}

const edgesQuery = `
UNWIND $rows AS v
MATCH (s:Dataset {id: v.source, workspace: $workspace})
MATCH (t:Dataset {id: v.target, workspace: $workspace})
CREATE (s)-[:FEEDS {id: v.id, workspace: $workspace, category: v.category, createdAt: $at, createdBy: v.by}]->(t)
FOREACH (_ IN CASE WHEN v.producer IS NULL THEN [] ELSE [1] END |
  CREATE (:Assertion {edge: v.id, workspace: $workspace, producer: v.producer, eventKind: 'INGEST', at: $at}))`

func (l *loader) writeEdges(ctx context.Context) error {
	return l.writeAll(ctx, edgesQuery, l.edgeRows())
}

// edgeRows are the edges. One drawn by hand has no assertion; what stated any other one is its category's
// producer.
func (l *loader) edgeRows() iter.Seq[record] {
	topology := l.params.Topology()
	categories := []graph.EdgeCategory{
		graph.EdgeCollected, graph.EdgeDataCatalog, graph.EdgeCollected, graph.EdgeManual, graph.EdgeCollected, graph.EdgeOpenLineage,
	}
	return func(yield func(record) bool) {
		n := 0
		for source, targets := range topology.Feeds {
			from := l.params.AssetID(source)
			for _, target := range targets {
				to, category := l.params.AssetID(int(target)), categories[n%len(categories)]
				row := record{"id": graph.EdgeID(from, to, category), "source": from, "target": to, "category": string(category), "by": l.users[managerAt]}
				if category != graph.EdgeManual {
					row["producer"] = "estate:" + string(category)
				}
				if !yield(row) {
					return
				}
				n++
			}
		}
	}
}
