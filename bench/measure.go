package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// contender is one way to do some work.
type contender struct {
	name string
	// do does the work of a round: all contenders that are compared do the same in the same round.
	do func(ctx context.Context, round int) error
	// together is how many are timed as one sample, 0 for one: what takes less than a millisecond alone
	// measures the garbage of the one before it.
	together int
}

// time is how long one takes.
func (c contender) time(ctx context.Context, round int) (time.Duration, error) {
	n := max(1, c.together)
	began := time.Now()
	for range n {
		if err := c.do(ctx, round); err != nil {
			return 0, fmt.Errorf("bench: %s: %w", c.name, err)
		}
	}
	return time.Since(began) / time.Duration(n), nil
}

// orderSeed is where the order of the contenders starts.
const orderSeed = 1

// measure runs all contenders in every round, each once, and returns how long each took, by name and
// round. The first rounds, warm of them, are not counted. The order is drawn anew in every round, always
// alike: one that only rotates leaves each contender behind the same one, whose garbage it then has to
// clear away.
func measure(ctx context.Context, contenders []contender, warm, rounds int) (map[string][]time.Duration, error) {
	samples := make(map[string][]time.Duration, len(contenders))
	random := rand.New(rand.NewPCG(orderSeed, 0))
	for round := range warm + rounds {
		for _, i := range random.Perm(len(contenders)) {
			c := contenders[i]
			took, err := c.time(ctx, round)
			if err != nil {
				return nil, err
			}
			if round >= warm {
				samples[c.name] = append(samples[c.name], took)
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return samples, nil
}

// quantile is the value that the share q of the samples does not exceed. There must be a sample.
func quantile(samples []time.Duration, q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(samples))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// pairedRatio is the median over the rounds of one time over the other of the same round. What disturbs a
// round disturbs both.
func pairedRatio(ours, theirs []time.Duration) float64 {
	ratios := make([]float64, len(ours))
	for i := range ours {
		ratios[i] = float64(ours[i]) / float64(theirs[i])
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2]
}
