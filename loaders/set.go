package loaders

import (
	"context"
	"sync"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/cache"
	"github.com/strata-gateway/strata/graph"
)

// Set is the loaders of one request.
type Set struct {
	assets     *Loader[string, *graph.Asset]
	verdicts   *Loader[string, *graph.Verdict]
	neighbours *Loader[string, graph.NeighbourCounts]
	columns    *Loader[graph.ColumnsOf, graph.Page[*graph.Column]]
	rights     *Loader[string, graph.DatasourceFacts]
	suites     *Loader[graph.SuitesOf, graph.AssetSuites]
	checks     *Loader[string, []*graph.Check]
	shares     *Loader[string, []*graph.Share]
	runs       *Loader[graph.RunsOf, graph.Page[*graph.Run]]
	results    *Loader[string, []*graph.CheckResult]
	members    *Loader[string, []*graph.TeamMembership]
	grants     *Loader[string, []*graph.DatasourceGrant]
	histories  *Loader[graph.HistoryOf, graph.Page[*graph.AuditEvent]]
	touched    touching
	sources    *Loader[string, *graph.Datasource]
	assertions *Loader[string, []*graph.Assertion]
	meanings   *Loader[string, *string]
	pairs      *Loader[string, []*graph.ColumnPair]
	paths      *Loader[graph.PathsOf, [][]string]

	mu     sync.Mutex
	groups map[string][]string
}

type setKey struct{}

// With returns a context with a new set over the store and what is kept of it, in which gates find rights too.
func With(ctx context.Context, store *graph.Store, c *cache.Cache) context.Context {
	s := New(store, c)
	return authz.WithRights(context.WithValue(ctx, setKey{}, s), s)
}

// From is the set of the request. It panics without one: a defect of the wiring, not of a request.
func From(ctx context.Context) *Set { return ctx.Value(setKey{}).(*Set) }

// New makes the loaders of one request; a nil cache keeps nothing.
func New(store *graph.Store, c *cache.Cache) *Set {
	s := &Set{groups: map[string][]string{}}
	s.assets = NewLoader(kept(c, assetsArea(), assetFamilies(), store.Assets))
	s.verdicts = NewLoader(kept(c, verdictsArea(), verdictFamilies(), store.Verdicts))
	s.neighbours = NewLoader(forAudience(store.NeighbourCounts))
	s.columns = NewLoader(forAudience(store.Columns))
	s.rights = NewLoader(forScope(store.DatasourceFacts))
	s.suites = NewLoader(announcing(s, forScope(store.SuitesOnAssets), suiteIDs))
	s.checks = NewLoader(forScope(store.Checks))
	s.shares = NewLoader(forScope(store.Shares))
	s.runs = NewLoader(announcing(s, forScope(store.RunsOfSuites), runIDs))
	s.results = NewLoader(forScope(store.Results))
	s.members = NewLoader(forAudience(store.TeamMembers))
	s.grants = NewLoader(forAudience(store.TeamGrants))
	s.histories = NewLoader(forScope(store.Histories))
	s.touched = touching{assets: forAudience(store.Assets), externals: forAudience(store.Externals), rights: forScope(store.DatasourceFacts)}
	s.sources = NewLoader(forAudience(store.Datasources))
	s.assertions = NewLoader(forAudience(store.Assertions))
	s.pairs = NewLoader(forAudience(store.ColumnPairs))
	s.meanings = NewLoader(forAudience(store.EdgeDescriptions))
	s.paths = NewLoader(forAudience(store.Paths))
	return s
}

// forAudience runs a fetch for the audience of the context: below an aggregate there is nobody else.
func forAudience[K comparable, V any](fetch func(context.Context, graph.Audience, []K) (map[K]V, error)) func(context.Context, []K) (map[K]V, error) {
	return func(ctx context.Context, keys []K) (map[K]V, error) {
		audience, err := authz.AudienceFrom(ctx)
		if err != nil {
			return nil, err
		}
		return fetch(ctx, audience, keys)
	}
}

// forScope runs a fetch for the caller of the context.
func forScope[K comparable, V any](fetch func(context.Context, graph.Scope, []K) (map[K]V, error)) func(context.Context, []K) (map[K]V, error) {
	return func(ctx context.Context, keys []K) (map[K]V, error) {
		scope, err := authz.ScopeFrom(ctx)
		if err != nil {
			return nil, err
		}
		return fetch(ctx, scope, keys)
	}
}

// announcing makes a fetch announce the ids of all that it found, since they stand beside each other in
// the answer.
func announcing[K comparable, V any](s *Set, fetch func(context.Context, []K) (map[K]V, error), ids func(V) []string) func(context.Context, []K) (map[K]V, error) {
	return func(ctx context.Context, keys []K) (map[K]V, error) {
		found, err := fetch(ctx, keys)
		var all []string
		for _, v := range found {
			all = append(all, ids(v)...)
		}
		s.Announce(all...)
		return found, err
	}
}

func suiteIDs(v graph.AssetSuites) []string {
	ids := make([]string, 0, len(v.Items))
	for _, s := range v.Items {
		ids = append(ids, s.ID)
	}
	return ids
}

func runIDs(v graph.Page[*graph.Run]) []string {
	ids := make([]string, 0, len(v.Items))
	for _, r := range v.Items {
		ids = append(ids, r.ID)
	}
	return ids
}

// Announce says that these objects stand beside each other in the answer: what is asked of one will be
// asked of all.
func (s *Set) Announce(ids ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		s.groups[id] = ids
	}
}

func (s *Set) siblings(id string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.groups[id]
}
