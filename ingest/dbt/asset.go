package dbt

import (
	"slices"
	"strings"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/ingest"
)

// addAssets makes an asset of each relation. Several nodes may be one relation, such as a model and a
// source that reads it: then the one that builds it speaks for it.
func (b *builder) addAssets() {
	speaker := map[string]*node{} // by relation
	var relations []string
	for _, id := range b.manifest.order {
		n := b.manifest.nodes[id]
		if !n.isRelation() {
			continue
		}
		name := n.relation()
		if len(name) > maxRelation {
			b.warn("%s was left out: the name of its relation has more than %d bytes", id, maxRelation)
			continue
		}
		other, ok := speaker[name]
		switch {
		case !ok:
			relations = append(relations, name)
			speaker[name] = n
		case n.builtBy(b.manifest.project) && other.builtBy(b.manifest.project):
			b.warn("%s and %s build the same relation %s: the first was taken for it", other.id, id, name)
		case n.builtBy(b.manifest.project):
			speaker[name] = n
		}
	}
	for _, name := range relations {
		key := speaker[name].id
		b.at[key] = len(b.assets)
		b.assets = append(b.assets, b.asset(speaker[name], name))
	}
	for _, id := range b.manifest.order {
		if n := b.manifest.nodes[id]; n.isRelation() {
			if s, ok := speaker[n.relation()]; ok {
				b.assetOf[id] = s.id
			}
		}
	}
}

func (b *builder) asset(n *node, name string) ingest.Asset {
	a := ingest.Asset{Place: ingest.Place{Kind: b.manifest.kind, Database: n.Database, Schema: n.Schema}}
	seen, observed := b.catalog.relations[n.id]
	a.IngestAsset = graph.IngestAsset{
		Key: n.id, Name: name, Type: n.assetType(), Builds: n.builtBy(b.manifest.project), Namespace: orNil(n.namespace()),
		SourceOwners: b.owners(n), Tags: boundedTags(n.Tags), Columns: b.columns(n, seen, observed), Observed: observed,
		SeenAt: b.manifest.generatedAt,
	}
	description := n.Description
	if observed {
		if kind := seen.assetType(); kind != "" {
			a.Type = kind
		}
		if description == "" {
			description = seen.Metadata.Comment
		}
		if b.catalog.generatedAt.After(a.SeenAt) {
			a.SeenAt = b.catalog.generatedAt
		}
	}
	a.SourceDescription = orNil(cut(description, maxDescription))
	return a
}

// assetType is the kind of the relation as far as the manifest tells.
func (n *node) assetType() graph.AssetType {
	if n.Kind == kindModel && strings.Contains(n.Config.Materialized, "view") {
		return graph.TypeView
	}
	return graph.TypeTable
}

// owners are those of the node and of its group.
func (b *builder) owners(n *node) []string {
	name := n.Group
	if name == "" {
		name = n.Config.Group
	}
	var owners []string
	for _, o := range slices.Concat(n.Config.Meta.Owner, n.Meta.Owner, n.SourceMeta.Owner, b.manifest.groups[n.Package+"."+name].Owner) {
		if o = cut(o, maxName); o != "" && !slices.Contains(owners, o) && len(owners) < maxOwners {
			owners = append(owners, o)
		}
	}
	return owners
}

func boundedTags(tags []string) []string {
	var short []string
	for _, t := range tags {
		short = append(short, cut(t, maxTag))
	}
	short = graph.NormalTags(short)
	return short[:min(len(short), maxTags)]
}

// columns are those of the catalog if it has the relation, described by the manifest: matched by exact
// name, then without case if that is unambiguous. Without the catalog they are what the manifest says.
func (b *builder) columns(n *node, seen catalogRelation, observed bool) []graph.IngestColumn {
	var out []graph.IngestColumn
	if !observed {
		for _, c := range n.Columns {
			out = append(out, graph.IngestColumn{Name: c.name, Type: orNil(c.value.DataType), Description: orNil(cut(c.value.Description, maxDescription))})
		}
		return b.boundedColumns(n, out)
	}
	for _, c := range seen.ordered() {
		out = append(out, graph.IngestColumn{Name: c.Name, Type: orNil(c.Type), Description: orNil(cut(c.Comment, maxDescription))})
	}
	out = b.boundedColumns(n, out)
	find := columnFinder(out)
	for _, c := range n.Columns {
		at, ok := find(c.name)
		if !ok {
			b.warn("%s documents a column %s that the catalog does not show: it was left out", n.id, c.name)
			continue
		}
		if description := orNil(cut(c.value.Description, maxDescription)); description != nil {
			out[at].Description = description
		}
	}
	return out
}

func (b *builder) boundedColumns(n *node, columns []graph.IngestColumn) []graph.IngestColumn {
	kept, seen := columns[:0], map[string]bool{}
	for _, c := range columns {
		if c.Name != "" && len(c.Name) <= maxRelation && !seen[c.Name] {
			seen[c.Name] = true
			kept = append(kept, c)
		}
	}
	if len(kept) > maxColumns {
		b.warn("%s has %d columns: the first %d were taken", n.id, len(kept), maxColumns)
		kept = kept[:maxColumns]
	}
	return kept
}

// columnFinder finds a column's place by its exact name, else without case if only one is so called.
func columnFinder(columns []graph.IngestColumn) func(name string) (int, bool) {
	exact, folded, several := map[string]int{}, map[string]int{}, map[string]bool{}
	for i, c := range columns {
		exact[c.Name] = i
		key := strings.ToLower(c.Name)
		if _, ok := folded[key]; ok {
			several[key] = true
		}
		folded[key] = i
	}
	return func(name string) (int, bool) {
		if at, ok := exact[name]; ok {
			return at, true
		}
		key := strings.ToLower(name)
		at, ok := folded[key]
		return at, ok && !several[key]
	}
}
