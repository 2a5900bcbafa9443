package graph

import (
	"cmp"
	"maps"
	"slices"

	"github.com/strata-gateway/strata/fault"
)

// assertedEnds are ends by what names them.
type assertedEnds map[string]end

// all are the ends, by id.
func (a assertedEnds) all() []end {
	out := slices.Collect(maps.Values(a))
	slices.SortFunc(out, func(x, y end) int { return cmp.Compare(x.id, y.id) })
	return out
}

// id is the id of the node that an end names.
func (x EdgeEnd) id() string {
	if x.External != nil {
		return ExternalID(x.External.System, x.External.Model)
	}
	return x.Asset
}

const assetEndsQuery = `
UNWIND $ids AS id
MATCH (n:Dataset:Asset {id: id}) WHERE $VISIBLE(n)
RETURN ` + endColumns

// assertedEnds reads the ends of edges. Errors: NOT_FOUND if one is not there.
func (e entered) assertedEnds(edges []AssertedEdge) (assertedEnds, error) {
	ends, assets := assertedEnds{}, map[string]bool{}
	for _, x := range edges {
		for _, named := range []EdgeEnd{x.Source, x.Target} {
			if named.External == nil {
				assets[named.Asset] = true
				continue
			}
			external := end{id: named.id(), workspace: e.Workspace, model: named.External.Model, fresh: named.External}
			ends[external.id] = external
		}
	}
	rows, err := e.run(e.Audience, assetEndsQuery, map[string]any{"ids": sortedAny(assets)})
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		found := readEnd(r[0])
		ends[found.id] = found
	}
	for id := range assets {
		if _, ok := ends[id]; !ok {
			return nil, fault.NotFound("asset")
		}
	}
	return ends, nil
}

const (
	holdAssetsQuery = `
UNWIND $rows AS v
MATCH (n:Dataset {id: v.id, workspace: v.workspace})
USING INDEX SEEK n:Dataset(id, workspace)
SET n.id = n.id`

	makeExternalsQuery = `
UNWIND $rows AS v
MERGE (n:Dataset:External {id: v.id, workspace: v.workspace})
ON CREATE SET n.system = v.system, n.model = v.model, n.url = v.url, n.hiddenRank = 2
SET n.id = n.id`
)

// holdAll does what holdEnds does, for many ends in the order of their ids.
func (e entered) holdAll(ends []end) error {
	var assets, externals []any
	for _, x := range ends {
		if x.fresh == nil {
			assets = append(assets, map[string]any{"id": x.id, "workspace": x.workspace})
			continue
		}
		externals = append(externals, map[string]any{"id": x.id, "workspace": x.workspace, "system": x.fresh.System, "model": x.fresh.Model, "url": x.fresh.URL})
	}
	if _, err := e.runBatched(holdAssetsQuery, assets, map[string]any{}); err != nil {
		return err
	}
	_, err := e.runBatched(makeExternalsQuery, externals, map[string]any{})
	return err
}

// planned is an edge between two ends. An external end is seen by who sees the other one.
func planned(source, target end, category EdgeCategory) plannedEdge {
	at := func(x end) edgeEnd {
		return edgeEnd{id: x.id, workspace: x.workspace, datasource: x.datasource, hidden: x.hiddenRank}
	}
	return plannedEdge{id: EdgeID(source.id, target.id, category), source: at(source), target: at(target)}
}
