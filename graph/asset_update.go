package graph

import (
	"context"

	"github.com/strata-gateway/strata/fault"
)

// AssetChange is what to change on an asset: of each field, whether it is changed, and to what.
type AssetChange struct {
	Description, OwnerEmail Change[*string]
	Tags                    Change[[]string]
	Config                  Change[any]
	IsRestricted            Change[bool]
}

// curates reports whether the change touches what only workspace admins decide.
func (c AssetChange) curates() bool {
	return c.Description.Set || c.OwnerEmail.Set || c.IsRestricted.Set
}

// Change is a new value for a field; its zero value leaves the field as it is.
type Change[T any] struct {
	Set   bool
	Value T
}

// apply changes a value if it is to be changed.
func (c Change[T]) apply(to *T) {
	if c.Set {
		*to = c.Value
	}
}

// editable is what can be changed on an asset; config is JSON text or nil.
type editable struct {
	description, owner *string
	tags               []string
	config             any
	restricted         bool
}

// after is what a change makes of it. Errors: BAD_USER_INPUT for a config that is no JSON value.
func (v editable) after(c AssetChange) (editable, error) {
	c.Description.apply(&v.description)
	c.OwnerEmail.apply(&v.owner)
	c.IsRestricted.apply(&v.restricted)
	if c.Tags.Set {
		v.tags = NormalTags(c.Tags.Value)
	}
	if c.Config.Set {
		var err error
		if v.config, err = encoded(c.Config.Value); err != nil {
			return v, fault.BadInput("input.config", "The config is no JSON value.")
		}
	}
	return v, nil
}

// facts are what the audit event says of it.
func (v editable) facts() map[string]any {
	return map[string]any{"description": v.description, "ownerEmail": v.owner, "tags": v.tags, "config": v.config, "isRestricted": v.restricted}
}

const assetBeforeQuery = `
MATCH (a:Dataset:Asset {id: $id}) WHERE $VISIBLE(a)
SET a.id = a.id
RETURN a.workspace, a.hiddenRank, a.datasource, a.name, a.sourceDescription,
  COLLECT { MATCH (a)-[:HAS_COLUMN]->(c:Column) RETURN c.name ORDER BY c.ordinal },
  a.description, a.ownerEmail, a.tags, a.config, a.isRestricted`

// assetBefore is an asset as a change finds it.
type assetBefore struct {
	editable
	workspace, datasource, name string
	hidden                      int
	sourceDescription           *string
	columns                     []string
}

func readAssetBefore(r row) assetBefore {
	return assetBefore{
		workspace: text(r[0]), hidden: integer(r[1]), datasource: text(r[2]), name: text(r[3]), sourceDescription: textOrNil(r[4]), columns: texts(r[5]),
		editable: editable{description: textOrNil(r[6]), owner: textOrNil(r[7]), tags: texts(r[8]), config: r[9], restricted: boolean(r[10])},
	}
}

const updateAssetQuery = `
MATCH (a:Dataset:Asset {id: $id, workspace: $workspace})
` + assetMatch + `
SET a.description = $description, a.ownerEmail = $ownerEmail, a.tags = $tags, a.config = $config, a.searchText = $searchText,
  a.isRestricted = $isRestricted, a.hiddenRank = $hiddenRank
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
		before := readAssetBefore(rows[0])
		datasources, err := e.datasourceFacts(before.datasource)
		if err != nil {
			return err
		}
		right, err := e.permit(Facts{Datasources: datasources, Curates: c.curates(), Edits: c.Tags.Set || c.Config.Set})
		if err != nil {
			return err
		}
		changed, err = e.updateAsset(id, before, c, right)
		return err
	})
	return changed, err
}

// updateAsset writes what the change makes of the asset as it was.
func (e entered) updateAsset(id string, before assetBefore, c AssetChange, right Right) (*Asset, error) {
	is, err := before.after(c)
	if err != nil {
		return nil, err
	}
	if jsonOrNil(before.facts()) == jsonOrNil(is.facts()) {
		return e.assetAsItIs(id)
	}
	hidden := hiddenRank(before.workspace == e.store.organization, is.restricted)
	rows, err := e.runUnscoped(updateAssetQuery, map[string]any{
		"id": id, "workspace": before.workspace, "description": is.description, "ownerEmail": is.owner, "tags": is.tags, "config": is.config,
		"searchText":   searchText(before.name, before.columns, descriptions(is.description, before.sourceDescription), is.tags),
		"isRestricted": is.restricted, "hiddenRank": hidden,
	})
	if err != nil {
		return nil, err
	}
	seen := min(before.hidden, hidden)
	if hidden != before.hidden {
		if err := e.rankNeighbours(before.workspace, id); err != nil {
			return nil, err
		}
		e.touch(FamilyLineage, before.workspace, id, seen)
		e.touch(FamilyVerdict, before.workspace, id, seen)
	}
	e.touch(FamilyCatalog, before.workspace, id, seen)
	e.record(Event{Action: "asset.update", Resource: id, AdminOverride: right.AdminOverride, Before: before.facts(), After: is.facts()})
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
