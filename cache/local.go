package cache

import (
	"math"
	"time"

	"github.com/maypok86/otter/v2"
	"github.com/prometheus/client_golang/prometheus"
)

// idle is how long an answer is kept that nobody asks for: versions move on, and what was of older ones is never
// asked for again.
const idle = 10 * time.Minute

// local keeps answers in this process, bounded by what they weigh.
type local struct {
	answers *otter.Cache[string, entry]
}

type entry struct {
	value any
	size  uint32
}

// entryOverhead is what an entry takes beside its value, in bytes.
const entryOverhead = 200

func newLocal(bytes uint64, metrics prometheus.Registerer) (*local, error) {
	answers, err := otter.New(&otter.Options[string, entry]{
		MaximumWeight:    bytes,
		Weigher:          func(_ string, e entry) uint32 { return e.size },
		ExpiryCalculator: otter.ExpiryAccessing[string, entry](idle),
	})
	if err != nil {
		return nil, err
	}
	if metrics != nil {
		err = metrics.Register(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "strata_cache_bytes", Help: "Estimated memory of the answers that this process keeps, in bytes.",
		}, func() float64 { return float64(answers.WeightedSize()) }))
	}
	return &local{answers: answers}, err
}

func (l *local) get(id string) (any, bool) {
	e, ok := l.answers.GetIfPresent(id)
	return e.value, ok
}

func (l *local) put(id string, value any, size int) {
	l.answers.Set(id, entry{value: value, size: uint32(min(size+entryOverhead, math.MaxUint32))})
}
