// Command teststack runs a command against real servers of its own:
//
//	teststack -- go test ./graph
//
// It starts the servers, puts their addresses into the command's environment,
// forwards signals, and ends with the command's exit code and nothing left behind.
// `make setup` must have run before.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/strata-gateway/strata/internal/teststack"
)

const (
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	command := os.Args[1:]
	if len(command) > 0 && command[0] == "--" {
		command = command[1:]
	}
	if len(command) == 0 {
		fmt.Fprintln(os.Stderr, "usage: teststack -- COMMAND [ARGUMENT...]")
		os.Exit(exitUsage)
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	code, err := teststack.Run(context.Background(), log, command)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, exitFailed)
	}
	os.Exit(code)
}
