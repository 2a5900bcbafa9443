// Package bench measures the gateway side by side with what it stands on: the same data, read straight
// through the driver. One run starts an embedded Neo4j with a large estate, serves the gateway over
// loopback HTTP, makes sure that both sides of every comparison give the same answer, and then measures
// all of them in turns, in an order drawn anew each time, so that the machine's moods fall on both sides
// alike.
// It asserts nothing about time: it prints what it saw, as ratios with both absolute figures.
// docs/benchmarks.md says what the numbers mean.
package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/strata-gateway/strata/bench/estate"
	"github.com/strata-gateway/strata/graph"
)

// Options say what to run.
type Options struct {
	// Params are those of the estate.
	Params estate.Params
	// Rounds is how often everything is measured, Warm how often it runs before that.
	Rounds, Warm int
	// Data is the folder that keeps estates for the next run.
	Data string
	// Profile is a file to write a CPU profile of the gateway to, while it does nothing but lineage; "" for none.
	Profile string
	// Log receives progress.
	Log *slog.Logger
}

// Run runs the benchmarks and prints their table.
func Run(ctx context.Context, o Options, out io.Writer) (result Result, err error) {
	if o.Rounds < 1 || o.Warm < 0 {
		return Result{}, fmt.Errorf("bench: %d rounds after %d to warm up: give at least one", o.Rounds, o.Warm)
	}
	server, report, err := openEstate(ctx, o)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, server.Stop(context.WithoutCancel(ctx))) }()
	db := graph.Config{URI: server.URI(), User: server.User(), Password: server.Password()}
	raw, err := openRaw(db, o.Params.Workspace)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, raw.close(context.WithoutCancel(ctx))) }()
	g, err := startGateway(ctx, db, o)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, g.close(context.WithoutCancel(ctx))) }()

	s, err := prepare(ctx, o, g, raw)
	if err != nil {
		return Result{}, err
	}
	o.Log.InfoContext(ctx, "both sides agree; measuring", "contenders", len(s.contenders), "rounds", o.Rounds)
	g.forget()
	host := machine()
	began := time.Now()
	samples, err := measure(ctx, s.contenders, o.Warm, o.Rounds)
	if err != nil {
		return Result{}, err
	}
	result = Result{
		Estate: report, Rounds: o.Rounds, Took: time.Since(began), Rows: s.rows(samples), Sizes: s.sizes,
		Statements: g.mostStatements(), Machine: host, Versions: raw.versions(ctx),
	}
	result.print(out)
	if o.Profile != "" {
		return result, profile(ctx, o.Profile, s.profiled)
	}
	return result, nil
}
