package dbt

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
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
		stated, err = statedMembers(dec, m.nodeOf("", dec))
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
		// A cut file must not read as a project that lost everything: its edges would be removed.
		return nil, fault.BadInput(a.field, "The manifest has no nodes, which dbt always writes. Pass the whole manifest.json.")
	}
	return m, nil
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
