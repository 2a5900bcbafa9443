// Command mutants breaks each rule of authorization and fails if no test notices. It runs in the root of
// the module and needs the servers of the tests: `make mutants`.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/strata-gateway/strata/internal/mutants"
)

func main() {
	only := flag.String("only", "", "only the mutants whose name contains this")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := run(ctx, *only)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, only string) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	all, err := mutants.Rules(root)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(append(all, mutants.Written()...), func(m mutants.Mutant) bool { return !strings.Contains(m.Name, only) })
	return mutants.Run(ctx, root, all, os.Stdout)
}
