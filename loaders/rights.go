package loaders

import (
	"context"

	"github.com/strata-gateway/strata/graph"
)

// Datasources implements authz.Rights. What stands beside them in the answer is fetched with them.
func (s *Set) Datasources(ctx context.Context, ids ...string) ([]graph.DatasourceFacts, bool, error) {
	facts := make([]graph.DatasourceFacts, 0, len(ids))
	for _, id := range ids {
		f, found, err := s.rights.Load(ctx, id, s.siblings(id))
		if err != nil || !found {
			return nil, false, err
		}
		facts = append(facts, f)
	}
	return facts, true, nil
}

// touching finds what things touch, in statements of its own: fields that ask at the same time would else take one
// more or less, by who comes first.
type touching struct {
	assets    func(context.Context, []string) (map[string]*graph.Asset, error)
	externals func(context.Context, []string) (map[string]*graph.External, error)
	rights    func(context.Context, []string) (map[string]graph.DatasourceFacts, error)
}

// Touched implements authz.Rights.
func (s *Set) Touched(ctx context.Context, ids ...string) ([]graph.DatasourceFacts, bool, error) {
	byKind := map[graph.Kind][]string{}
	for _, id := range ids {
		byKind[graph.KindOf(id)] = append(byKind[graph.KindOf(id)], id)
	}
	datasources := byKind[graph.KindDatasource]
	found, err := s.touched.assetsIn(ctx, byKind[graph.KindAsset], &datasources)
	if err != nil || !found {
		return nil, false, err
	}
	if found, err = s.touched.outside(ctx, byKind[graph.KindExternal]); err != nil || !found {
		return nil, false, err
	}
	if len(ids) > len(byKind[graph.KindDatasource])+len(byKind[graph.KindAsset])+len(byKind[graph.KindExternal]) {
		return nil, false, nil // of a kind that stands for no datasource
	}
	if len(datasources) == 0 {
		return nil, true, nil
	}
	held, err := s.touched.rights(ctx, datasources)
	if err != nil {
		return nil, false, err
	}
	facts := make([]graph.DatasourceFacts, 0, len(datasources))
	for _, id := range datasources {
		f, ok := held[id]
		if !ok {
			return nil, false, nil
		}
		facts = append(facts, f)
	}
	return facts, true, nil
}

// assetsIn adds the datasources of assets, and reports whether all of these are there.
func (t touching) assetsIn(ctx context.Context, ids []string, datasources *[]string) (bool, error) {
	if len(ids) == 0 {
		return true, nil
	}
	assets, err := t.assets(ctx, ids)
	if err != nil {
		return false, err
	}
	for _, id := range ids {
		a, ok := assets[id]
		if !ok {
			return false, nil
		}
		*datasources = append(*datasources, a.Datasource.ID)
	}
	return true, nil
}

// outside reports whether all of the external nodes are there.
func (t touching) outside(ctx context.Context, ids []string) (bool, error) {
	if len(ids) == 0 {
		return true, nil
	}
	externals, err := t.externals(ctx, ids)
	if err != nil {
		return false, err
	}
	for _, id := range ids {
		if _, ok := externals[id]; !ok {
			return false, nil
		}
	}
	return true, nil
}
