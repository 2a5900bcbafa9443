package ingest

import (
	"context"
	"slices"

	"github.com/strata-gateway/strata/graph"
)

// Apply applies a change set as the writer, whose rule must be that of ingests. datasource is the name of
// the datasource to prefer, "" for none; it is kept for the project. Errors: BAD_USER_INPUT if a relation
// belongs to no datasource or to several, with what there is; and those of graph.Store.ApplyIngest.
func Apply(ctx context.Context, store *graph.Store, w graph.Writer, set ChangeSet, datasource string) (graph.IngestSummary, error) {
	return store.ApplyIngest(ctx, w, set.Speaker, func(l graph.Landing) (graph.Ingest, error) {
		return land(set, l, datasource)
	})
}

// land completes the change set by the datasources of the workspace.
func land(set ChangeSet, l graph.Landing, name string) (graph.Ingest, error) {
	preferred, err := preferredDatasource(l, name)
	if err != nil {
		return graph.Ingest{}, err
	}
	places, err := resolve(set.Assets, l.Datasources, preferred)
	if err != nil {
		return graph.Ingest{}, err
	}
	in := graph.Ingest{
		Project: set.Project, Category: set.Category, Externals: set.Externals, Edges: set.Edges,
		SuiteName: set.SuiteName, Suites: set.Suites, Warnings: set.Warnings, Assets: make([]graph.IngestAsset, 0, len(set.Assets)),
	}
	if name != "" {
		in.Datasource = preferred.ID
	}
	var warning string
	in.Producer, in.Home, warning = identify(set, l, places)
	if warning != "" {
		in.Warnings = append(slices.Clone(in.Warnings), warning)
	}
	for _, a := range set.Assets {
		a.Datasource = places[a.Place].ID
		in.Assets = append(in.Assets, a.IngestAsset)
	}
	return in, nil
}
