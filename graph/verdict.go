package graph

import (
	"context"
	"time"
)

// Verdict is the health of an asset over all of its suites: the same for every viewer.
type Verdict struct {
	// WorstSeverity is nil if nothing ever finished.
	WorstSeverity   *Severity
	ChecksTotal     int
	ChecksPassed    int
	HasFailedRun    bool
	HasRunningRun   bool
	HasOpenIncident bool
	LastRunAt       *time.Time
	SuiteCount      int
	// Scorecard has one entry for each dimension that has a check.
	Scorecard []DimensionScore
}

// DimensionScore is a verdict's account of one dimension, kept as integers.
type DimensionScore struct {
	Dimension Dimension
	// Covered columns of Columns have a check; an asset-wide check covers everything (1 of 1).
	Covered, Columns int
	// Passed of Total checks of the latest runs.
	Passed, Total int
}

// Coverage is the covered share, 0 to 1.
func (d DimensionScore) Coverage() float64 {
	if d.Columns == 0 {
		return 0
	}
	return float64(d.Covered) / float64(d.Columns)
}

// Score is the passed share, 0 to 1; nil if no check of the dimension ran.
func (d DimensionScore) Score() *float64 {
	if d.Total == 0 {
		return nil
	}
	score := float64(d.Passed) / float64(d.Total)
	return &score
}

// VerdictFacts are what a verdict is computed from: the latest run of every validation config, and what
// the suites check.
type VerdictFacts struct {
	SuiteCount      int
	ColumnCount     int
	HasRunningRun   bool
	HasOpenIncident bool
	Latest          []LatestRun
	Checks          []CheckTarget
}

// LatestRun is what a verdict needs to know of the latest run of a validation config.
type LatestRun struct {
	State      RunState
	FinishedAt time.Time
	// Severity is the worst among the checks not passed, NONE if all passed.
	Severity      Severity
	Total, Passed int
	// ByDimension has passed and total for each dimension, in the order of Dimensions.
	ByDimension []int
}

// CheckTarget is what a check looks at: a column, or "" for the whole asset.
type CheckTarget struct {
	Dimension Dimension
	Column    string
}

// ComputeVerdict is the definition of the verdict (docs/visibility.md, "The verdict").
func ComputeVerdict(f VerdictFacts) Verdict {
	v := Verdict{SuiteCount: f.SuiteCount, HasRunningRun: f.HasRunningRun, HasOpenIncident: f.HasOpenIncident}
	for _, r := range f.Latest {
		v.ChecksTotal += r.Total
		v.ChecksPassed += r.Passed
		v.HasFailedRun = v.HasFailedRun || r.State == RunFailed || r.State == RunErrored
		if v.WorstSeverity == nil || r.Severity.Rank() > v.WorstSeverity.Rank() {
			worst := r.Severity
			v.WorstSeverity = &worst
		}
		if v.LastRunAt == nil || r.FinishedAt.After(*v.LastRunAt) {
			at := r.FinishedAt
			v.LastRunAt = &at
		}
	}
	for i, d := range Dimensions() {
		if score, ok := scoreDimension(f, d, i); ok {
			v.Scorecard = append(v.Scorecard, score)
		}
	}
	return v
}

// scoreDimension accounts for one dimension; false if no check has it.
func scoreDimension(f VerdictFacts, d Dimension, index int) (DimensionScore, bool) {
	columns, wholeAsset := map[string]bool{}, false
	for _, c := range f.Checks {
		if c.Dimension != d {
			continue
		}
		if c.Column == "" {
			wholeAsset = true
		} else {
			columns[c.Column] = true
		}
	}
	if !wholeAsset && len(columns) == 0 {
		return DimensionScore{}, false
	}
	score := DimensionScore{Dimension: d, Covered: len(columns), Columns: max(f.ColumnCount, len(columns))}
	if wholeAsset {
		score.Covered, score.Columns = 1, 1
	}
	for _, r := range f.Latest {
		if 2*index+1 < len(r.ByDimension) {
			score.Passed += r.ByDimension[2*index]
			score.Total += r.ByDimension[2*index+1]
		}
	}
	return score, true
}

const verdictsQuery = `
UNWIND $ids AS id
MATCH (a:Dataset:Asset {id: id}) WHERE $VISIBLE(a)
RETURN a.id, a.severityRank, a.checksTotal, a.checksPassed, a.hasFailedRun, a.hasRunningRun, a.hasOpenIncident,
  a.lastRunAt, a.suiteCount, a.scorecard`

// Verdicts returns the kept verdicts by asset id.
func (s *Store) Verdicts(ctx context.Context, audience Audience, ids []string) (map[string]*Verdict, error) {
	rows, err := s.read(ctx, audience, verdictsQuery, map[string]any{"ids": ids})
	if err != nil {
		return nil, err
	}
	out := make(map[string]*Verdict, len(rows))
	for _, r := range rows {
		v := &Verdict{
			ChecksTotal: integer(r[2]), ChecksPassed: integer(r[3]), HasFailedRun: boolean(r[4]), HasRunningRun: boolean(r[5]),
			HasOpenIncident: boolean(r[6]), LastRunAt: instant(r[7]), SuiteCount: integer(r[8]), Scorecard: readScorecard(integers(r[9])),
		}
		if rank := integerOrNil(r[1]); rank != nil {
			worst := SeverityOf(*rank)
			v.WorstSeverity = &worst
		}
		out[text(r[0])] = v
	}
	return out, nil
}

// A scorecard is kept flat: covered, columns, passed, total for each dimension; columns 0: no check.
func flatScorecard(scores []DimensionScore) []int {
	flat := make([]int, 4*len(Dimensions()))
	for i, d := range Dimensions() {
		for _, s := range scores {
			if s.Dimension == d {
				copy(flat[4*i:], []int{s.Covered, s.Columns, s.Passed, s.Total})
			}
		}
	}
	return flat
}

func readScorecard(flat []int) []DimensionScore {
	var scores []DimensionScore
	for i, d := range Dimensions() {
		if 4*i+3 < len(flat) && flat[4*i+1] > 0 {
			scores = append(scores, DimensionScore{Dimension: d, Covered: flat[4*i], Columns: flat[4*i+1], Passed: flat[4*i+2], Total: flat[4*i+3]})
		}
	}
	return scores
}
