package loaders

import (
	"context"
	"slices"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/cache"
	"github.com/strata-gateway/strata/graph"
)

// fewest is the size of a batch from which on it is kept: one alone costs about what the check of the versions does.
const fewest = 2

// kept runs a fetch for the audience of the context, and keeps its batches for everyone of it (docs/caching.md).
//
// SECURITY: what is kept is the same for all of an audience; rights and rows never go through it
// (TestWhatIsKeptIsWhatWouldBeRead).
func kept[V any](
	c *cache.Cache, area cache.Area[map[string]V], families []graph.Family,
	fetch func(context.Context, graph.Audience, []string) (map[string]V, error),
) func(context.Context, []string) (map[string]V, error) {
	return func(ctx context.Context, ids []string) (map[string]V, error) {
		if c == nil || len(ids) < fewest {
			return forAudience(fetch)(ctx, ids)
		}
		audience, err := authz.AudienceFrom(ctx)
		if err != nil {
			return nil, err
		}
		ids = slices.Sorted(slices.Values(ids))
		key := cache.Key{Audience: audience, Epochs: authz.EpochsFrom(ctx), Families: families, Inputs: ids}
		return cache.Get(ctx, c, area, key, func(ctx context.Context) (cache.Answer[map[string]V], error) {
			found, err := fetch(ctx, audience, ids)
			return cache.Answer[map[string]V]{Value: found, Keep: len(found) > 0}, err
		})
	}
}

// What an asset and a verdict take in memory, in bytes: about.
const (
	assetSize   = 900
	verdictSize = 600
)

func assetsArea() cache.Area[map[string]*graph.Asset] {
	return cache.Area[map[string]*graph.Asset]{Name: "assets", Size: func(m map[string]*graph.Asset) int { return assetSize * len(m) }}
}

func verdictsArea() cache.Area[map[string]*graph.Verdict] {
	return cache.Area[map[string]*graph.Verdict]{Name: "verdicts", Size: func(m map[string]*graph.Verdict) int { return verdictSize * len(m) }}
}

// assetFamilies are those whose changes the identity of an asset shows.
func assetFamilies() []graph.Family { return []graph.Family{graph.FamilyCatalog} }

// verdictFamilies are those whose changes a verdict shows; the catalog's too, since an asset can go or be restricted.
func verdictFamilies() []graph.Family {
	return []graph.Family{graph.FamilyVerdict, graph.FamilyCatalog}
}
