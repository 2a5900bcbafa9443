package graph

import (
	"maps"
	"slices"
	"strings"

	"github.com/strata-gateway/strata/fault"
)

// end is one end of an edge.
type end struct {
	id, workspace string
	hiddenRank    int
	// datasource is an asset's, "" for an external node.
	datasource string
	// model is an external node's, "" for an asset.
	model string
	// fresh is set for an external node that a transaction may have to make.
	fresh *NewExternal
}

// endColumns is a node n as one end, as one list.
const endColumns = `[n.id, n.workspace, n.hiddenRank, n.datasource, n.model]`

func readEnd(v any) end {
	c := list(v)
	return end{id: text(c[0]), workspace: text(c[1]), hiddenRank: integer(c[2]), datasource: text(c[3]), model: text(c[4])}
}

const assetEndQuery = `
MATCH (n:Dataset:Asset {id: $id}) WHERE $VISIBLE(n)
RETURN ` + endColumns

// assetEnd reads an asset as an end. Errors: NOT_FOUND.
func (e entered) assetEnd(id string) (end, error) {
	rows, err := e.run(e.Audience, assetEndQuery, map[string]any{"id": id})
	if err != nil {
		return end{}, err
	}
	if len(rows) == 0 {
		return end{}, fault.NotFound("asset")
	}
	return readEnd(rows[0][0]), nil
}

// end reads an end, or plans an external one. Errors: NOT_FOUND.
func (e entered) end(x EdgeEnd) (end, error) {
	if x.External != nil {
		return end{id: ExternalID(x.External.System, x.External.Model), workspace: e.Workspace, model: x.External.Model, fresh: x.External}, nil
	}
	return e.assetEnd(x.Asset)
}

const namesakesQuery = `
MATCH (a:Asset) WHERE $VISIBLE(a) AND a.name IN $names AND a.id IS NOT NULL
RETURN collect(DISTINCT a.datasource)`

// permitEnds asks the rule about the datasources of both ends. An external end touches none, unless its
// model is the name of a catalogued asset: it then stands for that asset, and drawing around its
// datasource would be a way past it.
//
// SECURITY: only assets that the caller may know are compared, or a refusal would tell of hidden ones
// (TestExternalNamedLikeAnAssetNeedsItsDatasource).
func (e entered) permitEnds(ends ...end) (Right, error) {
	datasources, names := map[string]bool{}, []string{}
	for _, x := range ends {
		if x.datasource != "" {
			datasources[x.datasource] = true
		} else {
			names = append(names, x.model)
		}
	}
	if len(names) > 0 {
		rows, err := e.run(e.Audience, namesakesQuery, map[string]any{"names": names})
		if err != nil {
			return Right{}, err
		}
		for _, id := range texts(rows[0][0]) {
			datasources[id] = true
		}
	}
	facts, err := e.datasourceFacts(slices.Sorted(maps.Keys(datasources))...)
	if err != nil {
		return Right{}, err
	}
	return e.permit(Facts{Datasources: facts, Edits: true})
}

const holdEndQuery = `
MATCH (n:Dataset {id: $id, workspace: $workspace})
SET n.id = n.id
RETURN count(n)`

const makeExternalQuery = `
MERGE (n:Dataset:External {id: $id, workspace: $workspace})
ON CREATE SET n.system = $system, n.model = $model, n.url = $url, n.hiddenRank = 2
SET n.id = n.id`

// holdEnds takes the write locks of both ends, in the order of their ids, and makes an external one that
// is not there. Two transactions about the same edge take turns from here on.
func (e entered) holdEnds(ends ...end) error {
	slices.SortFunc(ends, func(a, b end) int { return strings.Compare(a.id+"\x00"+a.workspace, b.id+"\x00"+b.workspace) })
	for _, x := range ends {
		statement, params := holdEndQuery, map[string]any{"id": x.id, "workspace": x.workspace}
		if x.fresh != nil {
			statement = makeExternalQuery
			params["system"], params["model"], params["url"] = x.fresh.System, x.fresh.Model, x.fresh.URL
		}
		if _, err := e.runUnscoped(statement, params); err != nil {
			return err
		}
	}
	return nil
}
