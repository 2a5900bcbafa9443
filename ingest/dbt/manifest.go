package dbt

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// manifest is what is kept of manifest.json.
type manifest struct {
	metadata
	project     string
	kind        graph.DatasourceKind
	generatedAt time.Time
	// nodes are all that take part in lineage, by unique id, and order their ids, sorted.
	nodes map[string]*node
	order []string
	// disabled are the ids of what is switched off.
	disabled map[string]bool
	groups   map[string]group
	// hasNodes is set if the project has models, seeds, snapshots or tests of its own.
	hasNodes bool
}

// readManifest reads manifest.json.
func readManifest(a artifact) (*manifest, error) {
	if a.r == nil {
		return nil, fault.BadInput(a.field, "Give the manifest.json from dbt's target folder.")
	}
	m := &manifest{nodes: map[string]*node{}, disabled: map[string]bool{}, groups: map[string]group{}}
	s := sections{
		"metadata": func(dec *json.Decoder) error {
			if err := dec.Decode(&m.metadata); err != nil {
				return err
			}
			return m.check(a.field)
		},
		"groups": func(dec *json.Decoder) error {
			return members(dec, func(string) error {
				var g group
				err := dec.Decode(&g)
				m.groups[g.Package+"."+g.Name] = g
				return err
			})
		},
		"disabled": func(dec *json.Decoder) error {
			var ids names
			err := dec.Decode(&ids)
			for _, id := range ids {
				m.disabled[id] = true
			}
			return err
		},
	}
	stated := false
	s["nodes"] = func(dec *json.Decoder) (err error) {
		before := len(m.nodes)
		stated, err = statedMembers(dec, m.nodeOf("", dec))
		m.hasNodes = m.hasNodes || len(m.nodes) > before
		return err
	}
	for section, kind := range map[string]string{
		"sources": kindSource, "exposures": kindExposure, "metrics": kindMetric, "semantic_models": kindSemanticModel,
		"saved_queries": kindSavedQuery, "functions": kindFunction,
	} {
		s[section] = m.nodesOf(kind)
	}
	if err := a.walk(s); err != nil {
		return nil, err
	}
	if err := m.finish(a.field); err != nil {
		return nil, err
	}
	if !stated {
		return nil, fault.BadInput(a.field, "The manifest has no nodes, which dbt always writes. Pass the whole manifest.json.")
	}
	return m, m.checkRelations(a.field)
}

// nodesOf reads a section of nodes; a node that does not name its kind is of the given one.
func (m *manifest) nodesOf(kind string) func(*json.Decoder) error {
	return func(dec *json.Decoder) error { return members(dec, m.nodeOf(kind, dec)) }
}

// nodeOf reads one node of a section.
func (m *manifest) nodeOf(kind string, dec *json.Decoder) func(id string) error {
	return func(id string) error {
		n := &node{}
		if err := dec.Decode(n); err != nil {
			return err
		}
		if n.id = id; n.Kind == "" {
			n.Kind = kind
		}
		if !n.Config.enabled() {
			m.disabled[id] = true
			return nil
		}
		if n.takesPart() {
			m.nodes[id] = n
		}
		if len(m.nodes) > maxEntries {
			return errTooMany
		}
		return nil
	}
}

// finish checks the whole and works out what depends on all of it.
func (m *manifest) finish(field string) error {
	if err := m.check(field); err != nil {
		return err
	}
	m.order = sortedKeys(m.nodes)
	m.kind = adapterKind(m.AdapterType)
	m.generatedAt = instant(m.GeneratedAt)
	if m.project = m.projectName(); m.project == "" || len(m.project) > maxName {
		return fault.BadInput(field, "The manifest does not name its project. Run `dbt parse` with dbt 1.5 or later, and give the manifest.json it writes.")
	}
	if strings.ContainsFunc(m.project, func(r rune) bool { return r == '@' || invisible(r) }) {
		return fault.BadInput(field, "The manifest's project name holds characters that dbt does not allow in one. Give the manifest.json that dbt wrote.")
	}
	return nil
}

// checkRelations refuses what dbt never writes, and what would take away or mix up what the catalog has.
//
// A file of nothing must not read as a project that lost everything: its edges would be removed.
func (m *manifest) checkRelations(field string) error {
	if !m.hasNodes {
		return fault.BadInput(field, "The manifest has no models, seeds, snapshots or tests that are enabled: all that its project has here would be removed. Run `dbt parse` in the project's folder and give the manifest.json that it writes. If the project is to go, delete its connections by deleteEdge.")
	}
	for _, id := range m.order {
		if why := m.nodes[id].misnamed(); why != "" {
			return fault.BadInput(field, fmt.Sprintf("%.200q %s, which dbt never writes. Run `dbt parse` and give the manifest.json that it writes.", id, why))
		}
	}
	return nil
}

// projectName is the project's name. Manifests of v9 hold only its MD5 sum: it is the package of that
// sum, or else the package of most nodes.
func (m *manifest) projectName() string {
	if m.ProjectName != "" {
		return m.ProjectName
	}
	nodes := map[string]int{}
	for _, n := range m.nodes {
		nodes[n.Package]++
	}
	best := ""
	for _, name := range sortedKeys(nodes) {
		sum := md5.Sum([]byte(name)) // an identifier that dbt made, not a secret
		if hex.EncodeToString(sum[:]) == m.ProjectID {
			return name
		}
		if best == "" || nodes[name] > nodes[best] {
			best = name
		}
	}
	return best
}
