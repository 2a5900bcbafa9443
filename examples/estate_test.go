package examples_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/strata-gateway/strata/examples"
)

// node holds what the tests read of a manifest's nodes, sources and exposures.
type node struct {
	Name         string   `json:"name"`
	ResourceType string   `json:"resource_type"`
	RelationName string   `json:"relation_name"`
	Description  string   `json:"description"`
	Schema       string   `json:"schema"`
	Tags         []string `json:"tags"`
	Group        string   `json:"group"`
	Version      any      `json:"version"`
	ColumnName   string   `json:"column_name"`
	Config       struct {
		Materialized string `json:"materialized"`
		Severity     string `json:"severity"`
	} `json:"config"`
	Columns map[string]struct {
		Description string   `json:"description"`
		Tags        []string `json:"tags"`
	} `json:"columns"`
	DependsOn struct {
		Nodes []string `json:"nodes"`
	} `json:"depends_on"`
	Owner struct {
		Email string `json:"email"`
	} `json:"owner"`
}

type manifest struct {
	Metadata struct {
		InvocationID string `json:"invocation_id"`
		ProjectName  string `json:"project_name"`
	} `json:"metadata"`
	Nodes     map[string]node   `json:"nodes"`
	Sources   map[string]node   `json:"sources"`
	Exposures map[string]node   `json:"exposures"`
	Groups    map[string]node   `json:"groups"`
	Disabled  map[string][]node `json:"disabled"`
}

type catalogTable struct {
	Columns map[string]struct {
		Type string `json:"type"`
	} `json:"columns"`
}

type catalog struct {
	Nodes   map[string]catalogTable `json:"nodes"`
	Sources map[string]catalogTable `json:"sources"`
}

type runResults struct {
	Metadata struct {
		InvocationID string `json:"invocation_id"`
	} `json:"metadata"`
	Results []struct {
		UniqueID string `json:"unique_id"`
		Status   string `json:"status"`
		Failures int    `json:"failures"`
	} `json:"results"`
}

// decoded is one project of the estate, its artifacts parsed.
type decoded struct {
	manifest manifest
	catalog  catalog
	results  runResults
}

// estate decodes every project, keyed by name.
func estate(t *testing.T) map[string]decoded {
	t.Helper()
	projects := make(map[string]decoded)
	for _, p := range examples.Projects() {
		var d decoded
		decode(t, p.Manifest, &d.manifest)
		decode(t, p.Catalog, &d.catalog)
		decode(t, p.RunResults, &d.results)
		projects[p.Name] = d
	}
	return projects
}

func decode(t *testing.T, content []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(content, into); err != nil {
		t.Fatalf("decode artifact: %v", err)
	}
}

// relations are the project's own models, seeds, snapshots and raw sources
// that exist in the warehouse, by unique id. Sources of another project's
// database are that project's relations.
func (d decoded) relations() map[string]node {
	own := make(map[string]node)
	for id, n := range d.manifest.Nodes {
		if n.ResourceType != "test" && n.RelationName != "" {
			own[id] = n
		}
	}
	for id, n := range d.manifest.Sources {
		if n.Schema == "raw" {
			own[id] = n
		}
	}
	return own
}

// resultsOf lists the tests of the project that ended with a status, by name.
func (d decoded) resultsOf(status string) []string {
	var names []string
	for _, r := range d.results.Results {
		if n := d.manifest.Nodes[r.UniqueID]; n.ResourceType == "test" && r.Status == status {
			names = append(names, n.Name)
		}
	}
	slices.Sort(names)
	return names
}
