package graph

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// write applies the ingest; its locks are held and the rule has allowed it.
func (g *ingestion) write() (IngestSummary, error) {
	summary := IngestSummary{Warnings: slices.Concat(g.in.Warnings, g.supplanted())}
	assets, err := g.planAssets(&summary)
	if err != nil {
		return IngestSummary{}, err
	}
	if err := g.writeAssets(g.in.Producer, assets); err != nil {
		return IngestSummary{}, err
	}
	if err := g.writeExternals(g.in.Externals); err != nil {
		return IngestSummary{}, err
	}
	gone, err := g.describeNodes(assets)
	if err != nil {
		return IngestSummary{}, err
	}
	if err := g.applyEdges(assets, &summary); err != nil {
		return IngestSummary{}, err
	}
	if err := g.dropExternals(gone); err != nil {
		return IngestSummary{}, err
	}
	if err := g.rankExternals(g.Workspace, g.externalsBeside(gone)); err != nil {
		return IngestSummary{}, err
	}
	if err := g.applySuites(assets, &summary); err != nil {
		return IngestSummary{}, err
	}
	g.recordIngest(summary)
	summary.Warnings = boundedWarnings(summary.Warnings)
	return summary, nil
}

// supplanted warns if the project built relations before, and builds none of them any more: then it is
// likely to be another one of the same name.
func (g *ingestion) supplanted() []string {
	before := 0
	for _, builds := range g.described {
		if builds {
			before++
		}
	}
	for _, a := range g.in.Assets {
		if a.Builds && g.described[g.ids[a.Key]] {
			return nil
		}
	}
	if before == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the project %s built %d relations of this datasource before, and builds none of them any more: its connections and checks there were removed. If this is another project, give it another name in its dbt_project.yml, and ingest both again", g.in.Project, before)}
}

// planAssets works out what becomes of each asset, in the order of the ingest.
func (g *ingestion) planAssets(summary *IngestSummary) ([]assetPlan, error) {
	existing := map[string]bool{}
	for key, id := range g.ids {
		if !g.fresh[key] {
			existing[id] = true
		}
	}
	stored, err := g.ingestedAssets(g.Workspace, existing)
	if err != nil {
		return nil, err
	}
	plans := make([]assetPlan, 0, len(g.in.Assets))
	for _, a := range g.in.Assets {
		id := g.ids[a.Key]
		if g.fresh[a.Key] {
			plans = append(plans, planNewAsset(id, g.Workspace, a, g.store.nowMillis()))
			summary.AssetsCreated++
			continue
		}
		before := stored[id]
		if a.Builds && !before.yieldsTo(g.in.Producer, a.Builds) {
			summary.Warnings = append(summary.Warnings, fmt.Sprintf("%s is built by the project %s too, which stated it first: its description, tags and columns were left as they are", a.Name, projectOf(before.describedBy)))
		}
		p := planAsset(before, a, g.in.Producer)
		if p.changed {
			summary.AssetsChanged++
		} else {
			summary.AssetsUnchanged++
		}
		plans = append(plans, p)
	}
	return plans, nil
}

// describeNodes notes what the project describes, and returns the ids of the external nodes that it does
// not name any more.
func (g *ingestion) describeNodes(assets []assetPlan) (map[string]bool, error) {
	named, builds := map[string]bool{}, map[string]bool{}
	for i, p := range assets {
		named[p.id] = true
		if p.describes && !p.isNew {
			builds[p.id] = g.in.Assets[i].Builds
		}
	}
	for _, x := range g.in.Externals {
		id := ExternalID(x.System, x.Model)
		named[id] = true
		if _, described := g.described[id]; !described {
			builds[id] = false
		}
	}
	gone, externals := map[string]bool{}, map[string]bool{}
	for id := range g.described {
		if !named[id] {
			gone[id] = true
			if KindOf(id) == KindExternal {
				externals[id] = true
			}
		}
	}
	return externals, g.describe(g.in.Producer, builds, gone)
}

// externalsBeside are the external nodes whose edges an ingest may have changed: those that it names, and
// those that it does not name any more.
func (g *ingestion) externalsBeside(gone map[string]bool) map[string]bool {
	all := maps.Clone(gone)
	for _, x := range g.in.Externals {
		all[ExternalID(x.System, x.Model)] = true
	}
	return all
}

func (g *ingestion) applyEdges(assets []assetPlan, summary *IngestSummary) error {
	ends := make(map[string]edgeEnd, len(assets)+len(g.in.Externals))
	granted := map[string]bool{}
	for i, a := range g.in.Assets {
		ends[a.Key] = edgeEnd{id: assets[i].id, datasource: a.Datasource, hidden: assets[i].hidden}
		granted[a.Datasource] = true
	}
	for _, x := range g.in.Externals {
		ends[x.Key] = edgeEnd{id: ExternalID(x.System, x.Model)}
	}
	stated := make([]plannedEdge, 0, len(g.in.Edges))
	for _, e := range g.in.Edges {
		source, target := ends[e.Source], ends[e.Target]
		stated = append(stated, plannedEdge{id: EdgeID(source.id, target.id, g.in.Category), source: source, target: target})
	}
	asserted, err := g.assertedEdges(g.Workspace, g.in.Producer)
	if err != nil {
		return err
	}
	plan, err := planEdges(stated, asserted, g.mayEdit(granted))
	if err != nil {
		return err
	}
	summary.EdgesCreated, summary.EdgesUnchanged, summary.EdgesRemoved = len(plan.create)+len(plan.restore), plan.unchanged, len(plan.remove)
	if plan.kept > 0 {
		summary.Warnings = append(summary.Warnings, fmt.Sprintf("%d connections that the project does not state any more were kept: you need EDITOR on the datasources at both of their ends to remove them", plan.kept))
	}
	return g.writeEdges(producer{name: g.in.Producer, category: g.in.Category}, plan)
}

// applySuites writes the suites and runs, and keeps the verdicts of the assets that they, or the number
// of columns, may have changed.
func (g *ingestion) applySuites(assets []assetPlan, summary *IngestSummary) error {
	runs, err := g.writeSuites(g.in, g.suites)
	if err != nil {
		return err
	}
	summary.RunsCreated = runs
	affected := map[string]bool{}
	for _, p := range g.suites {
		affected[p.asset] = true
		if p.isNew {
			summary.SuitesCreated++
		}
	}
	for _, p := range assets {
		if _, ok := p.props["columnCount"]; ok && !p.isNew {
			affected[p.id] = true
		}
	}
	if len(affected) == 0 {
		return nil
	}
	return g.keepVerdicts(g.Workspace, slices.Sorted(maps.Keys(affected)))
}

// projectOf is a producer without its home, as messages name it.
func projectOf(producer string) string {
	name, _, _ := strings.Cut(producer, homeSeparator)
	return name
}

// boundedWarnings cuts a long list and says so.
func boundedWarnings(all []string) []string {
	if len(all) <= maxWarnings {
		return all
	}
	rest := len(all) - maxWarnings + 1
	return append(all[:maxWarnings-1:maxWarnings-1], fmt.Sprintf("and %d more", rest))
}
