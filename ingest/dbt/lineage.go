package dbt

import (
	"net/url"

	"github.com/strata-gateway/strata/graph"
)

// addEdges states an edge from every parent of every relation that the project builds, and of every
// exposure. Edges into what another project builds are for that project to state.
func (b *builder) addEdges() {
	seen := map[graph.IngestEdge]bool{}
	foreign := map[string]int{} // by package
	for _, id := range b.manifest.order {
		n := b.manifest.nodes[id]
		target := b.assetOf[id]
		switch {
		case n.Kind == kindExposure:
			target = id
		case target == "":
			continue
		case !n.builtBy(b.manifest.project):
			foreign[n.Package] += len(n.DependsOn.Nodes)
			continue
		}
		parents := b.parents(n)
		if n.Kind == kindExposure && len(parents) > 0 {
			b.externals = append(b.externals, b.exposure(n))
		}
		for _, source := range parents {
			e := graph.IngestEdge{Source: source, Target: target}
			if !seen[e] {
				seen[e] = true
				b.edges = append(b.edges, e)
			}
		}
	}
	for _, name := range sortedKeys(foreign) {
		if foreign[name] > 0 {
			b.warn("%d connections into relations that the project %s builds were left out: they are for that project to state, so ingest its manifest too", foreign[name], name)
		}
	}
}

// parents are the keys of the relations that feed a node: its direct parents, and in the place of one
// that is no relation that one's own.
func (b *builder) parents(n *node) []string {
	var found []string
	visited := map[string]bool{n.id: true}
	waiting := []*node{n}
	for len(waiting) > 0 {
		at := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		for _, id := range b.direct(at) {
			parent, ok := b.manifest.nodes[id]
			switch {
			case !ok:
				b.missing(at.id, id)
			case b.assetOf[id] != "":
				found = append(found, b.assetOf[id])
			case parent.passesThrough() && !visited[id]:
				visited[id] = true
				waiting = append(waiting, parent)
			}
		}
	}
	return found
}

// direct are the ids of the node's direct parents. Where depends_on holds more than what the node names
// in its code, and the rest are parents of what it names, it is a closure, and only the named count.
func (b *builder) direct(n *node) []string {
	all := n.DependsOn.Nodes
	if len(n.Refs)+len(n.Sources) == 0 {
		return all
	}
	names := n.named()
	var named, rest []string
	for _, id := range all {
		if names(b.manifest.nodes[id]) {
			named = append(named, id)
		} else {
			rest = append(rest, id)
		}
	}
	if len(named) == 0 || len(rest) == 0 {
		return all
	}
	behind := map[string]bool{}
	for _, id := range named {
		for _, grandparent := range b.manifest.nodes[id].DependsOn.Nodes {
			behind[grandparent] = true
		}
	}
	for _, id := range rest {
		if !behind[id] {
			named = append(named, id)
		}
	}
	return named
}

// named returns a function that reports whether the node's code names a parent by ref or source. nil is a
// parent that the manifest does not hold.
func (n *node) named() func(*node) bool {
	refs, sources := map[string][]ref{}, map[[2]string]bool{}
	for _, r := range n.Refs {
		refs[r.Name] = append(refs[r.Name], r)
	}
	for _, s := range n.Sources {
		if len(s) == 2 {
			sources[[2]string{s[0], s[1]}] = true
		}
	}
	return func(parent *node) bool {
		if parent == nil {
			return false
		}
		if parent.Kind == kindSource {
			return sources[[2]string{parent.SourceName, parent.Name}]
		}
		for _, r := range refs[parent.Name] {
			if (r.Package == "" || r.Package == parent.Package) && (r.Version == "" || r.Version == parent.Version) {
				return true
			}
		}
		return false
	}
}

// exposure is the consumer outside the catalog that an exposure stands for: `<project>.<name>`, and with
// its package between for one that a package brought in.
func (b *builder) exposure(n *node) graph.IngestExternal {
	model := b.manifest.project + "."
	if n.Package != "" && n.Package != b.manifest.project {
		model += n.Package + "."
	}
	return graph.IngestExternal{Key: n.id, System: "dbt", Model: model + n.Name, URL: safeURL(n.URL)}
}

// safeURL is an address that may stand behind a link: http or https, with a host.
func safeURL(address string) *string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || len(address) > maxURL {
		return nil
	}
	u.User = nil // no credentials
	s := u.String()
	return &s
}
