package graph

import (
	"context"
	"encoding/json"
	"strings"
	"time"
)

// Assertion says who asserts an edge.
type Assertion struct {
	// Edge is the edge's id, SourceDatasource and TargetDatasource those of its ends, "" for an external one.
	Edge                               string
	SourceDatasource, TargetDatasource string
	// Producer is who asserts it, EventKind in what kind of event, At when that came.
	Producer  string
	EventKind string
	At        time.Time
	// RetractedAt is when the producer took it back, nil if it did not.
	RetractedAt *time.Time
	// Details are what the producer says besides.
	Details AssertionDetails
}

// AssertionDetails are what a producer says of an edge besides that there is one: it can quote values of rows.
type AssertionDetails struct {
	// Scope is the part of what the producer knows that the assertion belongs to, "" for all of it.
	Scope                                    string
	Job, Run, Transformation, SQL, Submitter *string
	// Facets are what else it sent, a JSON object with its secrets masked; nil for nothing.
	Facets any
}

// Touches are the datasources that the details may be read on: of each end.
func (a *Assertion) Touches() []string {
	var out []string
	for _, id := range []string{a.SourceDatasource, a.TargetDatasource} {
		if id != "" {
			out = append(out, id)
		}
	}
	return out
}

// maxAssertions is how many assertions of an edge are read, the newest first.
const maxAssertions = 100

const assertionsQuery = `
UNWIND $ids AS id
CALL (id) {
  MATCH (s:Dataset)-[r:FEEDS {id: id}]->(t:Dataset) WHERE $VISIBLE(s) AND $VISIBLE(t) AND ` + stated + `
  RETURN r.workspace AS workspace, s.datasource AS source, t.datasource AS target
  UNION ALL
  MATCH (s:Dataset)-[r:FED {id: id}]->(t:Dataset) WHERE $VISIBLE(s) AND $VISIBLE(t) AND ` + stated + `
  RETURN r.workspace AS workspace, s.datasource AS source, t.datasource AS target
}
CALL (id, workspace) {
  MATCH (x:Assertion {edge: id, workspace: workspace})
  USING INDEX SEEK x:Assertion(edge, producer, workspace)
  WHERE x.producer IS NOT NULL
  RETURN x ORDER BY x.at DESC, x.producer LIMIT $limit
}
RETURN id, source, target, x.producer, x.eventKind, x.at, x.job, x.run, x.transformation, x.sql, x.submitter, x.facets, x.retractedAt
ORDER BY id, x.at DESC, x.producer`

// Assertions returns who asserts edges, retired ones too, the newest first, by the ids of those edges that the
// audience sees.
func (s *Store) Assertions(ctx context.Context, audience Audience, ids []string) (map[string][]*Assertion, error) {
	rows, err := s.read(ctx, audience, assertionsQuery, map[string]any{"ids": ids, "limit": maxAssertions})
	if err != nil {
		return nil, err
	}
	out := map[string][]*Assertion{}
	for _, r := range rows {
		producer, scope := unscoped(text(r[3]))
		a := &Assertion{
			Edge: text(r[0]), SourceDatasource: text(r[1]), TargetDatasource: text(r[2]),
			Producer: producer, EventKind: text(r[4]), At: time.UnixMilli(int64(integer(r[5]))).UTC(), RetractedAt: instant(r[12]),
			Details: AssertionDetails{
				Scope: scope, Job: textOrNil(r[6]), Run: textOrNil(r[7]), Transformation: textOrNil(r[8]), SQL: textOrNil(r[9]), Submitter: textOrNil(r[10]),
			},
		}
		if facets := text(r[11]); facets != "" {
			if err := json.Unmarshal([]byte(facets), &a.Details.Facets); err != nil {
				return nil, err
			}
		}
		out[a.Edge] = append(out[a.Edge], a)
	}
	return out, nil
}

// scopeMark stands between a producer, a category and a scope; none of them holds a line break.
const scopeMark = "\n"

// scoped is how what a producer asserts in one category and scope is kept apart from all else.
func scoped(producer string, category EdgeCategory, scope string) string {
	return producer + scopeMark + string(category) + scopeMark + scope
}

// unscoped are the producer and the scope again. What an ingest asserts has no scope.
func unscoped(name string) (producer, scope string) {
	producer, rest, _ := strings.Cut(name, scopeMark)
	_, scope, _ = strings.Cut(rest, scopeMark)
	return producer, scope
}

const edgeDescriptionsQuery = `
UNWIND $ids AS id
CALL (id) {
  MATCH (s:Dataset)-[r:FEEDS {id: id}]->(t:Dataset) WHERE $VISIBLE(s) AND $VISIBLE(t) AND ` + stated + `
  RETURN r.workspace AS workspace, r.description AS description
  UNION ALL
  MATCH (s:Dataset)-[r:FED {id: id}]->(t:Dataset) WHERE $VISIBLE(s) AND $VISIBLE(t) AND ` + stated + `
  RETURN r.workspace AS workspace, r.description AS description
}
WITH id, workspace, description WHERE description IS NOT NULL
RETURN id, description ORDER BY id, workspace = $organization`

// EdgeDescriptions returns what is said of edges, retired ones too, by the ids of those that the audience sees
// and that have a description. That of the workspace goes before the organization's.
func (s *Store) EdgeDescriptions(ctx context.Context, audience Audience, ids []string) (map[string]*string, error) {
	rows, err := s.read(ctx, audience, edgeDescriptionsQuery, map[string]any{"ids": ids, "organization": s.organization})
	if err != nil {
		return nil, err
	}
	out := make(map[string]*string, len(rows))
	for _, r := range rows {
		if _, known := out[text(r[0])]; !known {
			out[text(r[0])] = textOrNil(r[1])
		}
	}
	return out, nil
}
