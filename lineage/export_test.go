package lineage

// KeptInputs are what keys of kept graphs are made of, by area.
func KeptInputs() map[string]any {
	return map[string]any{"lineage": walkInputs{}, "canvas": canvasInputs{}, "columns": columnInputs{},
		"impact": ImpactQuery{}, "ranking": RankingQuery{}}
}
