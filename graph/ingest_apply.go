package graph

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/strata-gateway/strata/fault"
)

// ingestTime bounds the transaction of an ingest: it writes as much as its files hold, into a server that
// may have compiled nothing yet. The deadline of the request, if it has one, still goes before.
const ingestTime = 10 * time.Minute

// ingestTries bounds how often an ingest starts anew because others made the same things meanwhile.
const ingestTries = 3

// errRaced is the cause of a fault that a new try may do without.
var errRaced = errors.New("an asset was made while the ingest waited for its locks")

// ApplyIngest applies what a project states, all of it or nothing. name is what the producers of all
// projects of its name share, as in `dbt:shop`. land is told what the workspace has and completes the
// ingest by it, the producer included; it is called inside the transaction, and more than once if that is
// tried again. What is as the project states it already stays untouched: an ingest that changes nothing
// raises no epoch and leaves no audit event. What people wrote (descriptions, owners, tags), what other
// projects build and edges of other producers it does not touch. New suites belong to the caller.
// Errors: those of land, CONFLICT if others keep making the same assets, LIMIT_EXCEEDED for more than
// one transaction can take, TIMEOUT for more than ten minutes, and what the rule says of the datasources named and the suites that would
// change.
func (s *Store) ApplyIngest(ctx context.Context, w Writer, name string, land func(Landing) (Ingest, error)) (IngestSummary, error) {
	var summary IngestSummary
	var err error
	ctx = context.WithValue(ctx, limitKey{}, ingestTime)
	for range ingestTries {
		if summary, err = s.applyIngest(ctx, w, name, land); !raced(err) {
			break
		}
	}
	if fault.CodeOf(err) == fault.CodeTimeout {
		err = fault.Wrap(fault.CodeTimeout, "The ingest ran out of time, and nothing of it was kept. Try again when the graph store is less busy, or leave out the catalog or the results.", err)
	}
	return summary, err
}

type limitKey struct{}

// limit is how long a statement or transaction of the context may take on the server.
func (s *Store) limit(ctx context.Context) time.Duration {
	if limit, ok := ctx.Value(limitKey{}).(time.Duration); ok {
		return max(limit, s.timeout)
	}
	return s.timeout
}

func raced(err error) bool {
	var ne *neo4j.Neo4jError
	return errors.Is(err, errRaced) || errors.As(err, &ne) && isConstraint(ne)
}

func (s *Store) applyIngest(ctx context.Context, w Writer, name string, land func(Landing) (Ingest, error)) (IngestSummary, error) {
	var summary IngestSummary
	err := s.write(ctx, w.Actor, func(t *tx) error {
		e, err := t.enter(w)
		if err != nil {
			return err
		}
		landing, err := e.landing(name)
		if err != nil {
			return err
		}
		g := ingestion{entered: e}
		if g.in, err = land(landing); err != nil {
			return err
		}
		for _, p := range landing.Projects {
			if p.Producer == g.in.Producer {
				g.kept = p.Kept
			}
		}
		if err := g.decide(); err != nil {
			return err
		}
		if err := g.lock(); err != nil {
			return err
		}
		summary, err = g.write()
		return tooLarge(err)
	})
	return summary, err
}

// tooLarge turns the server's lack of memory for one transaction into a LIMIT_EXCEEDED: another try would
// fare no better.
func tooLarge(err error) error {
	var ne *neo4j.Neo4jError
	if errors.As(err, &ne) && strings.Contains(ne.Code, "OutOfMemory") {
		return fault.Wrap(fault.CodeLimitExceeded, "The project states more than the graph store has memory for in one transaction. Give the store a larger heap, or ingest parts of the project.", err)
	}
	return err
}

// ingestion is an ingest on its way through a transaction.
type ingestion struct {
	entered
	in   Ingest
	kept *Datasource
	// ids are those of the assets by key; fresh are the keys of those that do not exist yet.
	ids   map[string]string
	fresh map[string]bool
	// described are the ids of the nodes that the project describes so far, with whether it builds them.
	described map[string]bool
	suites    []suitePlan
	right     Right
}

