package resolvers

import (
	"github.com/strata-gateway/strata/bulk"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
)

// LineageNodes are the fields of LineageNode that are written in bulk.
func LineageNodes() bulk.Table[lineage.Node] {
	type node = lineage.Node
	return bulk.Table[node]{Type: "LineageNode", Columns: map[string]bulk.Column[node]{
		"id":               bulk.Text(func(n *node) string { return n.ID }),
		"kind":             bulk.Text(func(n *node) lineage.NodeKind { return n.Kind }),
		"label":            bulk.Text(func(n *node) string { return n.Label }),
		"system":           bulk.NullableText(func(n *node) *string { return n.System }),
		"model":            bulk.NullableText(func(n *node) *string { return n.Model }),
		"url":              bulk.NullableText(func(n *node) *string { return n.URL }),
		"upstreamDegree":   bulk.NullableInt(func(n *node) *int { return n.UpstreamDegree }),
		"downstreamDegree": bulk.NullableInt(func(n *node) *int { return n.DownstreamDegree }),
		"columnCount":      bulk.Int(func(n *node) int { return n.ColumnCount }),
		"isFocus":          bulk.Bool(func(n *node) bool { return n.IsFocus }),
		"isImpacted":       bulk.Bool(func(n *node) bool { return n.IsImpacted }),
	}}
}

// LineageEdges are the fields of LineageEdge that are written in bulk.
func LineageEdges() bulk.Table[lineage.Edge] {
	type edge = lineage.Edge
	return bulk.Table[edge]{Type: "LineageEdge", Columns: map[string]bulk.Column[edge]{
		"id":           bulk.Text(func(e *edge) string { return e.ID }),
		"source":       bulk.Text(func(e *edge) string { return e.Source }),
		"target":       bulk.Text(func(e *edge) string { return e.Target }),
		"category":     bulk.Text(func(e *edge) graph.EdgeCategory { return e.Category }),
		"state":        bulk.Text((*edge).State),
		"onImpactPath": bulk.Bool(func(e *edge) bool { return e.OnImpactPath }),
		"closesCycle":  bulk.Bool(func(e *edge) bool { return e.ClosesCycle }),
		"onDelete":     bulk.Text((*edge).OnDelete),
	}}
}
