package lineage_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/teststack"
)

// TestMain makes each law be tried on fewer worlds than rapid's hundred: each is seeded into the store, and asked
// several times.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		_ = f.Value.Set("50") // a number: cannot fail
	}
	os.Exit(m.Run())
}

// stage is the real store and a way to put graphs into it behind its back.
type stage struct {
	store        *graph.Store
	driver       neo4j.DriverWithContext
	organization string
}

func newStage(t *testing.T) *stage {
	t.Helper()
	uri, user, password := teststack.Neo4j(t)
	organization := freshWorkspace()
	store, err := graph.Open(t.Context(), graph.Config{URI: uri, User: user, Password: password, Organization: organization, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	require.NoError(t, store.Migrate(t.Context()))
	driver, err := neo4j.NewDriverWithContext(uri, neo4j.BasicAuth(user, password, ""))
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = store.Close(context.WithoutCancel(t.Context()))
		_ = driver.Close(context.WithoutCancel(t.Context()))
	})
	return &stage{store: store, driver: driver, organization: organization}
}

// freshWorkspace is the name of a workspace that no other test has.
func freshWorkspace() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return "t-" + hex.EncodeToString(b[:])
}

// vertex is a node to be seeded.
type vertex struct {
	id         string
	workspace  string
	hiddenRank int
	external   bool
	// What filters look at.
	tags     []string
	kind     graph.AssetType
	severity graph.Severity
	owner    string
	// datasource is "" for one of its own.
	datasource string
}

// source is the datasource of an asset.
func (v vertex) source() string { return cmp.Or(v.datasource, "ds-"+v.id) }

// arc is an edge to be seeded, between indexes of vertices.
type arc struct {
	from, to  int
	category  graph.EdgeCategory
	workspace string
	retired   bool
}

// world is a graph of one workspace, and of what it shares with the organization.
type world struct {
	workspace    string
	organization string
	vertices     []vertex
	arcs         []arc
}

// add adds a node that everyone in the workspace sees, and returns its index.
func (w *world) add() int {
	w.vertices = append(w.vertices, vertex{id: fmt.Sprintf("%s-%03d", w.workspace, len(w.vertices)), workspace: w.workspace})
	return len(w.vertices) - 1
}

// addMany adds n nodes and returns their indexes.
func (w *world) addMany(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = w.add()
	}
	return out
}

// feed draws edges from one node to others.
func (w *world) feed(from int, to ...int) {
	for _, t := range to {
		w.arcs = append(w.arcs, arc{from: from, to: t, category: graph.EdgeManual, workspace: w.workspace})
	}
}

func (w *world) id(i int) string { return w.vertices[i].id }

func (w *world) audience(c graph.Class) graph.Audience {
	return graph.Audience{Workspace: w.workspace, Class: c}
}

func newWorld() *world { return &world{workspace: freshWorkspace()} }

const seedNodes = `
UNWIND $rows AS n
CREATE (x:Dataset {id: n.id, workspace: n.workspace, hiddenRank: n.hiddenRank})
WITH x, n
CALL (x, n) { WITH x, n WHERE n.external SET x:External, x.system = 'test', x.model = n.id, x.url = 'https://example.test/' + n.id }
CALL (x, n) { WITH x, n WHERE NOT n.external SET x:Asset, x.name = n.name, x.datasource = n.datasource, x.columnCount = 3,
  x.tags = n.tags, x.type = n.type, x.severityRank = n.severityRank, x.ownerEmail = n.owner }`

const (
	seedEdges = `
UNWIND $rows AS e
MATCH (s:Dataset {id: e.source, workspace: e.sourceWorkspace}) MATCH (t:Dataset {id: e.target, workspace: e.targetWorkspace})
CREATE (s)-[:FEEDS {id: e.id, workspace: e.workspace, category: e.category, createdAt: 0, createdBy: 'seed'}]->(t)`

	seedRetired = `
UNWIND $rows AS e
MATCH (s:Dataset {id: e.source, workspace: e.sourceWorkspace}) MATCH (t:Dataset {id: e.target, workspace: e.targetWorkspace})
CREATE (s)-[:FED {id: e.id, workspace: e.workspace, category: e.category, createdAt: 0, createdBy: 'seed', retiredAt: 1}]->(t)`
)

// batch is how many rows a seeding statement takes.
const batch = 5000

// seed puts worlds into the store.
func (s *stage) seed(t require.TestingT, worlds ...*world) {
	var nodes, edges, retired []any
	for _, w := range worlds {
		for _, v := range w.vertices {
			nodes = append(nodes, map[string]any{"id": v.id, "workspace": v.workspace, "hiddenRank": v.hiddenRank, "external": v.external, "datasource": v.source(), "name": v.workspace + ".public." + v.id,
				"tags": v.tags, "type": string(v.kind), "severityRank": severityRank(v.severity), "owner": v.owner})
		}
		for _, a := range w.arcs {
			x, y := w.vertices[a.from], w.vertices[a.to]
			row := map[string]any{
				"id": graph.EdgeID(x.id, y.id, a.category), "category": string(a.category), "workspace": a.workspace,
				"source": x.id, "sourceWorkspace": x.workspace, "target": y.id, "targetWorkspace": y.workspace,
			}
			if a.retired {
				retired = append(retired, row)
			} else {
				edges = append(edges, row)
			}
		}
	}
	s.write(t, seedNodes, nodes)
	s.write(t, seedEdges, edges)
	s.write(t, seedRetired, retired)
}

func (s *stage) write(t require.TestingT, statement string, rows []any) {
	for i := 0; i < len(rows); i += batch {
		_, err := neo4j.ExecuteQuery(context.Background(), s.driver, statement, map[string]any{"rows": rows[i:min(i+batch, len(rows))]}, neo4j.EagerResultTransformer)
		require.NoError(t, err)
	}
}

// severityRank is how the store keeps a severity: nothing where nothing ever finished.
func severityRank(s graph.Severity) any {
	if s == "" {
		return nil
	}
	return s.Rank()
}
