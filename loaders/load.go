package loaders

import (
	"context"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// Asset returns an asset of the audience, nil if there is none.
func (s *Set) Asset(ctx context.Context, id string) (*graph.Asset, error) {
	a, _, err := s.assets.Load(ctx, id, s.siblings(id))
	return a, err
}

// Verdict returns the verdict of an asset that the audience sees.
func (s *Set) Verdict(ctx context.Context, asset string) (*graph.Verdict, error) {
	v, ok, err := s.verdicts.Load(ctx, asset, s.siblings(asset))
	return v, found(ok, err, "asset")
}

// NeighbourCounts returns how many nodes feed an asset and how many it feeds.
func (s *Set) NeighbourCounts(ctx context.Context, asset string) (graph.NeighbourCounts, error) {
	n, ok, err := s.neighbours.Load(ctx, asset, s.siblings(asset))
	return n, found(ok, err, "asset")
}

// Columns returns a page of an asset's columns; of its siblings too if it is the first page.
func (s *Set) Columns(ctx context.Context, key graph.ColumnsOf) (graph.Page[*graph.Column], error) {
	var beside []graph.ColumnsOf
	if key.AfterOrdinal == 0 {
		for _, id := range s.siblings(key.Asset) {
			beside = append(beside, graph.ColumnsOf{Asset: id, First: key.First})
		}
	}
	p, ok, err := s.columns.Load(ctx, key, beside)
	return p, found(ok, err, "asset")
}

// Datasource returns a datasource of the audience, nil if there is none.
func (s *Set) Datasource(ctx context.Context, id string) (*graph.Datasource, error) {
	d, _, err := s.sources.Load(ctx, id, s.siblings(id))
	return d, err
}

// Assertions returns who asserts an edge that the audience sees.
func (s *Set) Assertions(ctx context.Context, edge string) ([]*graph.Assertion, error) {
	a, _, err := s.assertions.Load(ctx, edge, s.siblings(edge))
	return a, err
}

// ColumnPairs returns the dependencies of columns of an edge that the audience sees.
func (s *Set) ColumnPairs(ctx context.Context, edge string) ([]*graph.ColumnPair, error) {
	p, _, err := s.pairs.Load(ctx, edge, s.siblings(edge))
	return p, err
}

// EdgeDescription returns what is said of an edge that the audience sees, nil for nothing.
func (s *Set) EdgeDescription(ctx context.Context, edge string) (*string, error) {
	d, _, err := s.meanings.Load(ctx, edge, s.siblings(edge))
	return d, err
}

// Paths returns the shortest paths of a pair of nodes, and with it those of the pairs beside it; nil if the
// audience does not know both nodes.
func (s *Set) Paths(ctx context.Context, pair graph.PathsOf, beside []graph.PathsOf) ([][]string, error) {
	p, _, err := s.paths.Load(ctx, pair, beside)
	return p, err
}

// Rights returns what a datasource says of the caller's rights.
func (s *Set) Rights(ctx context.Context, datasource string) (graph.DatasourceFacts, error) {
	f, ok, err := s.rights.Load(ctx, datasource, s.siblings(datasource))
	return f, found(ok, err, "datasource")
}

// Suites returns a page of the caller's suites on an asset; of its siblings too if it is the first page.
func (s *Set) Suites(ctx context.Context, key graph.SuitesOf) (graph.AssetSuites, error) {
	var beside []graph.SuitesOf
	if !key.After {
		for _, id := range s.siblings(key.Asset) {
			beside = append(beside, graph.SuitesOf{Asset: id, First: key.First})
		}
	}
	p, ok, err := s.suites.Load(ctx, key, beside)
	return p, found(ok, err, "asset")
}

// Checks returns the checks of a suite that the caller may view.
func (s *Set) Checks(ctx context.Context, suite string) ([]*graph.Check, error) {
	c, ok, err := s.checks.Load(ctx, suite, s.siblings(suite))
	return c, found(ok, err, "suite")
}

// Shares returns the shares of a suite that the caller may view.
func (s *Set) Shares(ctx context.Context, suite string) ([]*graph.Share, error) {
	c, ok, err := s.shares.Load(ctx, suite, s.siblings(suite))
	return c, found(ok, err, "suite")
}

// Runs returns a page of a suite's runs; of its siblings too if it is the first page.
func (s *Set) Runs(ctx context.Context, key graph.RunsOf) (graph.Page[*graph.Run], error) {
	var beside []graph.RunsOf
	if !key.After {
		for _, id := range s.siblings(key.Suite) {
			beside = append(beside, graph.RunsOf{Suite: id, First: key.First})
		}
	}
	p, ok, err := s.runs.Load(ctx, key, beside)
	return p, found(ok, err, "suite")
}

// Results returns the results of a run whose suite the caller may view.
func (s *Set) Results(ctx context.Context, run string) ([]*graph.CheckResult, error) {
	r, ok, err := s.results.Load(ctx, run, s.siblings(run))
	return r, found(ok, err, "run")
}

// TeamMembers returns the members of a team.
func (s *Set) TeamMembers(ctx context.Context, team string) ([]*graph.TeamMembership, error) {
	m, ok, err := s.members.Load(ctx, team, s.siblings(team))
	return m, found(ok, err, "team")
}

// TeamGrants returns the permissions of a team on datasources.
func (s *Set) TeamGrants(ctx context.Context, team string) ([]*graph.DatasourceGrant, error) {
	g, ok, err := s.grants.Load(ctx, team, s.siblings(team))
	return g, found(ok, err, "team")
}

// History returns a page of what was done to a suite; to its siblings too if it is the first page.
func (s *Set) History(ctx context.Context, key graph.HistoryOf) (graph.Page[*graph.AuditEvent], error) {
	var beside []graph.HistoryOf
	if !key.After {
		for _, id := range s.siblings(key.Suite) {
			beside = append(beside, graph.HistoryOf{Suite: id, First: key.First, Total: key.Total})
		}
	}
	p, ok, err := s.histories.Load(ctx, key, beside)
	return p, found(ok, err, "suite")
}

// found turns an absent value into NOT_FOUND: the object went away, or out of sight, while the request
// was answered.
func found(ok bool, err error, what string) error {
	if err != nil {
		return err
	}
	if !ok {
		return fault.NotFound(what)
	}
	return nil
}
