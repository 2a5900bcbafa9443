package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/strata-gateway/strata/bench/estate"
)

// lineageQuery is what a canvas asks for.
const lineageQuery = `
query Lineage($node: ID!) {
  lineage(node: $node, direction: BOTH, depth: 5) {
    nodes { id kind label upstreamDegree downstreamDegree columnCount isFocus isImpacted }
    edges { id source target category }
  }
}`

// rawLineageQuery is the best single statement known for the same nodes, edges and fields: two pruning
// breadth-first searches, and one row for everything, since rows cost and columns do not. It knows no
// audience.
const rawLineageQuery = `
MATCH (a:Dataset {id: $node, workspace: $workspace})
CALL (a) {
  MATCH p = (a)-[:FEEDS*0..5]->(b)
  RETURN b, min(length(p)) AS down, null AS up
  UNION ALL
  MATCH p = (a)<-[:FEEDS*1..5]-(b)
  RETURN b, null AS down, min(length(p)) AS up
}
RETURN collect([b.id, b.name, b.system, b.model, b.columnCount, down, up, [(b)-[r:FEEDS]->(m) | [r.id, m.id, r.category]]])`

// walked is an answer in a form that both sides can be brought to.
type walked struct {
	Nodes []walkedNode
	Edges []walkedEdge
}

type walkedNode struct {
	ID, Kind, Label                  string
	UpstreamDegree, DownstreamDegree *int
	ColumnCount                      int
	IsFocus, IsImpacted              bool
}

type walkedEdge struct{ ID, Source, Target, Category string }

// lineage is an answer of the gateway.
func (g *gateway) lineage(ctx context.Context, node string) ([]byte, error) {
	return g.ask(ctx, estate.Member, lineageQuery, map[string]any{"node": node})
}

// lineage walks by the one statement and drops the edges that lead out of what was found.
func (r *raw) lineage(ctx context.Context, node string) (walked, error) {
	rows, err := r.run(ctx, rawLineageQuery, map[string]any{"node": node, "workspace": r.workspace})
	if err != nil {
		return walked{}, err
	}
	found := list(rows[0].Values[0])
	w, has := walked{Nodes: make([]walkedNode, 0, len(found))}, make(map[string]bool, len(found))
	for _, v := range found {
		n := rawNode(list(v), node)
		has[n.ID] = true
		w.Nodes = append(w.Nodes, n)
	}
	for _, v := range found {
		c := list(v)
		for _, x := range list(c[7]) {
			e := list(x)
			if target := text(e[1]); has[target] {
				w.Edges = append(w.Edges, walkedEdge{ID: text(e[0]), Source: text(c[0]), Target: target, Category: text(e[2])})
			}
		}
	}
	return w, nil
}

func rawNode(c []any, focus string) walkedNode {
	name := text(c[1])
	n := walkedNode{
		ID: text(c[0]), Kind: "ASSET", Label: name[strings.LastIndex(name, ".")+1:], ColumnCount: integer(c[4]),
		DownstreamDegree: number(c[5]), UpstreamDegree: number(c[6]),
	}
	if system := text(c[2]); system != "" {
		n.Kind, n.Label = "EXTERNAL", text(c[3])
	}
	if n.ID == focus {
		n.IsFocus, n.UpstreamDegree = true, n.DownstreamDegree
	}
	n.IsImpacted = n.DownstreamDegree != nil && !n.IsFocus // the estate has no cycles
	return n
}

func decodeLineage(answer []byte) (walked, error) {
	var a struct{ Data struct{ Lineage walked } }
	err := json.Unmarshal(answer, &a)
	return a.Data.Lineage, err
}

// sorted brings an answer into the order in which it is compared. It fails if something is in it twice.
func (w walked) sorted() error {
	slices.SortFunc(w.Nodes, func(a, b walkedNode) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(w.Edges, func(a, b walkedEdge) int { return strings.Compare(a.ID, b.ID) })
	for i := 1; i < len(w.Nodes); i++ {
		if w.Nodes[i].ID == w.Nodes[i-1].ID {
			return fmt.Errorf("bench: the node %s is in an answer twice", w.Nodes[i].ID)
		}
	}
	for i := 1; i < len(w.Edges); i++ {
		if w.Edges[i].ID == w.Edges[i-1].ID {
			return fmt.Errorf("bench: the edge %s is in an answer twice", w.Edges[i].ID)
		}
	}
	return nil
}

// sameLineage makes sure that both sides find the same, to the last field, and returns how much it is.
func sameLineage(ctx context.Context, g *gateway, r *raw, node string) (size Size, err error) {
	answer, err := g.lineage(ctx, node)
	if err != nil {
		return Size{}, err
	}
	ours, err := decodeLineage(answer)
	if err != nil {
		return Size{}, err
	}
	theirs, err := r.lineage(ctx, node)
	if err != nil {
		return Size{}, err
	}
	if err := errors.Join(ours.sorted(), theirs.sorted()); err != nil {
		return Size{}, err
	}
	if len(ours.Nodes) < 2 || !reflect.DeepEqual(ours, theirs) {
		return Size{}, fmt.Errorf("bench: the lineage of %s differs: %d nodes and %d edges over HTTP, %d and %d through the driver",
			node, len(ours.Nodes), len(ours.Edges), len(theirs.Nodes), len(theirs.Edges))
	}
	return Size{Nodes: len(ours.Nodes), Edges: len(ours.Edges), Bytes: len(answer)}, nil
}
