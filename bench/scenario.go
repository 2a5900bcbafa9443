package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/strata-gateway/strata/bench/estate"
)

// scenario is everything that one run measures.
type scenario struct {
	contenders  []contender
	comparisons []comparison
	sizes       map[string]Size
	// profiled is the work during which the gateway is profiled.
	profiled contender
}

// comparison is a row of the table: one contender against another.
type comparison struct {
	work, ours, theirs, against string
	// goal is the greatest ratio that is good, 0 for none.
	goal float64
}

// The goals, as ratios of one time over the other.
const (
	lineageGoal = 3
	naiveGoal   = 1.0 / 3
	callerGoal  = 1.5
)

const (
	roundTripName = "RETURN 1"
	// roundTrips are timed together.
	roundTrips = 20
)

// checked is how many walks of a kind are compared in full before anything is measured.
const checked = 25

// prepare puts the scenario together and makes sure that all sides give the same answers.
func prepare(ctx context.Context, o Options, g *gateway, r *raw) (*scenario, error) {
	s := &scenario{sizes: map[string]Size{}}
	s.contenders = append(s.contenders, contender{name: roundTripName, do: func(ctx context.Context, _ int) error { return r.roundTrip(ctx) }, together: roundTrips})
	s.addCaller(g, o.Params.Email(estate.Member), o.Params.Workspace)
	topology := o.Params.Topology()
	for _, kind := range []estate.Kind{estate.Typical, estate.Busy, estate.Hubs} {
		if err := s.addLineage(ctx, g, r, kind, o.Params.Starts(topology, kind)); err != nil {
			return nil, err
		}
	}
	for _, who := range []string{estate.Member, estate.Admin} {
		if err := s.addPage(ctx, g, r, who, o.Params.Email(who)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// addCaller adds what every request begins with: who asks, in which teams and groups, at which versions.
func (s *scenario) addCaller(g *gateway, email, workspace string) {
	const work = "first round trip: caller and epochs"
	s.contenders = append(s.contenders, contender{name: work, together: roundTrips, do: func(ctx context.Context, _ int) error {
		_, _, err := g.store.Caller(ctx, email, workspace)
		return err
	}})
	s.comparisons = append(s.comparisons, comparison{work, work, roundTripName, "RETURN 1", callerGoal})
}

// addLineage adds the walks of depth 5 from one kind of start, a new one every round as long as there
// are any, so that nobody finds an answer ready.
func (s *scenario) addLineage(ctx context.Context, g *gateway, r *raw, kind estate.Kind, starts []string) error {
	if len(starts) < 2 {
		return fmt.Errorf("bench: the estate has %d starts of the kind %s", len(starts), kind)
	}
	compared := min(checked, len(starts)/2)
	sizes := make([]Size, 0, compared)
	for _, node := range starts[:compared] {
		size, err := sameLineage(ctx, g, r, node)
		if err != nil {
			return err
		}
		sizes = append(sizes, size)
	}
	fresh := starts[compared:]
	work := fmt.Sprintf("lineage, depth 5, cold, %s", kind)
	s.sizes[work] = median(sizes)
	ours, theirs := work+": gateway", work+": one statement"
	s.contenders = append(s.contenders,
		contender{name: ours, do: func(ctx context.Context, round int) error {
			_, err := g.lineage(ctx, fresh[round%len(fresh)])
			return err
		}},
		contender{name: theirs, do: func(ctx context.Context, round int) error {
			_, err := r.lineage(ctx, fresh[round%len(fresh)])
			return err
		}})
	goal := 0.0
	if kind != estate.Hubs {
		goal = lineageGoal
	}
	s.comparisons = append(s.comparisons,
		comparison{work, ours, theirs, "the best single statement", goal},
		comparison{work, ours, roundTripName, "RETURN 1", 0})
	if kind == estate.Typical {
		s.profiled = s.contenders[len(s.contenders)-2]
	}
	return nil
}

// addPage adds a page of the catalog as a caller. There are fewer pages than rounds: they come again.
func (s *scenario) addPage(ctx context.Context, g *gateway, r *raw, who, email string) error {
	p, size, err := findPages(ctx, g, r, who, email)
	if err != nil {
		return err
	}
	work := fmt.Sprintf("page of %d assets, %s", pageSize, who)
	s.sizes[work] = size
	ours, sets, items := work+": gateway", work+": five statements", work+": a statement for each item"
	s.contenders = append(s.contenders,
		contender{name: ours, do: func(ctx context.Context, round int) error {
			_, err := g.page(ctx, p, round)
			return err
		}},
		contender{name: sets, do: func(ctx context.Context, round int) error {
			_, start := p.at(round)
			_, err := r.pageBySets(ctx, p.caller, start)
			return err
		}},
		contender{name: items, do: func(ctx context.Context, round int) error {
			_, start := p.at(round)
			_, err := r.pageByItems(ctx, p.caller, start)
			return err
		}})
	s.comparisons = append(s.comparisons,
		comparison{work, ours, sets, "five raw statements", 0},
		comparison{work, ours, items, "a raw statement for each item", naiveGoal})
	return nil
}

// rows are the rows of the table.
func (s *scenario) rows(samples map[string][]time.Duration) []Row {
	rows := make([]Row, 0, len(s.comparisons))
	for _, c := range s.comparisons {
		ours, theirs := samples[c.ours], samples[c.theirs]
		row := Row{
			Work: c.work, Against: c.against, Ours: timesOf(ours), Theirs: timesOf(theirs), Ratio: pairedRatio(ours, theirs), Goal: c.goal,
		}
		if c.goal > 0 {
			met := row.Ratio <= c.goal
			row.Met = &met
		}
		rows = append(rows, row)
	}
	return rows
}
