package examples_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// lineage is the graph over both projects: relations by relation name, exposures by
// unique id, ephemeral models passed through.
type lineage map[string]map[string]bool

func (l lineage) add(from, to string) {
	if l[from] == nil {
		l[from] = make(map[string]bool)
	}
	l[from][to] = true
}

// distances gives the length of the shortest way from start to whatever it reaches.
func (l lineage) distances(start string) map[string]int {
	seen := map[string]int{start: 0}
	queue := []string{start}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for next := range l[at] {
			if _, ok := seen[next]; !ok {
				seen[next] = seen[at] + 1
				queue = append(queue, next)
			}
		}
	}
	return seen
}

func lineageOf(projects map[string]decoded) lineage {
	graph := make(lineage)
	for _, d := range projects {
		addProject(graph, d.manifest)
	}
	return graph
}

func addProject(graph lineage, m manifest) {
	all := maps.Clone(m.Nodes)
	maps.Copy(all, m.Sources)
	maps.Copy(all, m.Exposures)
	for id, n := range all {
		if n.ResourceType == "test" || n.Config.Materialized == "ephemeral" {
			continue
		}
		for _, parent := range physicalParents(all, n) {
			graph.add(parent, key(id, n))
		}
	}
}

func physicalParents(all map[string]node, n node) []string {
	var parents []string
	for _, id := range n.DependsOn.Nodes {
		parent := all[id]
		if parent.Config.Materialized == "ephemeral" {
			parents = append(parents, physicalParents(all, parent)...)
			continue
		}
		parents = append(parents, key(id, parent))
	}
	return parents
}

func key(id string, n node) string {
	if n.RelationName != "" {
		return strings.ReplaceAll(n.RelationName, `"`, "")
	}
	return id
}

func TestHubHasManyConsumers(t *testing.T) {
	consumers := slices.Sorted(maps.Keys(lineageOf(estate(t))["shop.marts.fct_orders"]))
	relations := slices.DeleteFunc(slices.Clone(consumers), func(c string) bool {
		return strings.HasPrefix(c, "exposure.")
	})
	if len(relations) < 12 {
		t.Errorf("fct_orders feeds %d relations, want at least 12: %v", len(relations), relations)
	}
	if !slices.ContainsFunc(relations, func(c string) bool { return strings.HasPrefix(c, "finance.") }) {
		t.Errorf("no relation of finance reads fct_orders: %v", relations)
	}
}

func TestDepthFromSourceToMart(t *testing.T) {
	reached := lineageOf(estate(t)).distances("shop.raw.app_order_items")
	for end, want := range map[string]int{
		"shop.marts.customer_segments":  6,
		"exposure.finance.board_report": 7,
	} {
		if got := reached[end]; got != want {
			t.Errorf("%s is %d hops from the raw order lines, README.md says %d", end, got, want)
		}
	}
}

func TestDiamond(t *testing.T) {
	graph := lineageOf(estate(t))
	top, bottom := "shop.marts.fct_orders", "finance.ledger.journal_entries"
	var sides []string
	for side := range graph[top] {
		if graph[side][bottom] {
			sides = append(sides, side)
		}
	}
	if len(sides) < 2 {
		t.Errorf("%d ways of two hops from %s to %s, want at least 2: %v", len(sides), top, bottom, sides)
	}
}

func TestEphemeralModelIsPassedThrough(t *testing.T) {
	graph := lineageOf(estate(t))
	for _, from := range []string{"shop.staging.stg_charges", "shop.staging.stg_refunds"} {
		if !graph[from]["shop.intermediate.int_order_payments"] {
			t.Errorf("%s does not feed int_order_payments through the ephemeral int_payments", from)
		}
	}
}
