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

	// refresh is another job, which says which columns of built are those of staged.
	refresh = "hourly_refresh"
	staged  = ".stg_orders"
	built   = ".fct_orders"
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
	columns, err := e.refreshed(ctx)
	if err != nil {
		return err
	}
	if _, err := e.store.AssertEdges(ctx, w, graph.Assert{Category: graph.EdgeOpenLineage, Producer: exporter, Scope: refresh, Edges: []graph.AssertedEdge{columns}}); err != nil {
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

// refreshed is the edge that the other job asserts, with the columns that both of its ends have.
func (e estate) refreshed(ctx context.Context) (graph.AssertedEdge, error) {
	from, err := e.assetEndingIn(ctx, staged)
	if err != nil {
		return graph.AssertedEdge{}, err
	}
	to, err := e.assetEndingIn(ctx, built)
	if err != nil {
		return graph.AssertedEdge{}, err
	}
	audience, err := authz.AudienceFrom(ctx)
	if err != nil {
		return graph.AssertedEdge{}, err
	}
	sources, targets := graph.ColumnsOf{Asset: from.ID, First: 200}, graph.ColumnsOf{Asset: to.ID, First: 200}
	columns, err := e.store.Columns(ctx, audience, []graph.ColumnsOf{sources, targets})
	if err != nil {
		return graph.AssertedEdge{}, err
	}
	byName := map[string]string{}
	for _, c := range columns[sources].Items {
		byName[c.Name] = c.ID
	}
	same, job := graph.DependencySubtype("IDENTITY"), refresh
	edge := graph.AssertedEdge{
		Source: graph.EdgeEnd{Asset: from.ID}, Target: graph.EdgeEnd{Asset: to.ID}, EventKind: "COMPLETE", Details: graph.AssertionDetails{Job: &job},
	}
	for _, c := range columns[targets].Items {
		if source, ok := byName[c.Name]; ok {
			edge.ColumnPairs = append(edge.ColumnPairs, graph.NewColumnPair{Source: source, Target: &c.ID, Kind: graph.Direct, Subtype: &same})
		}
	}
	return edge, nil
}
