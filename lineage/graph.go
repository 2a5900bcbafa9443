package lineage

import (
	"strings"

	"github.com/strata-gateway/strata/graph"
)

// Graph is the answer of a walk.
type Graph struct {
	// Nodes are by distance from the focus, then id.
	Nodes []*Node
	// Edges are all those among the nodes, by id.
	Edges        []*Edge
	Completeness *Completeness
}

// NodeKind says what a node stands for.
type NodeKind string

// The kinds.
const (
	KindAsset    NodeKind = "ASSET"
	KindExternal NodeKind = "EXTERNAL"
)

// Node is a node of an answer.
type Node struct {
	ID    string
	Kind  NodeKind
	Label string
	// AssetID and Datasource are "" on an external node.
	AssetID    string
	Datasource string
	// System, Model and URL are nil on an asset.
	System, Model, URL *string
	// UpstreamDegree is the fewest hops from here down to the focus along edges of the answer, nil if
	// there is no such path.
	UpstreamDegree *int
	// DownstreamDegree is the fewest hops from the focus down to here along edges of the answer, nil if
	// there is no such path.
	DownstreamDegree *int
	ColumnCount      int
	IsFocus          bool
	// IsImpacted says whether a change of the focus reaches it.
	IsImpacted bool
}

// Edge is an edge of an answer.
type Edge struct {
	ID             string
	Source, Target string
	// SourceDatasource and TargetDatasource are "" for an external end.
	SourceDatasource, TargetDatasource string
	Category                           graph.EdgeCategory
	// OnImpactPath says whether it lies on a path from the focus downstream.
	OnImpactPath bool
	// ClosesCycle says whether it lies on a cycle and leads no farther from the focus than it started.
	ClosesCycle bool
	// Retired is set if nobody asserts it any more: it is not walked.
	Retired bool
}

// State is where the edge stands in its life: only active edges are walked.
func (e *Edge) State() graph.EdgeState {
	if e.Retired {
		return graph.EdgeRetired
	}
	return graph.EdgeActive
}

// OnDelete says what deleting the edge will mean.
func (e *Edge) OnDelete() string { return e.Category.OnDelete() }

// Drawn is an edge as an answer of which the node that it feeds is the focus, and nothing else is known:
// for the payload of a mutation.
func Drawn(e graph.DrawnEdge) *Edge {
	return &Edge{
		ID: e.ID, Source: e.Source, Target: e.Target, Category: e.Category,
		SourceDatasource: e.SourceDatasource, TargetDatasource: e.TargetDatasource,
		OnImpactPath: e.ClosesCycle, ClosesCycle: e.ClosesCycle, Retired: e.Retired,
	}
}

// newNode is what is known of a node without the walk.
func newNode(n graph.TopologyNode) Node {
	if n.System != nil {
		model := ""
		if n.Model != nil {
			model = *n.Model
		}
		return Node{ID: n.ID, Kind: KindExternal, Label: model, System: n.System, Model: &model, URL: n.URL}
	}
	return Node{ID: n.ID, Kind: KindAsset, Label: label(n), AssetID: n.ID, Datasource: n.Datasource, ColumnCount: n.ColumnCount}
}

// shortID is how much of an id stands for a name that an asset does not have.
const shortID = 12

// label is the last part of an asset's name: of a path its last element, else what follows the last dot.
func label(n graph.TopologyNode) string {
	name := strings.TrimRight(n.Name, "/")
	separator := "."
	if strings.Contains(name, "/") {
		separator = "/"
	}
	if last := name[strings.LastIndex(name, separator)+1:]; last != "" {
		return last
	}
	if name != "" {
		return name
	}
	return n.ID[:min(shortID, len(n.ID))]
}
