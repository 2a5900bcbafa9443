package graph

import "context"

// MaxPaths is how many shortest paths between two nodes are returned at most.
const MaxPaths = 20

// PathsOf asks for the shortest paths from one node down to another, at most First of them.
type PathsOf struct {
	From, To string
	First    int
}

// pathsQuery finds shortest paths one after the other: their number is bounded before it looks for them, since
// there may be 2^40 of them.
const pathsQuery = `
UNWIND $rows AS row
MATCH (a:Dataset {id: row.from}) WHERE $VISIBLE(a)
MATCH (b:Dataset {id: row.to}) WHERE $VISIBLE(b)
RETURN row.at, COLLECT {
  MATCH p = SHORTEST 20 (a) ((x)-[r:FEEDS]->(y) WHERE $VISIBLE(y) AND ` + stated + `)+ (b)
  WITH DISTINCT [n IN nodes(p) | n.id] AS ids
  RETURN ids ORDER BY size(ids), ids
}`

// Paths returns the shortest paths of each pair, each as the ids of its nodes from the first to the last; a pair
// of which the audience does not know both nodes is not in the answer. There is none from a node to itself
// without a cycle. Two nodes that several categories connect are one step.
//
// SECURITY: nothing hidden is passed through (TestPathsAreThoseOfTheReference).
func (s *Store) Paths(ctx context.Context, audience Audience, pairs []PathsOf) (map[PathsOf][][]string, error) {
	asked := make([]any, len(pairs))
	for i, p := range pairs {
		asked[i] = map[string]any{"at": i, "from": p.From, "to": p.To}
	}
	rows, err := s.read(ctx, audience, pathsQuery, map[string]any{"rows": asked})
	if err != nil {
		return nil, err
	}
	out := make(map[PathsOf][][]string, len(rows))
	for _, r := range rows {
		pair := pairs[integer(r[0])]
		found := out[pair]
		if found == nil {
			found = [][]string{}
		}
		for _, v := range list(r[1]) {
			if len(found) < pair.First {
				found = append(found, texts(v))
			}
		}
		out[pair] = found
	}
	return out, nil
}
