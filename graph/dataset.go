package graph

import "context"

const workspaceDatasourcesQuery = `
MATCH (d:Datasource) WHERE $VISIBLE(d)
WITH d ORDER BY d.name, d.id
RETURN collect(` + datasourceColumns + `)`

// WorkspaceDatasources returns every datasource of the audience, by name.
func (s *Store) WorkspaceDatasources(ctx context.Context, audience Audience) ([]*Datasource, error) {
	rows, err := s.read(ctx, audience, workspaceDatasourcesQuery, nil)
	if err != nil {
		return nil, err
	}
	var out []*Datasource
	for _, v := range list(rows[0][0]) {
		out = append(out, readDatasource(v))
	}
	return out, nil
}

// Place is where an asset may stand: a name in a datasource.
type Place struct{ Datasource, Name string }

const datasetAtQuery = `
WITH COLLECT {
  UNWIND range(0, size($places) - 1) AS at
  WITH at, $places[at] AS place
  MATCH (a:Asset {datasource: place[0], name: place[1]}) WHERE $VISIBLE(a)
  RETURN a.id ORDER BY at LIMIT 1 } AS assets, COLLECT {
  MATCH (x:Dataset:External {id: $external}) WHERE $VISIBLE(x) RETURN x.id LIMIT 1 } AS externals
RETURN coalesce(assets[0], externals[0])`

// DatasetAt returns the id of the asset at the first of the places that has one in the audience, else that of
// the external node, and "" for neither.
//
// SECURITY: a hidden asset is passed over like one that is not there (TestADatasetIsFoundByItsOpenLineageName).
func (s *Store) DatasetAt(ctx context.Context, audience Audience, places []Place, external string) (string, error) {
	pairs := make([]any, len(places))
	for i, p := range places {
		pairs[i] = []any{p.Datasource, p.Name}
	}
	rows, err := s.read(ctx, audience, datasetAtQuery, map[string]any{"places": pairs, "external": external})
	if err != nil {
		return "", err
	}
	return text(rows[0][0]), nil
}
