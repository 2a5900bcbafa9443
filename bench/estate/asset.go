package estate

import (
	"fmt"
	"strings"

	"github.com/strata-gateway/strata/graph"
)

// Layers, as the schemas that their assets stand in. The last is the first by name, so that a list by
// name starts with the assets that are checked most.
func schemas() [layers]string {
	return [layers]string{"raw", "staging", "clean", "conformed", "core", "enriched", "integrated", "mart", "metrics", "analytics"}
}

func domains() []string {
	return []string{
		"orders", "customers", "payments", "shipping", "inventory", "returns", "pricing", "marketing", "support", "finance",
		"web", "mobile", "fraud", "loyalty", "suppliers", "forecast",
	}
}

func entities() []string {
	return []string{"daily", "events", "items", "history", "summary", "status", "profile", "balance", "snapshot", "mapping"}
}

// domainSize is how many positions in a row belong to one domain.
const domainSize = 20

// Asset is one asset of the estate.
type Asset struct {
	ID, Name          string
	Datasource        int
	Type              graph.AssetType
	Namespace         string
	Description       string // "": none
	SourceDescription string // "": none
	OwnerEmail        string // "": none
	Tags              []string
	Restricted        bool
	Columns           int // how many
}

// Asset is the asset of an index: all of it follows from the index.
func (p Params) Asset(index int) Asset {
	layer, position := index/p.width(), index%p.width()
	domain := position / domainSize
	subject := domains()[domain%len(domains())]
	schema := schemas()[layer]
	short := fmt.Sprintf("%s_%s_%05d", subject, entities()[position%len(entities())], position)
	a := Asset{
		ID: p.AssetID(index), Name: schema + "." + short, Datasource: domain % datasources,
		Type: graph.TypeTable, Namespace: "warehouse." + schema, Tags: []string{subject}, Columns: columnsOf(index),
		Restricted: index%200 == 199,
	}
	if layer > 0 && position%3 == 0 {
		a.Type = graph.TypeView
	}
	if position%3 == 1 {
		a.Description = "What " + subject + " looks like after the step " + schema + "."
	}
	if position%2 == 0 {
		a.SourceDescription = "Built from the layer before, once an hour."
	}
	if position%4 == 0 {
		a.OwnerEmail = subject + "@" + p.Workspace + ".test"
	}
	if position%10 == 0 {
		a.Tags = append(a.Tags, "pii")
	}
	a.Tags = graph.NormalTags(a.Tags)
	return a
}

// AssetID is the id of the asset of an index.
func (p Params) AssetID(index int) string { return p.id(graph.KindAsset, index) }

// columnSpread is how far the number of columns goes from the mean.
const columnSpread = 6

// columnsOf is how many columns an asset has: two neighbours make up for each other, so that the mean is
// exact.
func columnsOf(index int) int {
	away := index / 2 % (columnSpread + 1)
	if index%2 == 0 {
		return columnsMean - away
	}
	return columnsMean + away
}

// Column is one column of an asset.
type Column struct {
	Name, Type  string
	Description string // "": none
}

// columnAt is the column of an asset at a position from 0.
func columnAt(index, at int) Column {
	words := []string{"id", "amount", "status", "created_at", "updated_at", "customer_id", "country", "currency", "quantity", "email", "channel", "source", "score"}
	types := []string{"BIGINT", "NUMERIC(18,2)", "VARCHAR", "TIMESTAMP", "TIMESTAMP", "BIGINT", "VARCHAR", "VARCHAR", "INTEGER", "VARCHAR", "VARCHAR", "VARCHAR", "DOUBLE"}
	kind := at % len(words)
	c := Column{Name: words[kind], Type: types[kind]}
	if at >= len(words) {
		c.Name += fmt.Sprint("_", at/len(words)+1)
	}
	if (index+at)%4 == 0 {
		c.Description = "The " + strings.ReplaceAll(words[kind], "_", " ") + " as the source has it."
	}
	return c
}

// searchText is what the full-text index holds of an asset: the words of its name, columns, tags and
// descriptions, each once. The names here are plain, so that splitting them at what is no letter or
// digit gives the words that the gateway looks for.
func (a Asset) searchText(columns []Column) string {
	_, short, _ := strings.Cut(a.Name, ".")
	texts := []string{a.Name}
	for _, c := range columns {
		texts = append(texts, c.Name)
	}
	texts = append(append(texts, a.Tags...), a.Description, a.SourceDescription)
	words, seen := []string{short}, map[string]bool{short: true}
	for _, w := range strings.FieldsFunc(strings.ToLower(strings.Join(texts, " ")), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}) {
		if !seen[w] {
			seen[w] = true
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}
