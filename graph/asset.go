package graph

import (
	"context"
	"time"
)

// Asset is a table, view, file or other thing of the catalog: its identity. Its verdict is read apart,
// for an audience.
type Asset struct {
	ID                string
	Workspace         string
	Name              string
	Type              AssetType
	Env               *string
	Namespace         *string
	Description       *string
	SourceDescription *string
	OwnerEmail        *string
	SourceOwners      []string
	Tags              []string
	IsRestricted      bool
	IsMonitored       bool
	LastSeenAt        *time.Time
	ColumnCount       int
	Datasource        *Datasource
	// severityRank is what WORST_SEVERITY orders by: -1 if nothing ever finished.
	severityRank int
}

// IsNode marks an Asset as an object with a global id.
func (*Asset) IsNode() {}

// assetColumns is an asset a with its datasource d as one list.
const assetColumns = `[a.id, a.workspace, a.name, a.type, a.env, a.namespace, a.description, a.sourceDescription,
  a.ownerEmail, a.sourceOwners, a.tags, a.isRestricted, a.suiteCount > 0, a.lastSeenAt, a.columnCount, coalesce(a.severityRank, -1),
  ` + datasourceColumns + `]`

// assetMatch binds the datasource of an asset a.
const assetMatch = `MATCH (d:Datasource {id: a.datasource}) `

func readAsset(v any) *Asset {
	c := list(v)
	return &Asset{
		ID: text(c[0]), Workspace: text(c[1]), Name: text(c[2]), Type: AssetType(text(c[3])), Env: textOrNil(c[4]),
		Namespace: textOrNil(c[5]), Description: textOrNil(c[6]), SourceDescription: textOrNil(c[7]),
		OwnerEmail: textOrNil(c[8]), SourceOwners: texts(c[9]), Tags: texts(c[10]), IsRestricted: boolean(c[11]),
		IsMonitored: boolean(c[12]), LastSeenAt: instant(c[13]), ColumnCount: integer(c[14]), severityRank: integer(c[15]),
		Datasource: readDatasource(c[16]),
	}
}

const assetsByIDQuery = `
UNWIND $ids AS id
MATCH (a:Dataset:Asset {id: id}) WHERE $VISIBLE(a)
` + assetMatch + `
RETURN ` + assetColumns

// Assets returns those of the ids that exist in the audience, by id.
func (s *Store) Assets(ctx context.Context, audience Audience, ids []string) (map[string]*Asset, error) {
	rows, err := s.read(ctx, audience, assetsByIDQuery, map[string]any{"ids": ids})
	if err != nil {
		return nil, err
	}
	out := make(map[string]*Asset, len(rows))
	for _, r := range rows {
		a := readAsset(r[0])
		out[a.ID] = a
	}
	return out, nil
}

const assetNamedQuery = `
MATCH (a:Asset {datasource: $datasource, name: $name}) WHERE $VISIBLE(a)
` + assetMatch + `
RETURN ` + assetColumns

// AssetNamed returns the asset of a name in a datasource, nil if there is none.
func (s *Store) AssetNamed(ctx context.Context, audience Audience, datasource, name string) (*Asset, error) {
	rows, err := s.read(ctx, audience, assetNamedQuery, map[string]any{"datasource": datasource, "name": name})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return readAsset(rows[0][0]), nil
}

const neighbourCountsQuery = `
UNWIND $ids AS id
MATCH (a:Dataset {id: id}) WHERE $VISIBLE(a)
RETURN a.id,
  COUNT { MATCH (a)<-[r:FEEDS]-(u:Dataset) WHERE u <> a AND $VISIBLE(u) AND ` + stated + ` RETURN DISTINCT u },
  COUNT { MATCH (a)-[r:FEEDS]->(w:Dataset) WHERE w <> a AND $VISIBLE(w) AND ` + stated + ` RETURN DISTINCT w }`

// NeighbourCounts are the distinct direct neighbours of a node, other than itself, as its audience sees
// them.
type NeighbourCounts struct{ Upstream, Downstream int }

// NeighbourCounts returns them by node id.
//
// SECURITY: counted under the condition of the audience; the store's own degree would count what is
// hidden (TestDegreesDoNotCountHiddenNeighbours).
func (s *Store) NeighbourCounts(ctx context.Context, audience Audience, ids []string) (map[string]NeighbourCounts, error) {
	rows, err := s.read(ctx, audience, neighbourCountsQuery, map[string]any{"ids": ids})
	if err != nil {
		return nil, err
	}
	out := make(map[string]NeighbourCounts, len(rows))
	for _, r := range rows {
		out[text(r[0])] = NeighbourCounts{Upstream: integer(r[1]), Downstream: integer(r[2])}
	}
	return out, nil
}
