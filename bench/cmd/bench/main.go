// Command bench measures the gateway on a large estate, side by side with the bare driver:
//
//	go run ./bench/cmd/bench -size full -json result.json
//
// It needs what `make setup` fetches. docs/benchmarks.md explains the table.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/strata-gateway/strata/bench"
	"github.com/strata-gateway/strata/bench/estate"
)

const workspace = "bench"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	size := flags.String("size", "small", "small (10,000 assets) or full (100,000)")
	rounds := flags.Int("rounds", 150, "how often everything is measured")
	warm := flags.Int("warm", 60, "how often it runs before that")
	data := flags.String("data", ".strata/bench", "the folder that keeps estates for the next run")
	out := flags.String("json", "", "a file to write the result to, as JSON")
	profile := flags.String("profile", "", "a file to write a CPU profile of lineage requests to")
	if err := flags.Parse(args); err != nil {
		return err
	}
	params, ok := map[string]estate.Params{"small": estate.Small(workspace), "full": estate.Full(workspace)}[*size]
	if !ok {
		return fmt.Errorf("bench: -size %s: give small or full", *size)
	}
	result, err := bench.Run(ctx, bench.Options{
		Params: params, Rounds: *rounds, Warm: *warm, Data: *data, Profile: *profile, Log: slog.New(slog.NewTextHandler(os.Stderr, nil)),
	}, os.Stdout)
	if err != nil || *out == "" {
		return err
	}
	content, err := json.MarshalIndent(result, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(*out, append(content, '\n'), 0o644)
}
