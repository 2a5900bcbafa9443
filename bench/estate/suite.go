package estate

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/strata-gateway/strata/graph"
)

// Suite is a suite of the estate with all that belongs to it.
type Suite struct {
	ID, Name string
	// Asset is the index of the asset that it checks.
	Asset int
	// Owner is a place in the list of people.
	Owner  int
	Checks []Check
	Runs   []Run
	Shares []Share
}

// Check is a check of a suite.
type Check struct {
	ID, Name, Expectation string
	Column                string // "": the whole asset
	Severity              graph.Severity
	Dimension             graph.Dimension
}

// Share is a grant on a suite.
type Share struct {
	ID         string
	User       int // a place in the list of people
	Permission graph.SharePermission
}

const (
	// denseShare is how many percent of the suites check assets of the last layer, where people look.
	denseShare = 60
	// repeatShare is how many percent check the same asset as the suite before.
	repeatShare = 30
	// suitesPerAsset bounds that.
	suitesPerAsset = 3
	// memberShare is how many percent are shared with the caller who is a member.
	memberShare = 30

	checksMin, checksMax = 4, 12
)

// base is the time at which the estate was seen last: its own, so that it is the same whenever made.
func base() time.Time { return time.Date(2025, time.November, 1, 6, 0, 0, 0, time.UTC) }

// Suites are all suites of the estate.
func (p Params) Suites() []Suite {
	random := p.random(streamSuites)
	suites, on := make([]Suite, 0, p.Assets/assetsPerSuite), map[int]int{}
	checks, shares := 0, 0
	for n := range p.Assets / assetsPerSuite {
		asset := p.assetToCheck(suites, on, random)
		on[asset]++
		s := Suite{
			ID: p.id(graph.KindSuite, n), Asset: asset, Owner: managerAt + random.IntN(firstColleague+colleagues-managerAt),
			Name: fmt.Sprintf("%s %d", []string{"contract", "freshness", "quality"}[n%3], on[asset]),
		}
		if s.Owner >= viewerAt && s.Owner < firstColleague {
			s.Owner = firstColleague // viewers own nothing
		}
		for range checksMin + random.IntN(checksMax-checksMin+1) {
			s.Checks = append(s.Checks, p.newCheck(checks, asset, random))
			checks++
		}
		for _, user := range sharedWith(s.Owner, random) {
			permission := graph.ShareView
			if random.IntN(3) == 0 && user != viewerAt {
				permission = graph.ShareEdit
			}
			s.Shares = append(s.Shares, Share{ID: p.id(graph.KindShare, shares), User: user, Permission: permission})
			shares++
		}
		s.Runs = newRuns(s, random)
		suites = append(suites, s)
	}
	return suites
}

// assetToCheck picks the asset of the next suite.
func (p Params) assetToCheck(before []Suite, on map[int]int, random *rand.Rand) int {
	if len(before) > 0 && random.IntN(100) < repeatShare {
		if last := before[len(before)-1].Asset; on[last] < suitesPerAsset {
			return last
		}
	}
	for {
		asset := random.IntN(p.Assets)
		if random.IntN(100) < denseShare {
			asset = (layers-1)*p.width() + random.IntN(p.width())
		}
		if on[asset] == 0 {
			return asset
		}
	}
}

func (p Params) newCheck(n, asset int, random *rand.Rand) Check {
	kinds := []struct {
		expectation string
		dimension   graph.Dimension
		ofColumn    bool
	}{
		{"not_null", "COMPLETENESS", true}, {"unique", "UNIQUENESS", true}, {"accepted_values", "VALIDITY", true},
		{"matches_source", "ACCURACY", true}, {"sum_equals", "CONSISTENCY", true}, {"row_count_between", "COMPLETENESS", false},
		{"updated_within", "TIMELINESS", false},
	}
	severities := []graph.Severity{graph.SeverityInfo, graph.SeverityWarning, graph.SeverityWarning, graph.SeverityCritical}
	kind := kinds[random.IntN(len(kinds))]
	c := Check{
		ID: p.id(graph.KindCheck, n), Name: fmt.Sprintf("%s %d", kind.expectation, n), Expectation: kind.expectation,
		Dimension: kind.dimension, Severity: severities[random.IntN(len(severities))],
	}
	if kind.ofColumn {
		c.Column = columnAt(asset, random.IntN(columnsOf(asset))).Name
	}
	return c
}

// sharedWith picks who gets a share: never the owner, each once.
func sharedWith(owner int, random *rand.Rand) []int {
	var users []int
	if owner != memberAt && random.IntN(100) < memberShare {
		users = append(users, memberAt)
	}
	if random.IntN(100) < memberShare {
		users = append(users, viewerAt)
	}
	for range random.IntN(3) {
		user := firstColleague + random.IntN(colleagues)
		if user != owner && (len(users) == 0 || users[len(users)-1] < user) {
			users = append(users, user)
		}
	}
	return users
}
