package lineage

import (
	"context"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/openlineage"
)

// DatasetStore is what finding a dataset by its name reads.
type DatasetStore interface {
	Store
	// WorkspaceDatasources are those of the audience, by name.
	WorkspaceDatasources(context.Context, graph.Audience) ([]*graph.Datasource, error)
	// DatasetAt is the id of what stands at the first of the places, else of the external node, else "".
	DatasetAt(ctx context.Context, audience graph.Audience, places []graph.Place, external string) (string, error)
}

// Dataset returns the node that a producer of OpenLineage calls by a namespace and a name, alone as the focus
// of a walk of no hops: the asset of a datasource that the namespace means, else the external node of the two.
// It returns nil if there is neither. How names match: docs/lineage.md, "OpenLineage names".
func Dataset(ctx context.Context, store DatasetStore, audience graph.Audience, namespace, name string) (*Node, error) {
	datasources, err := store.WorkspaceDatasources(ctx, audience)
	if err != nil {
		return nil, err
	}
	id, err := store.DatasetAt(ctx, audience, places(datasources, namespace, name), graph.ExternalID(namespace, name))
	if err != nil || id == "" {
		return nil, err
	}
	g, err := Walk(ctx, store, audience, Query{Node: id, Direction: graph.Both}, Budgets{Nodes: 1, FanOut: 1}, "")
	if err != nil || g == nil {
		return nil, err
	}
	return g.Nodes[0], nil
}

// places are where an asset of that name may stand: under its exact name in any of the datasources first,
// then as these fold names.
func places(datasources []*graph.Datasource, namespace, name string) []graph.Place {
	var exact, folded []graph.Place
	for _, d := range datasources {
		if !openlineage.Means(namespace, d) {
			continue
		}
		for _, spelling := range openlineage.Spellings(name, d.Kind) {
			if p := (graph.Place{Datasource: d.ID, Name: spelling}); spelling == name {
				exact = append(exact, p)
			} else {
				folded = append(folded, p)
			}
		}
	}
	return append(exact, folded...)
}
