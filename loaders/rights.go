package loaders

import (
	"context"
	"slices"

	"github.com/strata-gateway/strata/graph"
)

// Touched implements authz.Rights.
func (s *Set) Touched(ctx context.Context, ids ...string) ([]graph.DatasourceFacts, bool, error) {
	var datasources []string
	for _, id := range ids {
		touched, found, err := s.datasourceOf(ctx, id, ids)
		if err != nil || !found {
			return nil, false, err
		}
		if touched != "" {
			datasources = append(datasources, touched)
		}
	}
	facts := make([]graph.DatasourceFacts, 0, len(datasources))
	for _, id := range datasources {
		f, found, err := s.rights.Load(ctx, id, s.beside(id, datasources))
		if err != nil || !found {
			return nil, false, err
		}
		facts = append(facts, f)
	}
	return facts, true, nil
}

// datasourceOf is the datasource that a thing stands for, "" for none.
func (s *Set) datasourceOf(ctx context.Context, id string, ids []string) (datasource string, found bool, err error) {
	switch graph.KindOf(id) {
	case graph.KindDatasource:
		return id, true, nil
	case graph.KindAsset:
		a, found, err := s.assets.Load(ctx, id, s.beside(id, ids))
		if err != nil || !found {
			return "", false, err
		}
		return a.Datasource.ID, true, nil
	case graph.KindExternal:
		_, found, err := s.externals.Load(ctx, id, s.beside(id, ids))
		return "", found, err
	}
	return "", false, nil
}

// beside are what is fetched with an id: what was announced beside it, and what is asked for with it.
func (s *Set) beside(id string, ids []string) []string {
	return slices.Concat(s.siblings(id), ids)
}
