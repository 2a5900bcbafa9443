package graph

import "context"

// External is something outside the catalog that feeds it or is fed by it.
type External struct {
	ID            string
	Workspace     string
	System, Model string
	// URL is shown and never fetched.
	URL *string
}

// IsNode marks an External as an object with a global id.
func (*External) IsNode() {}

const externalsQuery = `
UNWIND $ids AS id
MATCH (n:Dataset:External {id: id}) WHERE $VISIBLE(n)
RETURN n.id, n.workspace, n.system, n.model, n.url`

// Externals returns those of the ids that exist in the audience, by id.
func (s *Store) Externals(ctx context.Context, audience Audience, ids []string) (map[string]*External, error) {
	rows, err := s.read(ctx, audience, externalsQuery, map[string]any{"ids": ids})
	if err != nil {
		return nil, err
	}
	out := make(map[string]*External, len(rows))
	for _, r := range rows {
		out[text(r[0])] = &External{ID: text(r[0]), Workspace: text(r[1]), System: text(r[2]), Model: text(r[3]), URL: textOrNil(r[4])}
	}
	return out, nil
}
