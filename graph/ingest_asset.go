package graph

import (
	"slices"
	"time"
)

// storedAsset is an asset as the store has it, with what an ingest must know of it.
type storedAsset struct {
	id                             string
	hidden                         int
	kind                           AssetType
	namespace                      *string
	description, sourceDescription *string
	sourceOwners, tags, sourceTags []string
	searchText                     string
	lastSeenAt                     *time.Time
	columns                        []storedColumn
	// describedBy is the producer whose statements stand, "" for none, and builds whether it builds it.
	describedBy string
	builds      bool
}

// ingestedAssetsQuery reads the assets; they are locked.
const ingestedAssetsQuery = `
UNWIND $rows AS id
MATCH (a:Dataset:Asset {id: id, workspace: $workspace})
USING INDEX SEEK a:Dataset(id, workspace)
RETURN a.id, a.hiddenRank, a.type, a.namespace, a.description, a.sourceDescription, a.sourceOwners, a.tags, a.sourceTags,
  a.searchText, a.lastSeenAt, [(a)-[:HAS_COLUMN]->(c:Column) | [c.id, c.name, c.type, c.description, c.ordinal, c.documented]],
  head([(p:Project)-[x:DESCRIBES]->(a) | [p.producer, x.builds]])`

func (t *tx) ingestedAssets(workspace string, ids map[string]bool) (map[string]storedAsset, error) {
	rows, err := t.runBatched(ingestedAssetsQuery, sortedAny(ids), map[string]any{"workspace": workspace})
	if err != nil {
		return nil, err
	}
	out := make(map[string]storedAsset, len(rows))
	for _, r := range rows {
		a := storedAsset{
			id: text(r[0]), hidden: integer(r[1]), kind: AssetType(text(r[2])), namespace: textOrNil(r[3]), description: textOrNil(r[4]),
			sourceDescription: textOrNil(r[5]), sourceOwners: texts(r[6]), tags: texts(r[7]), sourceTags: texts(r[8]),
			searchText: text(r[9]), lastSeenAt: instant(r[10]),
		}
		for _, x := range list(r[11]) {
			c := list(x)
			a.columns = append(a.columns, storedColumn{
				id: text(c[0]), name: text(c[1]), kind: textOrNil(c[2]), description: textOrNil(c[3]), ordinal: integer(c[4]), documented: boolean(c[5]),
			})
		}
		if by := list(r[12]); len(by) == 2 {
			a.describedBy, a.builds = text(by[0]), boolean(by[1])
		}
		out[a.id] = a
	}
	return out, nil
}

// assetPlan is what an ingest makes of one asset.
type assetPlan struct {
	id     string
	hidden int
	isNew  bool
	// props are the properties to set; empty if none changes. nil is a property to remove.
	props map[string]any
	// changed is set if anything but the time it was last seen changes.
	changed bool
	// describes is set if the project's statements become those that stand; builds as it states it.
	describes, builds bool
	columns           columnPlan
}

// describes reports whether what the producer says of an asset stands: nobody else's does, or it builds
// the relation and the other only reads it. So a source stub never overwrites the model behind it.
func (a storedAsset) yieldsTo(producer string, builds bool) bool {
	return a.describedBy == "" || a.describedBy == producer || builds && !a.builds
}

// planAsset works out what the ingest changes on an asset that exists. It is a function of both alone.
func planAsset(a storedAsset, in IngestAsset, producer string) assetPlan {
	p := assetPlan{id: a.id, hidden: a.hidden, props: map[string]any{}}
	if seen := in.seenAt(); seen != nil && (a.lastSeenAt == nil || *seen > a.lastSeenAt.UnixMilli()) {
		p.props["lastSeenAt"] = *seen
	}
	if !a.yieldsTo(producer, in.Builds) {
		return p
	}
	p.describes = a.describedBy != producer || a.builds != in.Builds
	p.columns = planColumns(a.columns, in)
	tags, sourceTags := mergeTags(a.tags, a.sourceTags, in.Tags)
	words := searchText(in.Name, p.columns.names(), descriptions(a.description, in.SourceDescription), tags)
	seen := len(p.props)
	set := func(property string, differs bool, value any) {
		if differs {
			p.props[property] = value
		}
	}
	// A stub knows less of the kind of thing than whoever made the asset.
	knows := in.Builds || a.describedBy == producer
	set("type", knows && a.kind != in.Type, string(in.Type))
	set("namespace", (knows || a.namespace == nil) && in.Namespace != nil && !equalText(a.namespace, in.Namespace), in.Namespace)
	set("sourceDescription", !equalText(a.sourceDescription, in.SourceDescription), in.SourceDescription)
	set("sourceOwners", !slices.Equal(a.sourceOwners, in.SourceOwners), orEmpty(in.SourceOwners))
	set("tags", !slices.Equal(a.tags, tags), tags)
	set("sourceTags", !slices.Equal(a.sourceTags, sourceTags), sourceTags)
	set("columnCount", len(a.columns) != len(p.columns.columns), len(p.columns.columns))
	set("searchText", a.searchText != words, words)
	p.changed = len(p.props) > seen || p.columns.changes()
	return p
}

// seenAt is when the asset was seen, in the store's unit; nil if the project does not say.
func (in IngestAsset) seenAt() *int64 {
	if in.SeenAt.IsZero() {
		return nil
	}
	at := in.SeenAt.UnixMilli()
	return &at
}

// planNewAsset is an asset that the ingest makes, under the given id.
func planNewAsset(id, workspace string, in IngestAsset, now int64) assetPlan {
	p := assetPlan{id: id, isNew: true, changed: true, describes: true, builds: in.Builds, columns: planColumns(nil, in)}
	p.props = map[string]any{
		"id": id, "workspace": workspace, "datasource": in.Datasource, "name": in.Name, "type": string(in.Type), "namespace": in.Namespace,
		"sourceDescription": in.SourceDescription, "sourceOwners": orEmpty(in.SourceOwners), "tags": orEmpty(in.Tags),
		"sourceTags": orEmpty(in.Tags), "isRestricted": false, "hiddenRank": visibleToAll, "columnCount": len(in.Columns),
		"lastSeenAt": in.seenAt(), "firstSeenAt": now,
		"searchText":  searchText(in.Name, p.columns.names(), descriptions(in.SourceDescription), in.Tags),
		"checksTotal": 0, "checksPassed": 0, "hasFailedRun": false, "hasRunningRun": false, "hasOpenIncident": false, "suiteCount": 0,
		"scorecard": flatScorecard(nil),
	}
	return p
}

// mergeTags are the tags after those of the project, set before by it, gave way to the stated ones, and
// those of them that the project set. What people typed stays, also if the project states the same and
// later does not; what people took away comes back only if the project states it anew.
func mergeTags(tags, before, stated []string) (merged, set []string) {
	merged, set = make([]string, 0, len(tags)+len(stated)), make([]string, 0, len(stated))
	for _, t := range tags {
		if !slices.Contains(before, t) || slices.Contains(stated, t) {
			merged = append(merged, t)
		}
	}
	for _, t := range stated {
		wasSet := slices.Contains(before, t)
		if !wasSet {
			merged = append(merged, t)
		}
		if wasSet || !slices.Contains(tags, t) {
			set = append(set, t)
		}
	}
	return NormalTags(merged), set
}
