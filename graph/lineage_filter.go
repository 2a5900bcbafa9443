package graph

import "strings"

// WalkFilter narrows a walk of lineage and what it shows; what is set is ANDed. Categories cut: an edge of no
// chosen category is not walked. All else hides nodes and walks through them. It reads identity and aggregates
// only.
type WalkFilter struct {
	// Categories are those of the edges that are walked; none: all.
	Categories []EdgeCategory
	// Systems are those of external nodes: an asset has none.
	Systems []string
	// Tags hold an asset that carries one of them.
	Tags []string
	// Types are those of assets.
	Types []AssetType
	// WorstSeverityAtLeast is the mildest verdict; "" for any, and for none.
	WorstSeverityAtLeast Severity
	// Text is contained in the asset's name or the external node's model, whatever the case.
	Text string
	// OwnerEmail is the curated owner or one that the source states, whatever the case.
	OwnerEmail string
	// Datasource is that of assets.
	Datasource string
}

// kept holds where a node b passes the filter. It is one text whatever is asked for, so that the store plans
// one statement for a direction and depth.
const kept = `(size($systems) = 0 OR b.system IN $systems)
  AND (size($tags) = 0 OR any(t IN $tags WHERE t IN b.tags))
  AND (size($types) = 0 OR b.type IN $types)
  AND ($severity < 0 OR coalesce(b.severityRank, -1) >= $severity)
  AND ($text = '' OR toLower(coalesce(b.name, b.model)) CONTAINS toLower($text))
  AND ($owner = '' OR toLower(coalesce(b.ownerEmail, '')) = $owner OR any(o IN b.sourceOwners WHERE toLower(o) = $owner))
  AND ($datasource = '' OR b.datasource = $datasource)`

// walked holds where an edge r is one that the filter lets be walked, beside being stated.
const walked = `(size($categories) = 0 OR r.category IN $categories)`

// parameters are those of the two conditions.
func (f WalkFilter) parameters() map[string]any {
	return map[string]any{
		"categories": plain(f.Categories), "systems": orEmpty(f.Systems), "tags": orEmpty(f.Tags), "types": plain(f.Types),
		"severity": f.WorstSeverityAtLeast.Rank(), "text": f.Text, "owner": strings.ToLower(f.OwnerEmail), "datasource": f.Datasource,
	}
}

// plain are names as the driver takes them.
func plain[T ~string](names []T) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = string(n)
	}
	return out
}

// fitsMark stands in a statement where it tells whether a node b passes the filter.
const fitsMark = `#FITS`

// Hides reports whether the filter hides nodes, and Cuts whether it leaves edges out of the walk.
func (f WalkFilter) Hides() bool {
	return len(f.Systems)+len(f.Tags)+len(f.Types) > 0 || f.WorstSeverityAtLeast != "" || f.Text != "" || f.OwnerEmail != "" || f.Datasource != ""
}

// Cuts: see Hides.
func (f WalkFilter) Cuts() bool { return len(f.Categories) > 0 }

// narrowed is a statement that tells of its nodes whether they pass the filter, and follows no edge that it
// leaves out. Without a filter it is a statement of its own: the conditions cost every node and edge.
func (f WalkFilter) narrowed(statement string) string {
	fits, followed := "true", stated
	if f.Hides() {
		fits = "(" + kept + ")"
	}
	if f.Cuts() {
		followed += " AND " + walked
	}
	return strings.NewReplacer(fitsMark, fits, stated, followed).Replace(statement)
}

// with are parameters with those of the filter, if it asks for anything.
func (f WalkFilter) with(params map[string]any) map[string]any {
	if f.Hides() || f.Cuts() {
		for name, value := range f.parameters() {
			params[name] = value
		}
	}
	return params
}
