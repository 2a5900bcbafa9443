package lineage

import (
	"context"

	"github.com/strata-gateway/strata/cache"
	"github.com/strata-gateway/strata/graph"
)

// GraphStore is what graphs are drawn from.
type GraphStore interface {
	Store
	CanvasStore
	ColumnStore
}

// Graphs draws graphs, and keeps them for everyone of an audience (docs/caching.md). What it returns is shared: it must
// not be changed.
type Graphs struct {
	store GraphStore
	cache *cache.Cache
}

// NewGraphs makes Graphs over a store; a nil cache keeps nothing.
func NewGraphs(store GraphStore, c *cache.Cache) *Graphs { return &Graphs{store: store, cache: c} }

// Asked is for whom a graph is drawn, and at which versions: those that the request read first.
type Asked struct {
	Audience graph.Audience
	Epochs   graph.Epochs
}

// version is what is told of the graph's version.
func (a Asked) version() string { return a.Epochs.Version(graph.FamilyLineage, a.Audience.Class) }

// topology is the key of what depends on edges, and on the names and whatever else of the catalog is told of their ends
// or filtered by.
func (a Asked) topology(inputs any) cache.Key {
	return cache.Key{Audience: a.Audience, Epochs: a.Epochs, Families: []graph.Family{graph.FamilyLineage, graph.FamilyCatalog}, Inputs: inputs}
}

// walkInputs are all that a walk depends on beside versions; not its time: what was cut by the clock is not kept.
type walkInputs struct {
	Query         Query
	Nodes, FanOut int
}

// Walk is Walk, kept; under the versions of verdicts too if its filter asks for a severity.
func (g *Graphs) Walk(ctx context.Context, asked Asked, q Query, b Budgets) (*Graph, error) {
	key := asked.topology(walkInputs{q, b.Nodes, b.FanOut})
	if q.Filter.WorstSeverityAtLeast != "" {
		key.Families = append(key.Families, graph.FamilyVerdict)
	}
	return cache.Get(ctx, g.cache, graphArea("lineage"), key, func(ctx context.Context) (cache.Answer[*Graph], error) {
		return keep(Walk(ctx, g.store, asked.Audience, q, b, asked.version()))
	})
}

// canvasInputs are all that a canvas depends on beside versions.
type canvasInputs struct {
	Datasources []string
	Nodes       int
}

// Canvas is Canvas, kept.
func (g *Graphs) Canvas(ctx context.Context, asked Asked, datasources []string, nodes int) (*Graph, error) {
	return g.canvas(ctx, asked, "canvas", datasources, nodes, func(ctx context.Context) (*Graph, error) {
		return Canvas(ctx, g.store, asked.Audience, datasources, nodes, asked.version())
	})
}

// Between is Between, kept.
func (g *Graphs) Between(ctx context.Context, asked Asked, a, b string, nodes int) (*Graph, error) {
	return g.canvas(ctx, asked, "between", []string{a, b}, nodes, func(ctx context.Context) (*Graph, error) {
		return Between(ctx, g.store, asked.Audience, a, b, nodes, asked.version())
	})
}

func (g *Graphs) canvas(ctx context.Context, asked Asked, area string, datasources []string, nodes int, draw func(context.Context) (*Graph, error)) (*Graph, error) {
	return cache.Get(ctx, g.cache, graphArea(area), asked.topology(canvasInputs{datasources, nodes}), func(ctx context.Context) (cache.Answer[*Graph], error) { return keep(draw(ctx)) })
}

// columnInputs are all that a walk of columns depends on beside versions.
type columnInputs struct {
	Query Query
	Nodes int
}

// Columns is Columns, kept.
func (g *Graphs) Columns(ctx context.Context, asked Asked, q Query, nodes int) (*ColumnGraph, error) {
	area := cache.Area[*ColumnGraph]{Name: "columns", Size: func(g *ColumnGraph) int {
		if g == nil {
			return 0
		}
		return nodeSize*len(g.Nodes) + edgeSize*len(g.Edges)
	}}
	return cache.Get(ctx, g.cache, area, asked.topology(columnInputs{q, nodes}), func(ctx context.Context) (cache.Answer[*ColumnGraph], error) {
		drawn, err := Columns(ctx, g.store, asked.Audience, q, nodes, asked.version())
		return cache.Answer[*ColumnGraph]{Value: drawn, Keep: drawn != nil}, err
	})
}

// keep says of a graph whether it may be kept: not one that stands for nothing, nor one that the clock cut.
func keep(g *Graph, err error) (cache.Answer[*Graph], error) {
	return cache.Answer[*Graph]{Value: g, Keep: g != nil && !g.Completeness.stopped(BudgetTime)}, err
}

// What a node and an edge of an answer take in memory, in bytes: about.
const (
	nodeSize = 300
	edgeSize = 250
)

func graphArea(name string) cache.Area[*Graph] {
	return cache.Area[*Graph]{Name: name, Size: func(g *Graph) int {
		if g == nil {
			return 0
		}
		return nodeSize*len(g.Nodes) + edgeSize*len(g.Edges)
	}}
}
