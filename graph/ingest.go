package graph

import "time"

// Ingest is all that a project states, in one piece: what it does not state any more goes, as far as the
// project stated it before.
type Ingest struct {
	// Project is its name, and Producer who speaks for it: ProducerOf its name and home.
	Project, Producer string
	// Home is the id of the datasource that it builds most of its relations in, "" for none.
	Home string
	// Category is that of its edges.
	Category EdgeCategory
	// Datasource is the id of the datasource that was named for the project, "": none was.
	Datasource string
	Assets     []IngestAsset
	Externals  []IngestExternal
	Edges      []IngestEdge
	// SuiteName is the name of the project's suites.
	SuiteName string
	Suites    []IngestSuite
	// Warnings are what was left out so far, and why.
	Warnings []string
}

// IngestAsset is a relation that a project names.
type IngestAsset struct {
	// Key names it within the ingest, for edges and suites.
	Key string
	// Datasource is an id of the workspace; Name is unique in it.
	Datasource, Name string
	Type             AssetType
	// Builds is set if the project makes the relation, and not if it only reads it. What a project that
	// builds a relation says of it goes before what others say.
	Builds            bool
	Namespace         *string
	SourceDescription *string
	SourceOwners      []string
	Tags              []string
	Columns           []IngestColumn
	// Observed is set if Columns were read from the relation itself: all of its columns, in order, as the
	// source spells them.
	Observed bool
	// SeenAt is when the project last saw or stated it; the zero time if it does not say.
	SeenAt time.Time
}

// IngestColumn is a column of a relation; its position is that in the list.
type IngestColumn struct {
	Name              string
	Type, Description *string
}

// IngestExternal is something outside the catalog that the project names.
type IngestExternal struct {
	Key, System, Model string
	URL                *string
}

// IngestEdge says that one thing feeds another, by their keys.
type IngestEdge struct{ Source, Target string }

// IngestSuite are the project's checks on one asset: there is one suite for each asset and project.
type IngestSuite struct {
	// Asset is a key.
	Asset  string
	Checks []IngestCheck
	Runs   []IngestRun
}

// IngestCheck is a check, identified within its suite by Key.
type IngestCheck struct {
	Key string
	NewCheck
}

// IngestRun is a finished run of the suite.
type IngestRun struct {
	RunID                 string
	State                 RunState
	StartedAt, FinishedAt *time.Time
	// Results name checks of the suite by their keys in CheckID.
	Results []ReportedResult
}

// IngestSummary is what an ingest did.
type IngestSummary struct {
	AssetsCreated, AssetsChanged, AssetsUnchanged int
	EdgesCreated, EdgesUnchanged, EdgesRemoved    int
	SuitesCreated, RunsCreated                    int
	// Warnings are what was left out, and why; at most 100.
	Warnings []string
}

// maxWarnings bounds the warnings of a summary.
const maxWarnings = 100

// changes is what an audit event says of an ingest.
func (s IngestSummary) changes() map[string]any {
	return map[string]any{
		"assetsCreated": s.AssetsCreated, "assetsChanged": s.AssetsChanged, "edgesCreated": s.EdgesCreated,
		"edgesRemoved": s.EdgesRemoved, "suitesCreated": s.SuitesCreated, "runsCreated": s.RunsCreated,
	}
}
