package dbt

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/strata-gateway/strata/graph"
)

// addSuites makes a check of each test, in the suite of the relation that the test belongs to.
func (b *builder) addSuites() {
	for _, id := range b.manifest.order {
		n := b.manifest.nodes[id]
		if n.Kind != kindTest {
			continue
		}
		asset := b.assetOf[b.subject(n)]
		if asset == "" {
			b.warn("%s tests no relation that the manifest holds: it was left out", id)
			continue
		}
		at, ok := b.suiteAt[asset]
		if !ok {
			at = len(b.suites)
			b.suiteAt[asset] = at
			b.suites = append(b.suites, graph.IngestSuite{Asset: asset})
		}
		s := &b.suites[at]
		b.testAt[id] = testPlace{suite: at, check: len(s.Checks)}
		s.Checks = append(s.Checks, b.check(n, b.assets[b.at[asset]].Columns))
	}
}

// subject is the id of the node that a test belongs to, "" if there is none: what dbt attached it to; of
// a generic test the relation that its template was given, and not the one it compares with; of a
// singular test its only parent, or the first.
func (b *builder) subject(n *node) string {
	if _, ok := b.manifest.nodes[n.Attached]; ok {
		return n.Attached
	}
	var relations []*node
	for _, id := range n.DependsOn.Nodes {
		if b.assetOf[id] != "" {
			relations = append(relations, b.manifest.nodes[id])
		}
	}
	if n.Test != nil {
		model, _ := n.Test.Kwargs["model"].(string)
		if id := calledIn(model, relations); id != "" {
			return id
		}
		if _, name, ok := strings.Cut(n.FileKey, "."); ok {
			if at := slices.IndexFunc(relations, func(r *node) bool { return r.Kind != kindSource && r.Name == name }); at >= 0 {
				return relations[at].id
			}
		}
		to, _ := n.Test.Kwargs["to"].(string)
		other := calledIn(to, relations)
		if at := slices.IndexFunc(relations, func(r *node) bool { return r.id != other }); at >= 0 {
			return relations[at].id
		}
	}
	if len(relations) == 0 {
		return ""
	}
	return relations[0].id
}

// call is a call of ref or source in a template.
const call = `\b(ref|source)\(\s*['"]([^'"]*)['"]\s*(?:,\s*['"]([^'"]*)['"]\s*)?`

// calledIn is the id of the relation that the template's first call of ref or source names, "" if none.
func calledIn(template string, relations []*node) string {
	m := regexp.MustCompile(call).FindStringSubmatch(template)
	if m == nil {
		return ""
	}
	n := node{Refs: []ref{{Name: m[2]}}}
	switch {
	case m[1] == "source":
		n = node{Sources: []scalars{{m[2], m[3]}}}
	case m[3] != "":
		n = node{Refs: []ref{{Package: m[2], Name: m[3]}}}
	}
	names := n.named()
	for _, r := range relations {
		if names(r) {
			return r.id
		}
	}
	return ""
}

// check is what a test asserts of a relation with these columns.
func (b *builder) check(n *node, columns []graph.IngestColumn) graph.IngestCheck {
	c := graph.IngestCheck{Key: n.id, NewCheck: graph.NewCheck{
		Name: cut(n.Name, maxName), Expectation: cut(n.Name, maxName), Severity: n.severity(), Dimension: dimension(n),
	}}
	if c.Name == "" {
		c.Name = cut(n.id, maxName)
	}
	if n.Test != nil && n.Test.Name != "" {
		c.Expectation = n.Test.Name
		if n.Test.Namespace != "" {
			c.Expectation = n.Test.Namespace + "." + n.Test.Name
		}
		c.Expectation = cut(c.Expectation, maxName)
	}
	if name := n.testedColumn(); name != "" {
		if at, ok := columnFinder(columns)(name); ok {
			name = columns[at].Name
		}
		c.Column = orNil(cut(name, maxRelation))
	}
	c.Config = b.checkConfig(n)
	return c
}

// severity is what a check that does not pass counts as.
func (n *node) severity() graph.Severity {
	if strings.EqualFold(string(n.Config.Severity), "warn") {
		return graph.SeverityWarning
	}
	return graph.SeverityCritical
}

// testedColumn is the column that a test looks at, unquoted; "" if it looks at the whole relation.
func (n *node) testedColumn() string {
	name := n.ColumnName
	if name == "" && n.Test != nil {
		name, _ = n.Test.Kwargs["column_name"].(string)
	}
	if len(name) >= 2 && strings.ContainsRune("\"`", rune(name[0])) && name[0] == name[len(name)-1] {
		name = name[1 : len(name)-1]
	}
	return name
}

// checkConfig are a test's own settings: its arguments, and what it was configured to count as failing.
func (b *builder) checkConfig(n *node) any {
	settings := map[string]any{}
	if n.Test != nil {
		for name, value := range n.Test.Kwargs {
			if name != "model" && name != "column_name" && value != nil {
				settings[name] = value
			}
		}
	}
	for _, s := range []struct {
		name   string
		value  scalar
		normal scalar
	}{
		{"where", n.Config.Where, ""}, {"limit", n.Config.Limit, ""}, {"warn_if", n.Config.WarnIf, "!= 0"},
		{"error_if", n.Config.ErrorIf, "!= 0"}, {"fail_calc", n.Config.FailCalc, "count(*)"},
	} {
		if s.value != "" && s.value != s.normal {
			settings[s.name] = string(s.value)
		}
	}
	if len(settings) == 0 {
		return nil
	}
	if text, err := json.Marshal(settings); err != nil || len(text) > maxConfig {
		b.warn("the settings of %s have more than %d bytes: they were left out", n.id, maxConfig)
		return nil
	}
	return settings
}
