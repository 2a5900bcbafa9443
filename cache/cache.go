package cache

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// Area is one kind of answer.
type Area[V any] struct {
	// Name is that of the area in keys and metrics.
	Name string
	// Size estimates how much memory an answer takes, in bytes.
	Size func(V) int
}

// Epochs reads the versions of a workspace as they are now.
type Epochs interface {
	Epochs(ctx context.Context, workspace string) (graph.Epochs, error)
}

// Config says how much is kept, and where.
type Config struct {
	// Epochs is asked before an answer is kept.
	Epochs Epochs
	// Bytes bounds what this process keeps.
	Bytes uint64
	// Redis is the address of the Redis behind this process, redis:// or rediss://; "" for none.
	Redis string
	// RedisUser and RedisPassword sign in there, unless the address does.
	RedisUser, RedisPassword string
	// Secret names and seals what goes to Redis, at least 32 bytes. All replicas share it.
	Secret []byte
	// Build tells programs apart that share a Redis: what one wrote another does not read.
	Build string
	// Metrics takes the metrics. Nil: none.
	Metrics prometheus.Registerer
	// Log gets what happens to Redis. Nil is slog.Default.
	Log *slog.Logger
}

// Cache keeps answers. A nil Cache keeps nothing and computes every time. It is safe for concurrent use.
type Cache struct {
	epochs Epochs
	local  *local
	shared *shared // nil without Redis
	// naming is the key of names.
	naming  []byte
	metrics *metrics

	mu      sync.Mutex
	flights map[string]*flight
	// waiting are the fills that have not been checked yet, by workspace; a workspace that has an entry has someone
	// who checks.
	waiting map[string][]*fill
	// closed is set when nothing is to be checked any more; checking counts who checks.
	closed   bool
	checking sync.WaitGroup
}

// minSecret is the least length of a secret in bytes.
const minSecret = 32

// New makes a cache that keeps nothing yet. It does not wait for Redis: that may come and go. Errors: a malformed
// address of Redis, a secret that is too short.
func New(c Config) (*Cache, error) {
	if c.Log == nil {
		c.Log = slog.Default()
	}
	m, err := newMetrics(c.Metrics)
	if err != nil {
		return nil, err
	}
	secret := c.Secret
	if len(secret) == 0 && c.Redis == "" {
		secret = make([]byte, minSecret)
		_, _ = rand.Read(secret) // never fails
	}
	if len(secret) < minSecret {
		return nil, errors.New("cache: the secret is shorter than 32 bytes")
	}
	local, err := newLocal(c.Bytes, c.Metrics)
	if err != nil {
		return nil, err
	}
	naming, err := derive(secret, "strata cache: names")
	if err != nil {
		return nil, err
	}
	kept := &Cache{epochs: c.Epochs, local: local, naming: naming, metrics: m, flights: map[string]*flight{}, waiting: map[string][]*fill{}}
	if c.Redis != "" {
		if kept.shared, err = newShared(c, m); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

// Close waits for what the cache does in the background, a few seconds at most, and closes its connections. It still
// answers, and keeps nothing more.
func (c *Cache) Close() error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.checking.Wait()
	if c.shared == nil {
		return nil
	}
	return c.shared.close()
}

// Answer is what was computed for a key, and whether it may be kept: what was cut by the clock may not, nor what
// stands for nothing.
type Answer[V any] struct {
	Value V
	Keep  bool
}

// Get answers a key: with what is kept of it, else with what load computes, once for all who ask meanwhile. The load
// runs in a context of its own that ends when nobody waits any more; who gives up takes nothing from the others. The
// value is shared: it must not be changed. Errors are those of load, and are not kept.
//
// SECURITY: an answer of no versions would be kept over every change, and so is not (TestNothingIsKeptWithoutVersions).
func Get[V any](ctx context.Context, c *Cache, a Area[V], k Key, load func(context.Context) (Answer[V], error)) (V, error) {
	if c == nil || !k.Epochs.Known() {
		answer, err := load(ctx)
		return answer.Value, err
	}
	id := k.digest(c.naming, a.Name)
	if v, ok := c.local.get(id); ok {
		c.metrics.asked(a.Name, outcomeHit)
		return v.(V), nil
	}
	for {
		f, own := c.join(ctx, id)
		if own {
			go c.fly(f, a.Name, k, a.flight(c, f, load))
		} else {
			c.metrics.asked(a.Name, outcomeJoined)
		}
		v, err := c.await(ctx, f)
		switch {
		case err == nil:
			return v.(V), nil
		case own || ctx.Err() != nil || fault.CodeOf(err) != fault.CodeTimeout:
			var zero V
			return zero, err
		}
		// The time of whoever asked first is over, not that of this one.
	}
}

// flight computes an answer: it finds it in Redis, or loads it.
func (a Area[V]) flight(c *Cache, f *flight, load func(context.Context) (Answer[V], error)) func(context.Context) (landed, error) {
	return func(ctx context.Context) (landed, error) {
		var kept V
		if c.shared.get(ctx, f.id, &kept) {
			c.metrics.asked(a.Name, outcomeShared)
			return landed{value: kept, size: a.Size(kept), checked: true}, nil
		}
		c.metrics.asked(a.Name, outcomeMiss)
		answer, err := load(ctx)
		if err != nil {
			return landed{}, err
		}
		return landed{value: answer.Value, size: a.Size(answer.Value), withheld: !answer.Keep}, nil
	}
}
