package dbt

import (
	"encoding/json"
	"strings"
)

// The kinds of nodes that take part in lineage.
const (
	kindModel         = "model"
	kindSeed          = "seed"
	kindSnapshot      = "snapshot"
	kindSource        = "source"
	kindTest          = "test"
	kindExposure      = "exposure"
	kindMetric        = "metric"
	kindSemanticModel = "semantic_model"
	kindSavedQuery    = "saved_query"
	kindFunction      = "function"
)

// node is what is kept of a node of the manifest, of whatever kind.
type node struct {
	id         string
	Kind       string `json:"resource_type"`
	Package    string `json:"package_name"`
	Name       string
	Database   string
	Schema     string
	Alias      string
	Identifier string
	// Path and OriginalPath are empty on a node that another project builds and a plugin put in.
	Path         string
	OriginalPath string `json:"original_file_path"`
	Description  string
	Config       config
	Tags         scalars
	Group        string
	Meta         meta
	SourceMeta   meta `json:"source_meta"`
	Columns      entries[column]
	DependsOn    depends `json:"depends_on"`
	Refs         []ref
	Sources      []scalars
	SourceName   string `json:"source_name"`
	Version      scalar
	Attached     string       `json:"attached_node"`
	FileKey      string       `json:"file_key_name"`
	ColumnName   string       `json:"column_name"`
	Test         *genericTest `json:"test_metadata"`
	URL          string
}

// config is what is kept of a node's configuration.
type config struct {
	Enabled      *bool
	Materialized string
	Group        string
	Meta         meta
	Severity     scalar
	Where        scalar
	Limit        scalar
	WarnIf       scalar `json:"warn_if"`
	ErrorIf      scalar `json:"error_if"`
	FailCalc     scalar `json:"fail_calc"`
}

func (c config) enabled() bool { return c.Enabled == nil || *c.Enabled }

// meta is what is kept of the free part of a node: who owns it.
type meta struct {
	Owner owner
}

// UnmarshalJSON reads any value.
func (m *meta) UnmarshalJSON(b []byte) error {
	var fields struct{ Owner owner }
	if json.Unmarshal(b, &fields) == nil {
		m.Owner = fields.Owner
	}
	return nil
}

// owner are addresses or names.
type owner []string

// UnmarshalJSON reads a text, a list of texts, or an object with an email or a name.
func (o *owner) UnmarshalJSON(b []byte) error {
	var fields struct{ Email, Name scalars }
	if json.Unmarshal(b, &fields) == nil {
		*o = owner(fields.Email)
		if len(*o) == 0 {
			*o = owner(fields.Name)
		}
		return nil
	}
	var texts scalars
	_ = texts.UnmarshalJSON(b) // reads any value
	*o = owner(texts)
	return nil
}

type group struct {
	Package string `json:"package_name"`
	Name    string
	Owner   owner
}

type column struct {
	Name        string
	Description string
	DataType    string `json:"data_type"`
}

type depends struct {
	Nodes []string `json:"nodes"`
}

// ref names a node as a model's code does.
type ref struct {
	Name    string
	Package string
	Version scalar
}

// UnmarshalJSON reads the object that dbt writes since 1.5, or a list of name, or package and name.
func (r *ref) UnmarshalJSON(b []byte) error {
	var list scalars
	if len(b) > 0 && b[0] == '[' && json.Unmarshal(b, &list) == nil && len(list) > 0 {
		*r = ref{Name: list[len(list)-1]}
		if len(list) == 2 {
			r.Package = list[0]
		}
		return nil
	}
	type fields ref
	return json.Unmarshal(b, (*fields)(r))
}

// genericTest is how a test was made from a template.
type genericTest struct {
	Name      string
	Namespace string
	Kwargs    map[string]any
}

// takesPart reports whether the node is of a kind that is used here.
func (n *node) takesPart() bool {
	switch n.Kind {
	case kindModel, kindSeed, kindSnapshot, kindSource, kindTest, kindExposure, kindMetric, kindSemanticModel, kindSavedQuery, kindFunction:
		return true
	}
	return false
}

// isRelation reports whether the node is a table or view of the warehouse.
func (n *node) isRelation() bool {
	switch n.Kind {
	case kindModel:
		return n.Config.Materialized != "ephemeral"
	case kindSeed, kindSnapshot, kindSource:
		return true
	}
	return false
}

// passesThrough reports whether lineage goes through the node, which is no relation.
func (n *node) passesThrough() bool {
	return !n.isRelation() && n.Kind != kindTest && n.Kind != kindExposure
}

// builtBy reports whether the project makes the relation: a source is made elsewhere, and so is a model
// that a plugin took over from another project's manifest.
func (n *node) builtBy(project string) bool {
	injected := n.Package != project && n.Path == "" && n.OriginalPath == ""
	return n.isRelation() && n.Kind != kindSource && !injected
}

// identifier is the name of the relation in its schema.
func (n *node) identifier() string {
	identifier := n.Alias
	if n.Kind == kindSource {
		identifier = n.Identifier
	}
	if identifier == "" {
		identifier = n.Name
	}
	return identifier
}

// misnamed says what is wrong with the names of a relation, "" if nothing is. Some engines have no
// databases, and a source may say that it stands in no schema; whatever is built has one.
func (n *node) misnamed() string {
	switch {
	case strings.ContainsFunc(n.id, invisible):
		return "has control or formatting characters in its id"
	case !n.isRelation():
		return ""
	case n.identifier() == "":
		return "has neither an alias nor a name"
	case n.Kind != kindSource && n.Schema == "":
		return "stands in no schema"
	}
	for part, value := range map[string]string{"database": n.Database, "schema": n.Schema, "relation": n.identifier()} {
		if strings.ContainsFunc(value, invisible) || value != "" && strings.TrimSpace(value) == "" {
			return "has no visible name for its " + part + ", or one with control or formatting characters"
		}
	}
	return ""
}

// relation is the qualified name, unquoted: database, schema and identifier, as far as it has them; the
// unique id of a node that stands in no schema.
func (n *node) relation() string {
	identifier := n.identifier()
	if n.Database == "" && n.Schema == "" {
		return n.id
	}
	var parts []string
	for _, p := range []string{n.Database, n.Schema, identifier} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ".")
}

// namespace is where the relation stands, "" if nowhere.
func (n *node) namespace() string {
	if n.Database == "" || n.Schema == "" {
		return n.Database + n.Schema
	}
	return n.Database + "." + n.Schema
}
