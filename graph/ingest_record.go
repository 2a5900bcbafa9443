package graph

// recordIngest leaves one audit event of an ingest that changed something, and one of each suite that it
// made or changed, which its history would not show otherwise.
func (g *ingestion) recordIngest(summary IngestSummary) {
	renamed := g.in.Datasource != "" && (g.kept == nil || g.kept.ID != g.in.Datasource)
	if len(g.touched) == 0 && len(g.suites) == 0 && !renamed {
		return
	}
	after := summary.changes()
	if renamed {
		after["datasource"] = g.in.Datasource
	}
	g.record(Event{Action: g.action(), Resource: g.in.Project, AdminOverride: g.right.AdminOverride, After: after})
	for _, p := range g.suites {
		g.record(p.event(g.in, g.right))
	}
}

// event is what is recorded of the suite.
func (p suitePlan) event(in Ingest, right Right) Event {
	e := Event{
		Action: "suite.ingest", Resource: p.facts.ID, AdminOverride: right.AdminOverride,
		After: map[string]any{"project": in.Project, "checksPut": len(p.put), "checksRemoved": len(p.remove), "runs": len(p.reports)},
	}
	if p.isNew {
		e.Action = "suite.create"
		e.After["asset"], e.After["name"] = p.asset, in.SuiteName
	}
	return e
}
