package graph

import (
	"context"
	"slices"
	"strings"

	"github.com/strata-gateway/strata/fault"
)

// NewAsset is what an asset is made of.
type NewAsset struct {
	Datasource string
	Name       string
	Type       AssetType
	Config     any
	Env        *string
	Tags       []string
}

const assetTakenQuery = `
MATCH (a:Asset {datasource: $datasource, name: $name})
RETURN a.id`

const createAssetQuery = `
MATCH (d:Datasource {id: $datasource})
CREATE (a:Dataset:Asset {id: $id, workspace: d.workspace, datasource: d.id, name: $name, type: $type, config: $config, env: $env,
  tags: $tags, sourceTags: [], sourceOwners: [], isRestricted: false, hiddenRank: 0, columnCount: 0, searchText: $searchText,
  firstSeenAt: $at, checksTotal: 0, checksPassed: 0, hasFailedRun: false, hasRunningRun: false, hasOpenIncident: false,
  suiteCount: 0, scorecard: $scorecard})
RETURN ` + assetColumns

// CreateAsset adds an asset to a datasource. Errors: NOT_FOUND for the datasource, CONFLICT if the name
// is taken there, and what the rule says.
func (s *Store) CreateAsset(ctx context.Context, w Writer, in NewAsset) (*Asset, error) {
	config, err := encoded(in.Config)
	if err != nil {
		return nil, fault.BadInput("input.config", "The config is no JSON value.")
	}
	var made *Asset
	err = s.write(ctx, w.Actor, func(t *tx) error {
		e, err := t.enter(w)
		if err != nil {
			return err
		}
		datasources, err := e.datasourceFacts(in.Datasource)
		if err != nil {
			return err
		}
		right, err := e.permit(Facts{Datasources: datasources, Edits: true})
		if err != nil {
			return err
		}
		// Only who may see every asset of the datasource gets here, so that a taken name tells nothing.
		taken, err := t.runUnscoped(assetTakenQuery, map[string]any{"datasource": in.Datasource, "name": in.Name})
		if err != nil {
			return err
		}
		if len(taken) > 0 {
			return fault.New(fault.CodeConflict, "The datasource has an asset of this name already. Look it up by asset(name:, datasource:).")
		}
		tags := NormalTags(in.Tags)
		rows, err := t.runUnscoped(createAssetQuery, map[string]any{
			"datasource": in.Datasource, "id": s.ids.New(KindAsset), "name": in.Name, "type": string(in.Type), "config": config, "env": in.Env,
			"tags": tags, "at": s.nowMillis(), "scorecard": flatScorecard(nil), "searchText": searchText(in.Name, nil, nil, tags),
		})
		if err != nil {
			return err
		}
		made = readAsset(rows[0][0])
		t.touch(FamilyCatalog, made.Workspace, made.ID, visibleToAll)
		t.record(Event{Action: "asset.create", Resource: made.ID, AdminOverride: right.AdminOverride, After: map[string]any{"name": in.Name, "datasource": in.Datasource}})
		return nil
	})
	return made, err
}

// NormalTags is how tags are kept: trimmed, lower case, sorted, without duplicates and empty ones.
func NormalTags(tags []string) []string {
	out := make([]string, 0, len(tags))
	for _, t := range tags {
		if t = strings.ToLower(strings.TrimSpace(t)); t != "" {
			out = append(out, t)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
