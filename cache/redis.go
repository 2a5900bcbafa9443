package cache

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	// redisTime is the most that a request waits for Redis.
	redisTime = 50 * time.Millisecond
	// sharedTime is how long Redis keeps an answer.
	sharedTime = 10 * time.Minute
	// maxShared is the largest answer that goes to Redis, in bytes: a larger one would not arrive in time.
	maxShared = 4 << 20
)

// shared keeps answers in Redis, for all replicas. A nil shared keeps nothing.
type shared struct {
	client  *redis.Client
	circuit *circuit
	seal    seal
	prefix  string
	metrics *metrics
	log     *slog.Logger
}

// newShared reads the address of Redis; it does not connect yet. Errors: a malformed address.
func newShared(c Config, m *metrics) (*shared, error) {
	o, err := redis.ParseURL(c.Redis)
	if err != nil {
		return nil, fmt.Errorf("the address of Redis is malformed: %w", err)
	}
	if o.Username == "" && o.Password == "" {
		o.Username, o.Password = c.RedisUser, c.RedisPassword
	}
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = redisTime, redisTime, redisTime, redisTime
	o.MaxRetries, o.DialerRetries, o.ContextTimeoutEnabled = -1, 1, true
	s, err := newSeal(c.Secret)
	if err != nil {
		return nil, err
	}
	out := &shared{client: redis.NewClient(o), seal: s, metrics: m, log: c.Log, prefix: "strata:" + c.Build + ":"}
	out.circuit = &circuit{now: time.Now, changed: out.changed}
	return out, nil
}

// changed says once that Redis fails, and once that it is back.
func (s *shared) changed(cause error) {
	if cause != nil {
		s.metrics.open.Set(1)
		s.log.Warn("Redis does not answer: the cache does without it until it does", "error", cause)
		return
	}
	s.metrics.open.Set(0)
	s.log.Info("Redis answers again")
}

func (s *shared) close() error { return s.client.Close() }

// name is that of an answer in Redis.
func (s *shared) name(id string) string {
	return s.prefix + base64.RawURLEncoding.EncodeToString([]byte(id))
}

// get reads an answer into a value, and reports whether there was one. Whatever fails is as if there were none.
func (s *shared) get(ctx context.Context, id string, into any) bool {
	if s == nil {
		return false
	}
	var sealed []byte
	found := s.try(ctx, "get", func(ctx context.Context) (err error) {
		sealed, err = s.client.Get(ctx, s.name(id)).Bytes()
		return err
	})
	if !found {
		return false
	}
	text, err := s.seal.open(id, sealed)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		s.log.Warn("an answer from Redis was not used", "error", err)
	}
	return err == nil
}

// put keeps an answer, if it is not too large and Redis answers.
func (s *shared) put(ctx context.Context, id string, value any) {
	if s == nil {
		return
	}
	text, err := json.Marshal(value)
	if err != nil {
		s.log.Error("an answer cannot be written to Redis", "error", err)
		return
	}
	if len(text) > maxShared {
		s.metrics.redised("set", "too large")
		return
	}
	s.try(ctx, "set", func(ctx context.Context) error {
		return s.client.Set(ctx, s.name(id), s.seal.close(id, text), sharedTime).Err()
	})
}

// Recall reads what a replica retained in Redis under a name, and reports whether there was anything. Names are of the
// caller's making: what two of them stand for, and for whom, is the caller's to keep apart.
func (c *Cache) Recall(ctx context.Context, area, name string, into any) bool {
	return c.shared.get(ctx, Key{Inputs: name}.digest(c.naming, area), into)
}

// Retain keeps a value in Redis under a name for ten minutes, whatever changes meanwhile. size is about its memory in
// bytes: one that is too large stays where it is, and so does each without Redis.
func (c *Cache) Retain(ctx context.Context, area, name string, value any, size int) {
	if size <= maxShared {
		c.shared.put(ctx, Key{Inputs: name}.digest(c.naming, area), value)
	}
}

// try asks Redis, unless it is left alone, and reports whether it did what was asked.
func (s *shared) try(ctx context.Context, operation string, ask func(context.Context) error) bool {
	ok, trying := s.circuit.allows()
	if !ok {
		s.metrics.redised(operation, "skipped")
		return false
	}
	own, cancel := context.WithTimeout(ctx, redisTime)
	defer cancel()
	err := ask(own)
	absent := errors.Is(err, redis.Nil)
	switch {
	case ctx.Err() != nil: // who asked gave up: that tells nothing of Redis
	case absent:
		s.circuit.saw(nil, trying)
	default:
		s.circuit.saw(err, trying)
	}
	s.metrics.redised(operation, outcomeOf(err, absent))
	return err == nil
}

func outcomeOf(err error, absent bool) string {
	switch {
	case absent:
		return "absent"
	case err != nil:
		return "failed"
	}
	return "ok"
}
