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

// AssetChange is what to change on an asset: of each field, whether it is changed, and to what.
type AssetChange struct {
	Description, OwnerEmail Change[*string]
	Tags                    Change[[]string]
	Config                  Change[any]
}

// Change is a new value for a field; its zero value leaves the field as it is.
type Change[T any] struct {
	Set   bool
	Value T
}

const assetBeforeQuery = `
MATCH (a:Dataset:Asset {id: $id}) WHERE $VISIBLE(a)
SET a.id = a.id
RETURN a.workspace, a.hiddenRank, a.datasource, a.name, a.description, a.ownerEmail, a.tags, a.config, a.sourceDescription,
  COLLECT { MATCH (a)-[:HAS_COLUMN]->(c:Column) RETURN c.name ORDER BY c.ordinal }`

const updateAssetQuery = `
MATCH (a:Dataset:Asset {id: $id, workspace: $workspace})
` + assetMatch + `
SET a.description = $description, a.ownerEmail = $ownerEmail, a.tags = $tags, a.config = $config, a.searchText = $searchText
RETURN ` + assetColumns

// UpdateAsset changes an asset. Errors: NOT_FOUND, and what the rule says.
func (s *Store) UpdateAsset(ctx context.Context, w Writer, id string, c AssetChange) (*Asset, error) {
	var changed *Asset
	err := s.write(ctx, w.Actor, func(t *tx) error {
		e, err := t.enter(w)
		if err != nil {
			return err
		}
		rows, err := e.run(e.Audience, assetBeforeQuery, map[string]any{"id": id})
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return fault.NotFound("asset")
		}
		r := rows[0]
		datasources, err := e.datasourceFacts(text(r[2]))
		if err != nil {
			return err
		}
		right, err := e.permit(Facts{
			Datasources: datasources, Curates: c.Description.Set || c.OwnerEmail.Set, Edits: c.Tags.Set || c.Config.Set,
		})
		if err != nil {
			return err
		}
		changed, err = e.updateAsset(id, r, c, right)
		return err
	})
	return changed, err
}

// updateAsset writes what the change makes of the asset as it was.
func (e entered) updateAsset(id string, before row, c AssetChange, right Right) (*Asset, error) {
	description, owner, tags, config := textOrNil(before[4]), textOrNil(before[5]), texts(before[6]), before[7]
	if c.Description.Set {
		description = c.Description.Value
	}
	if c.OwnerEmail.Set {
		owner = c.OwnerEmail.Value
	}
	if c.Tags.Set {
		tags = NormalTags(c.Tags.Value)
	}
	if c.Config.Set {
		var err error
		if config, err = encoded(c.Config.Value); err != nil {
			return nil, fault.BadInput("input.config", "The config is no JSON value.")
		}
	}
	was := map[string]any{"description": before[4], "ownerEmail": before[5], "tags": texts(before[6]), "config": before[7]}
	is := map[string]any{"description": description, "ownerEmail": owner, "tags": tags, "config": config}
	if jsonOrNil(was) == jsonOrNil(is) {
		return e.assetAsItIs(id)
	}
	words := searchText(text(before[3]), texts(before[9]), descriptions(description, textOrNil(before[8])), tags)
	rows, err := e.runUnscoped(updateAssetQuery, map[string]any{
		"id": id, "workspace": before[0], "description": description, "ownerEmail": owner, "tags": tags, "config": config, "searchText": words,
	})
	if err != nil {
		return nil, err
	}
	e.touch(FamilyCatalog, text(before[0]), id, integer(before[1]))
	e.record(Event{Action: "asset.update", Resource: id, AdminOverride: right.AdminOverride, Before: was, After: is})
	return readAsset(rows[0][0]), nil
}

// assetAsItIs is the answer to a change that changes nothing: nothing is written then.
func (e entered) assetAsItIs(id string) (*Asset, error) {
	rows, err := e.run(e.Audience, assetsByIDQuery, map[string]any{"ids": []string{id}})
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fault.NotFound("asset")
	}
	return readAsset(rows[0][0]), nil
}

func descriptions(all ...*string) []string {
	var out []string
	for _, d := range all {
		if d != nil {
			out = append(out, *d)
		}
	}
	return out
}
