package graph

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/strata-gateway/strata/fault"
)

const assertionDetailsQuery = `
UNWIND $rows AS v
MATCH (x:Assertion {edge: v.id, producer: $producer, workspace: $workspace})
SET x.eventKind = v.eventKind, x.at = $at, x.job = v.job, x.run = v.run, x.transformation = v.transformation,
  x.sql = v.sql, x.submitter = v.submitter, x.facets = v.facets`

// writeDetails keeps what the producer says besides, as it says it now.
func (e entered) writeDetails(in Assert, p producer, edges []DrawnEdge) error {
	rows := make([]any, len(in.Edges))
	for i, x := range in.Edges {
		facets, err := facetText(x.Details.Facets)
		if err != nil {
			return err
		}
		d := x.Details
		rows[i] = map[string]any{
			"id": edges[i].ID, "eventKind": x.EventKind, "job": d.Job, "run": d.Run, "transformation": d.Transformation,
			"sql": d.SQL, "submitter": d.Submitter, "facets": facets,
		}
	}
	_, err := e.runBatched(assertionDetailsQuery, rows, map[string]any{"producer": p.name, "workspace": e.Workspace, "at": e.store.nowMillis()})
	return err
}

// facetText is how facets are kept: as JSON, secrets masked; nil for none.
func facetText(facets any) (any, error) {
	if facets == nil {
		return nil, nil
	}
	b, err := json.Marshal(masked(facets))
	if err != nil {
		return nil, err
	}
	if len(b) > maxFacets {
		return nil, fault.BadInput("input.edges.details.facets", "The facets of an edge take at most 64 KiB as JSON.")
	}
	return string(b), nil
}

// maxFacets bounds the facets of an assertion, in bytes of JSON.
const maxFacets = 64 << 10

// secretKeys are parts of the names of facets and their fields whose values are not kept.
func secretKeys() []string {
	return []string{"password", "passwd", "secret", "token", "apikey", "api_key", "credential", "private_key", "privatekey", "authorization", "connectionstring", "connection_string"}
}

// mask stands for a value that is not kept.
const mask = "***"

// masked is a value without the secrets in it: of every field whose name sounds like one.
func masked(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, value := range v {
			lower := strings.ToLower(name)
			if slices.ContainsFunc(secretKeys(), func(key string) bool { return strings.Contains(lower, key) }) {
				out[name] = mask
				continue
			}
			out[name] = masked(value)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, value := range v {
			out[i] = masked(value)
		}
		return out
	}
	return v
}
