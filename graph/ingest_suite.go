package graph

import (
	"maps"
	"slices"
	"strings"
)

// ingestedSuitesQuery reads the suites that the project keeps, whatever they are called by now. Checks
// without a key were added by people, and are not the project's to take away.
const ingestedSuitesQuery = `
MATCH (:Workspace {id: $workspace})-[:HAS_PROJECT]->(:Project {producer: $producer})-[:KEEPS]->(s:Suite)
MATCH (a:Dataset:Asset {id: s.asset, workspace: $workspace})
USING INDEX SEEK a:Dataset(id, workspace)
WHERE $VISIBLE(a)
RETURN s.id, s.owner, $HELD(s), a.id,
  [(s)-[:HAS_CHECK]->(c:Check) WHERE c.key IS NOT NULL | [c.id, c.name, c.expectation, c.column, c.severity, c.dimension, c.config]]`

// storedSuite is a suite as the store has it.
type storedSuite struct {
	SuiteFacts
	asset  string
	checks map[string]storedCheck
}

// storedCheck is a check as the store has it; config is JSON text.
type storedCheck struct {
	name, expectation   string
	column              *string
	severity, dimension string
	config              string
}

func (e entered) ingestedSuites(producer string) (map[string]storedSuite, error) {
	rows, err := e.runScoped(ingestedSuitesQuery, map[string]any{"workspace": e.Workspace, "producer": producer})
	if err != nil {
		return nil, err
	}
	out := make(map[string]storedSuite, len(rows))
	for _, r := range rows {
		s := storedSuite{
			SuiteFacts: SuiteFacts{ID: text(r[0]), Owner: text(r[1]), Share: highestShare(r[2])},
			asset:      text(r[3]), checks: map[string]storedCheck{},
		}
		for _, x := range list(r[4]) {
			c := list(x)
			s.checks[text(c[0])] = storedCheck{
				name: text(c[1]), expectation: text(c[2]), column: textOrNil(c[3]), severity: text(c[4]), dimension: text(c[5]), config: text(c[6]),
			}
		}
		out[s.ID] = s
	}
	return out, nil
}

// plannedCheck is a check to make or change.
type plannedCheck struct {
	id, key string
	storedCheck
}

// suitePlan is what an ingest makes of one suite.
type suitePlan struct {
	// facts are what the suite says of the caller's rights; of a new one, its id alone.
	facts   SuiteFacts
	asset   string
	isNew   bool
	put     []plannedCheck
	remove  []string
	reports []Report
}

func (p suitePlan) changes() bool {
	return p.isNew || len(p.put) > 0 || len(p.remove) > 0 || len(p.reports) > 0
}

// planSuites compares the suites that are stated with those that the project keeps, and returns those
// that change. ids are the assets' by key; known are the runs that the store has.
func planSuites(in Ingest, ids map[string]string, stored map[string]storedSuite, known map[string]knownRun) ([]suitePlan, error) {
	observed := map[string]bool{}
	for _, a := range in.Assets {
		observed[a.Key] = a.Observed
	}
	var plans []suitePlan
	stated := map[string]bool{}
	for _, s := range in.Suites {
		id := suiteID(ids[s.Asset], in.Producer)
		stated[id] = true
		before, exists := stored[id]
		p := suitePlan{facts: before.SuiteFacts, asset: ids[s.Asset], isNew: !exists}
		p.facts.ID = id
		if err := p.planChecks(s, before, observed[s.Asset]); err != nil {
			return nil, err
		}
		p.planRuns(s, known)
		if p.changes() {
			plans = append(plans, p)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(stored)) {
		if gone := slices.Sorted(maps.Keys(stored[id].checks)); !stated[id] && len(gone) > 0 {
			plans = append(plans, suitePlan{facts: stored[id].SuiteFacts, asset: stored[id].asset, remove: gone})
		}
	}
	return plans, nil
}

func (p *suitePlan) planChecks(s IngestSuite, before storedSuite, observed bool) error {
	stated := map[string]bool{}
	for _, c := range s.Checks {
		config, err := encoded(c.Config)
		if err != nil {
			return err
		}
		id := checkID(p.facts.ID, c.Key)
		stated[id] = true
		now := storedCheck{
			name: c.Name, expectation: c.Expectation, column: c.Column, severity: string(c.Severity), dimension: string(c.Dimension), config: text(config),
		}
		was, exists := before.checks[id]
		if !observed && was.column != nil && now.column != nil && strings.EqualFold(*was.column, *now.column) {
			now.column = was.column // the source's own spelling, which documentation alone does not know
		}
		if !exists || !was.equals(now) {
			p.put = append(p.put, plannedCheck{id: id, key: c.Key, storedCheck: now})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(before.checks)) {
		if !stated[id] {
			p.remove = append(p.remove, id)
		}
	}
	return nil
}

func (c storedCheck) equals(o storedCheck) bool {
	return c.name == o.name && c.expectation == o.expectation && equalText(c.column, o.column) && c.severity == o.severity &&
		c.dimension == o.dimension && c.config == o.config
}

// planRuns reports the runs that have not finished before: one that has stands as it was first told.
func (p *suitePlan) planRuns(s IngestSuite, known map[string]knownRun) {
	for _, r := range s.Runs {
		if known[RunGlobalID(p.facts.ID, r.RunID)].state.isFinal() {
			continue
		}
		report := Report{RunID: r.RunID, Suite: p.facts.ID, State: r.State, StartedAt: r.StartedAt, FinishedAt: r.FinishedAt}
		for _, x := range r.Results {
			x.CheckID = checkID(p.facts.ID, x.CheckID)
			report.Results = append(report.Results, x)
		}
		p.reports = append(p.reports, report)
	}
}

// suiteID is the id of the suite that a producer keeps on an asset. It can be computed by who knows
// both, and tells them nothing: a suite that the caller may not view is answered as a nonexistent one.
func suiteID(asset, producer string) string { return DerivedID(KindSuite, asset, producer) }

// checkID is the id of a check of such a suite: a test that comes back is the same check again.
func checkID(suite, key string) string { return DerivedID(KindCheck, suite, key) }
