package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/loaders"
)

// announce tells the loaders that these entries stand beside each other in the answer.
func announce[T any](ctx context.Context, items []T, id func(T) string) {
	ids := make([]string, 0, len(items))
	for _, item := range items {
		if s := id(item); s != "" {
			ids = append(ids, s)
		}
	}
	loaders.From(ctx).Announce(ids...)
}

// announceAssets announces assets and their datasources.
func announceAssets(ctx context.Context, assets []*graph.Asset) {
	announce(ctx, assets, func(a *graph.Asset) string { return a.ID })
	announce(ctx, assets, func(a *graph.Asset) string { return a.Datasource.ID })
}

// announceSuites announces suites and their assets.
func announceSuites(ctx context.Context, suites []*graph.Suite) {
	announce(ctx, suites, func(s *graph.Suite) string { return s.ID })
	announce(ctx, suites, func(s *graph.Suite) string { return s.AssetID })
}
