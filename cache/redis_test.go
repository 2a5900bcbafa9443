package cache_test

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/cache"
	"github.com/strata-gateway/strata/internal/teststack"
)

func through(url string) func(*cache.Config) { return func(c *cache.Config) { c.Redis = url } }

// stored waits until Redis has so many answers of the world, and returns their names.
func (w *world) stored(client *redis.Client, n int) []string {
	w.t.Helper()
	var names []string
	require.Eventually(w.t, func() bool {
		var err error
		names, err = client.Keys(w.t.Context(), "strata:"+w.Workspace+":*").Result()
		return err == nil && len(names) == n
	}, patience, pollEvery)
	return names
}

func clientOf(t *testing.T, url string) *redis.Client {
	t.Helper()
	o, err := redis.ParseURL(url)
	require.NoError(t, err)
	client := redis.NewClient(o)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func TestReplicasShareWhatOneOfThemComputed(t *testing.T) {
	url := teststack.Redis(t)
	w, l := newWorld(t, through(url)), &loader{text: "the name of an asset"}
	_, err := cache.Get(t.Context(), w.cache, texts(), w.key("the name of a question"), l.load)
	require.NoError(t, err)
	client := clientOf(t, url)
	names := w.stored(client, 1)

	other, metrics := w.another(through(url))
	for range 2 {
		got, err := cache.Get(t.Context(), other, texts(), w.key("the name of a question"), l.load)
		require.NoError(t, err)
		assert.Equal(t, l.text, got)
	}
	assert.EqualValues(t, 1, l.times.Load())
	assert.Equal(t, 1, count(t, metrics, "strata_cache_requests_total", "redis"))
	assert.Equal(t, 1, count(t, metrics, "strata_cache_requests_total", "hit"), "then from its own memory")

	kept, err := client.Get(t.Context(), names[0]).Result()
	require.NoError(t, err)
	assert.NotContains(t, names[0]+kept, "name of", "what Redis holds tells nothing")
	age, err := client.TTL(t.Context(), names[0]).Result()
	require.NoError(t, err)
	assert.Positive(t, age)
}

func TestWhatAnotherWroteToRedisIsNotAnswered(t *testing.T) {
	url := teststack.Redis(t)
	w, l := newWorld(t, through(url)), &loader{text: "true"}
	client := clientOf(t, url)
	for _, q := range []string{"q", "r"} {
		_, err := cache.Get(t.Context(), w.cache, texts(), w.key(q), l.load)
		require.NoError(t, err)
	}
	names := w.stored(client, 2)
	one, err := client.Get(t.Context(), names[0]).Bytes()
	require.NoError(t, err)
	other, err := client.Get(t.Context(), names[1]).Bytes()
	require.NoError(t, err)
	flipped := bytes.Clone(one)
	flipped[len(flipped)-1] ^= 1
	for name, forged := range map[string][]byte{
		"plain": []byte(`"false"`), "nothing": nil, "changed": flipped, "of another key": other, "short": one[:20],
	} {
		require.NoError(t, client.Set(t.Context(), names[0], forged, time.Minute).Err())
		require.NoError(t, client.Set(t.Context(), names[1], forged, time.Minute).Err())
		fresh, _ := w.another(through(url))
		for _, q := range []string{"q", "r"} {
			got, err := cache.Get(t.Context(), fresh, texts(), w.key(q), (&loader{text: "true"}).load)
			require.NoError(t, err)
			assert.Equal(t, "true", got, name)
		}
		require.NoError(t, fresh.Close())
	}
	stranger, metrics := w.another(through(url), func(c *cache.Config) { c.Secret = []byte("the secret of quite another store here") })
	_, err = cache.Get(t.Context(), stranger, texts(), w.key("q"), l.load)
	require.NoError(t, err)
	assert.Zero(t, count(t, metrics, "strata_cache_requests_total", "redis"))
}

func TestWithoutRedisAnswersStayRight(t *testing.T) {
	server, err := teststack.StartRedis()
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Stop()) })
	log := &lines{}
	w := newWorld(t, through(server.URL), func(c *cache.Config) { c.Log = slog.New(slog.NewTextHandler(log, nil)) })
	ask := func(q string) time.Duration {
		l, begin := &loader{text: q}, time.Now()
		got, err := cache.Get(t.Context(), w.cache, texts(), w.key(q), l.load)
		require.NoError(t, err)
		assert.Equal(t, q, got)
		return time.Since(begin)
	}
	ask("with")
	w.settled("kept", 1)
	require.NoError(t, server.Kill())
	for _, q := range []string{"a", "b", "c", "d"} {
		ask(q)
	}
	assert.Equal(t, 1, strings.Count(log.String(), "Redis does not answer"), "said once")
	assert.Equal(t, 1, count(t, w.metrics, "strata_cache_redis_open"))
	assert.Positive(t, count(t, w.metrics, "strata_cache_redis_total", "get", "skipped"))

	require.NoError(t, server.Start()) // empty
	asked := 0
	require.Eventually(t, func() bool {
		asked++
		ask("again " + time.Duration(asked).String())
		return strings.Contains(log.String(), "Redis answers again")
	}, patience, 50*time.Millisecond)
	assert.Zero(t, count(t, w.metrics, "strata_cache_redis_open"))
}

func TestARedisThatHangsHoldsNobodyUp(t *testing.T) {
	server, err := teststack.StartRedis()
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Stop()) })
	w := newWorld(t, through(server.URL))
	resume, err := server.Hang()
	require.NoError(t, err)
	slow, fast := 0, 0
	for i := range 40 {
		k, begin := w.key(i), time.Now()
		_, err := cache.Get(t.Context(), w.cache, texts(), k, (&loader{text: "answer"}).load)
		require.NoError(t, err)
		if time.Since(begin) > 40*time.Millisecond {
			slow++
		} else {
			fast++
		}
	}
	require.NoError(t, resume())
	assert.Positive(t, count(t, w.metrics, "strata_cache_redis_total", "failed"), "it did hang")
	assert.Greater(t, fast, slow, "the circuit keeps them from waiting one after the other")
}

// lines is a log that is written and read at the same time.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