const ingestedIDsQuery = `
UNWIND $rows AS v
MATCH (a:Asset {datasource: v.datasource, name: v.name})
USING INDEX SEEK a:Asset(datasource, name)
WHERE $VISIBLE(a)
RETURN v.key, a.id`

// find looks up which of the assets exist.
func (g *ingestion) find() (map[string]string, error) {
	found := make(map[string]string, len(g.in.Assets))
	for batch := range slices.Chunk(g.in.Assets, batchSize) {
		keys := make([]any, len(batch))
		for i, a := range batch {
			keys[i] = map[string]any{"key": a.Key, "datasource": a.Datasource, "name": a.Name}
		}
		rows, err := g.run(g.Audience, ingestedIDsQuery, map[string]any{"rows": keys})
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			found[text(r[0])] = text(r[1])
		}
	}
	return found, nil
}

// decide gathers the facts and asks the rule: of every datasource named, and of every suite that would
// change.
//
// SECURITY: asked before the first write, and again once the locks are held, so that nothing that
// changed in between is missed (TestIngestNeedsEditorAndEdit).
func (g *ingestion) decide() error {
	found, err := g.find()
	if err != nil {
		return err
	}
	g.ids, g.fresh = found, map[string]bool{}
	for _, a := range g.in.Assets {
		if _, ok := g.ids[a.Key]; !ok {
			g.ids[a.Key], g.fresh[a.Key] = g.store.ids.New(KindAsset), true
		}
	}
	if err := g.planSuites(); err != nil {
		return err
	}
	var facts Facts
	if facts.Datasources, err = g.datasourceFacts(g.datasources()...); err != nil {
		return err
	}
	for _, p := range g.suites {
		if !p.isNew {
			facts.Suites = append(facts.Suites, p.facts)
		}
	}
	g.right, err = g.permit(facts)
	return err
}

// datasources are the ids of those that the ingest names, sorted.
func (g *ingestion) datasources() []string {
	named := map[string]bool{}
	for _, a := range g.in.Assets {
		named[a.Datasource] = true
	}
	return slices.Sorted(maps.Keys(named))
}

func (g *ingestion) planSuites() error {
	stored, err := g.ingestedSuites(g.in.Producer)
	if err != nil {
		return err
	}
	var reports []Report
	for _, s := range g.in.Suites {
		for _, r := range s.Runs {
			reports = append(reports, Report{Suite: suiteID(g.ids[s.Asset], g.in.Producer), RunID: r.RunID})
		}
	}
	known, err := g.knownRuns(reports)
	if err != nil {
		return err
	}
	g.suites, err = planSuites(g.in, g.ids, stored, known)
	return err
}

// lock takes the locks of the project and of every asset that exists, and decides again. Errors: a
// CONFLICT that a new try may do without, if assets came into being meanwhile.
func (g *ingestion) lock() error {
	var err error
	if g.described, err = g.lockProject(g.in); err != nil {
		return err
	}
	var assets []string
	for key, id := range g.ids {
		if !g.fresh[key] {
			assets = append(assets, id)
		}
	}
	for _, p := range g.suites {
		if !p.isNew {
			assets = append(assets, p.asset)
		}
	}
	if err := g.lockAssets(g.Workspace, assets); err != nil {
		return err
	}
	before := len(g.fresh)
	if err := g.decide(); err != nil {
		return err
	}
	if len(g.fresh) < before {
		return fault.Wrap(fault.CodeConflict, "Others made the same assets at the same time. Try again.", errRaced)
	}
	return nil
}

// action is the audit event's, for example `dbt.ingest`.
func (g *ingestion) action() string {
	tool, _, _ := strings.Cut(g.in.Producer, ":")
	return tool + ".ingest"
}
