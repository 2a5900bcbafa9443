package dbt

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/strata-gateway/strata/graph"
)

// catalog is what is kept of catalog.json: what the warehouse itself says of relations, by unique id.
type catalog struct {
	generatedAt time.Time
	relations   map[string]catalogRelation
}

type catalogRelation struct {
	Metadata struct {
		Type    string
		Comment string
	}
	Columns entries[catalogColumn]
}

type catalogColumn struct {
	Name    string
	Type    string
	Index   int
	Comment string
}

// readCatalog reads catalog.json; without a file it is empty.
func readCatalog(a artifact) (*catalog, error) {
	c := &catalog{relations: map[string]catalogRelation{}}
	if a.r == nil {
		return c, nil
	}
	var about metadata
	relations := func(dec *json.Decoder) error {
		return members(dec, func(id string) error {
			var r catalogRelation
			err := dec.Decode(&r)
			c.relations[id] = r
			return err
		})
	}
	err := a.walk(sections{
		"metadata": func(dec *json.Decoder) error {
			if err := dec.Decode(&about); err != nil {
				return err
			}
			return about.check(a.field)
		},
		"nodes":   relations,
		"sources": relations,
	})
	if err == nil {
		err = about.check(a.field)
	}
	c.generatedAt = instant(about.GeneratedAt)
	return c, err
}

// assetType is the kind of the relation as the warehouse has it, "" if it does not say.
func (r catalogRelation) assetType() graph.AssetType {
	switch kind := strings.ToUpper(r.Metadata.Type); {
	case kind == "":
		return ""
	case strings.Contains(kind, "VIEW"):
		return graph.TypeView
	}
	return graph.TypeTable
}

// ordered are the columns in the order of the warehouse.
func (r catalogRelation) ordered() []catalogColumn {
	columns := make([]catalogColumn, 0, len(r.Columns))
	for _, e := range r.Columns {
		c := e.value
		if c.Name == "" {
			c.Name = e.name
		}
		columns = append(columns, c)
	}
	slices.SortStableFunc(columns, func(a, b catalogColumn) int { return cmp.Compare(a.Index, b.Index) })
	return columns
}
