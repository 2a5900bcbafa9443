package bench

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/bench/estate"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/teststack"
)

// TestEveryComparisonIsOfTheSameWork runs all contenders once, on an estate that is just large enough for
// a full page. Preparing compares their answers.
func TestEveryComparisonIsOfTheSameWork(t *testing.T) {
	var b [6]byte
	_, _ = rand.Read(b[:])
	o := Options{
		Params: estate.Params{Workspace: "t-" + hex.EncodeToString(b[:]), Seed: 1, Assets: 1_600},
		Data:   t.TempDir(), Log: slog.New(slog.DiscardHandler),
	}
	uri, user, password := teststack.Neo4j(t)
	db := graph.Config{URI: uri, User: user, Password: password, Log: o.Log}
	report, err := estate.Load(t.Context(), db, o.Params)
	require.NoError(t, err)
	r, err := openRaw(db, o.Params.Workspace)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, r.close(context.WithoutCancel(t.Context()))) })
	g, err := startGateway(t.Context(), db, o)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, g.close(context.WithoutCancel(t.Context()))) })

	s, err := prepare(t.Context(), o, g, r)
	require.NoError(t, err)
	g.forget()
	samples, err := measure(t.Context(), s.contenders, 0, 1)
	require.NoError(t, err)
	assert.Len(t, samples, len(s.contenders))

	result := Result{Estate: report, Rounds: 1, Rows: s.rows(samples), Sizes: s.sizes, Statements: g.mostStatements(), Machine: machine()}
	assert.Equal(t, map[string]bool{"Lineage": true, "PageOf_admin": true, "PageOf_member": true}, keys(result.Statements))
	for operation, statements := range result.Statements {
		assert.LessOrEqual(t, statements, 6, operation)
	}
	var table strings.Builder
	result.print(&table)
	for _, c := range s.comparisons {
		assert.Contains(t, table.String(), c.work)
		assert.Contains(t, table.String(), c.against)
	}
}

func keys(m map[string]int) map[string]bool {
	out := map[string]bool{}
	for k := range m {
		out[k] = true
	}
	return out
}

func TestMeasureDrawsTheOrderAndDropsWarmUp(t *testing.T) {
	const warm, rounds = 1, 40
	var order []string
	do := func(name string) contender {
		return contender{name: name, do: func(_ context.Context, round int) error {
			order = append(order, name+strconv.Itoa(round))
			return nil
		}}
	}
	samples, err := measure(t.Context(), []contender{do("a"), do("b"), do("c")}, warm, rounds)
	require.NoError(t, err)
	before := map[string]bool{}
	for round := range warm + rounds {
		n := strconv.Itoa(round)
		these := order[3*round : 3*round+3]
		assert.ElementsMatch(t, []string{"a" + n, "b" + n, "c" + n}, these, "each once in every round")
		before[these[0][:1]+these[1][:1]] = true
		before[these[1][:1]+these[2][:1]] = true
	}
	assert.Len(t, before, 6, "each comes behind each other one at times: %v", before)
	for _, name := range []string{"a", "b", "c"} {
		assert.Len(t, samples[name], rounds)
	}
}

func TestMeasureStopsAtAnError(t *testing.T) {
	broken := errors.New("broken")
	_, err := measure(t.Context(), []contender{{name: "a", do: func(context.Context, int) error { return broken }}}, 0, 3)
	require.ErrorIs(t, err, broken)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = measure(ctx, []contender{{name: "a", do: func(context.Context, int) error { return nil }}}, 0, 3)
	require.ErrorIs(t, err, context.Canceled)
}

func TestQuantilesAndRatios(t *testing.T) {
	ms := func(all ...int) []time.Duration {
		out := make([]time.Duration, len(all))
		for i, n := range all {
			out[i] = time.Duration(n) * time.Millisecond
		}
		return out
	}
	samples := ms(5, 1, 4, 2, 3)
	assert.Equal(t, 3*time.Millisecond, quantile(samples, 0.5))
	assert.Equal(t, 5*time.Millisecond, quantile(samples, 0.95))
	assert.Equal(t, ms(5, 1, 4, 2, 3), samples, "they keep their order, by which they are paired")
	// The medians say 6 to 10: but in two rounds of three it was three times as long.
	assert.InDelta(t, 3, pairedRatio(ms(3, 6, 30), ms(1, 30, 10)), 1e-9)
}

func TestMedianOfSizes(t *testing.T) {
	assert.Equal(t, Size{Nodes: 2, Edges: 20, Bytes: 200}, median([]Size{{3, 10, 200}, {1, 30, 100}, {2, 20, 300}}))
}

func TestEstateNameTellsEstatesApart(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range []estate.Params{estate.Small("bench"), estate.Full("bench"), {Workspace: "bench", Seed: 2, Assets: 10_000}, estate.Small("other")} {
		name, err := estateName(p)
		require.NoError(t, err)
		assert.False(t, seen[name], name)
		seen[name] = true
	}
}
