package demo

import (
	"context"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
)

// What a job of the demo asserts: that daily_sales goes to object storage, and, until it took that back, that
// the lifetime values of customers went too.
const (
	exporter = "airflow"
	export   = "nightly_export"
	exported = ".daily_sales"
	withheld = ".customer_lifetime_value_v2"
	storage  = "s3://exports"
)

// assertExports leaves an edge of OPENLINEAGE with its attribution, and one that is retired.
func (e estate) assertExports(ctx context.Context) error {
	both, err := e.exports(ctx, exported, withheld)
	if err != nil {
		return err
	}
	one, err := e.exports(ctx, exported)
	if err != nil {
		return err
	}
	w, err := authz.Writer(ctx, requestID, authz.EditDatasources)
	if err != nil {
		return err
	}
	for _, edges := range [][]graph.AssertedEdge{both, one} {
		if _, err := e.store.AssertEdges(ctx, w, graph.Assert{
			Category: graph.EdgeOpenLineage, Producer: exporter, Scope: export, Complete: true, Edges: edges,
		}); err != nil {
			return err
		}
	}
	return nil
}

// exports are the edges from assets to object storage.
func (e estate) exports(ctx context.Context, assets ...string) ([]graph.AssertedEdge, error) {
	edges := make([]graph.AssertedEdge, len(assets))
	for i, suffix := range assets {
		asset, err := e.assetEndingIn(ctx, suffix)
		if err != nil {
			return nil, err
		}
		job, sql := export+suffix, "SELECT * FROM "+asset.Name
		edges[i] = graph.AssertedEdge{
			Source: graph.EdgeEnd{Asset: asset.ID}, Target: graph.EdgeEnd{External: &graph.NewExternal{System: storage, Model: export + "/" + suffix[1:] + ".parquet"}},
			EventKind: "COMPLETE", Details: graph.AssertionDetails{Job: &job, SQL: &sql},
		}
	}
	return edges, nil
}
