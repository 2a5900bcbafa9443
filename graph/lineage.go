package graph

import "context"

// Topology is a set of nodes and every edge among them, whichever path found it, as an audience sees it.
type Topology struct {
	Nodes []TopologyNode
	Edges []Edge
}

// TopologyNode is a node of the lineage graph: what a walk needs of it, and nothing that is measured.
type TopologyNode struct {
	ID string
	// Name, Datasource and ColumnCount are an asset's; zero on an external node.
	Name        string
	Datasource  string
	ColumnCount int
	// System and Model are an external node's; nil on an asset.
	System, Model *string
	// URL is an external node's link, nil if it has none.
	URL *string
	// Fits says whether it passes the filter.
	Fits bool
}

// Edge says that the data of Source goes into Target. A pair has at most one edge of each category.
type Edge struct {
	// ID is EdgeID of the three.
	ID             string
	Source, Target string
	Category       EdgeCategory
}

// listedEdges is how many outgoing edges a statement lists with a node. A node with more, a hub, would
// send all of them although few lead to the nodes of the answer: those are then asked for by both ends.
const listedEdges = 200

// stated holds where an edge r was stated in a workspace of the audience. An edge between two assets of
// the organization belongs to the workspace that drew it, so the condition on its ends does not do.
//
// SECURITY: every statement that follows an edge has it (TestEdgesOfAnotherWorkspaceAreNotWalked).
const stated = `r.workspace IN $workspaces`

// topologyColumns is a node b with its outgoing edges, one more than are listed if there are more.
const topologyColumns = `b.id, b.name, b.datasource, b.columnCount, b.system, b.model, b.url, COLLECT {
  MATCH (b)-[r:FEEDS]->(m) WHERE $VISIBLE(m) AND ` + stated + ` RETURN [r.id, m.id, r.category] LIMIT $edges }, ` + fitsMark

// Where the list of edges and the outcome of the filter stand among the columns.
const (
	topologyEdges = 7
	topologyFits  = 8
)

const topologyQuery = `
UNWIND $ids AS id
MATCH (b:Dataset {id: id}) WHERE $VISIBLE(b)
RETURN collect([` + topologyColumns + `])`

// Topology returns those of the ids that are nodes in the audience, in the order of the store, and the
// edges among them that the filter lets be walked.
func (s *Store) Topology(ctx context.Context, audience Audience, ids []string, f WalkFilter) (Topology, error) {
	rows, err := s.read(ctx, audience, f.narrowed(topologyQuery), f.with(map[string]any{"ids": ids, "edges": listedEdges + 1}))
	if err != nil {
		return Topology{}, err
	}
	read := newTopologyReader(list(rows[0][0]))
	if err := s.completeHubs(ctx, audience, read, f); err != nil {
		return Topology{}, err
	}
	return read.topology, nil
}

// topologyReader reads rows that begin with topologyColumns.
type topologyReader struct {
	topology Topology
	has      map[string]bool
	edges    map[string]bool
	// hubs are the nodes whose edges were not all listed.
	hubs []string
	// beyond are the nodes that have a listed edge to a node outside the set.
	beyond map[string]bool
}

func newTopologyReader(rows []any) *topologyReader {
	t := &topologyReader{has: make(map[string]bool, len(rows)), edges: make(map[string]bool, 2*len(rows)), beyond: map[string]bool{}}
	t.topology.Nodes = make([]TopologyNode, 0, len(rows))
	for _, v := range rows {
		c := list(v)
		id := text(c[0])
		if t.has[id] {
			continue
		}
		t.has[id] = true
		t.topology.Nodes = append(t.topology.Nodes, TopologyNode{
			ID: id, Name: text(c[1]), Datasource: text(c[2]), ColumnCount: integer(c[3]),
			System: textOrNil(c[4]), Model: textOrNil(c[5]), URL: textOrNil(c[6]), Fits: boolean(c[topologyFits]),
		})
	}
	for _, v := range rows {
		c := list(v)
		source, out := text(c[0]), list(c[topologyEdges])
		if len(out) > listedEdges {
			t.hubs = append(t.hubs, source)
		}
		for _, x := range out {
			e := list(x)
			t.add(text(e[0]), source, text(e[1]), text(e[2]))
		}
	}
	return t
}

// add takes an edge if both of its ends are in the set. The workspace and the organization may state the
// same one: it is taken once.
func (t *topologyReader) add(id, source, target, category string) {
	if !t.has[target] {
		t.beyond[source] = true
		return
	}
	if t.edges[id] {
		return
	}
	t.edges[id] = true
	t.topology.Edges = append(t.topology.Edges, Edge{ID: id, Source: source, Target: target, Category: EdgeCategory(category)})
}

const hubEdgesQuery = `
MATCH (m:Dataset) WHERE m.id IN $ids AND $VISIBLE(m)
WITH collect(m) AS set
UNWIND $hubs AS id
MATCH (b:Dataset {id: id}) WHERE $VISIBLE(b)
UNWIND set AS m
MATCH (b)-[r:FEEDS]->(m) WHERE ` + stated + `
RETURN r.id, b.id, m.id, r.category`

// completeHubs adds the edges that lead from hubs to nodes of the set.
func (s *Store) completeHubs(ctx context.Context, audience Audience, t *topologyReader, f WalkFilter) error {
	if len(t.hubs) == 0 {
		return nil
	}
	ids := make([]string, len(t.topology.Nodes))
	for i, n := range t.topology.Nodes {
		ids[i] = n.ID
	}
	rows, err := s.read(ctx, audience, f.narrowed(hubEdgesQuery), f.with(map[string]any{"ids": ids, "hubs": t.hubs}))
	if err != nil {
		return err
	}
	for _, r := range rows {
		t.add(text(r[0]), text(r[1]), text(r[2]), text(r[3]))
	}
	return nil
}

// lacks reports whether one of the nodes has more neighbours in a direction than are in the topology.
func (t Topology) lacks(totals map[string]int, d Direction) bool {
	present, seen := map[string]int{}, map[[2]string]bool{}
	for _, e := range t.Edges {
		pair := [2]string{e.Source, e.Target}
		if e.Source == e.Target || seen[pair] {
			continue
		}
		seen[pair] = true
		if d == Upstream {
			present[e.Target]++
		} else {
			present[e.Source]++
		}
	}
	for id, total := range totals {
		if total > present[id] {
			return true
		}
	}
	return false
}
