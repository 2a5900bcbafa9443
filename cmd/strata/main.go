// Command strata is the gateway and its clients: `serve` runs it, with an embedded Neo4j unless it is
// given another; `token` signs in to an embedded one; `ingest` sends what other tools know to a running
// one, and `import` what an older system granted. Everything else is in packages; here it is wired, and failures become one line that says what to
// do. docs/operations.md has the flags.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	// A second signal ends the process at once: the embedded Neo4j ends with it, and recovers.
	context.AfterFunc(ctx, stop)
	if err := rootCommand().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "strata: "+explain(err))
		os.Exit(1)
	}
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "strata",
		Short:         "A GraphQL gateway over a graph of data assets",
		Long:          "A GraphQL gateway over a graph of data assets.\n\nEach flag can be given by the environment as well: --neo4j as STRATA_NEO4J, --oidc-issuer as\nSTRATA_OIDC_ISSUER. The command line wins.",
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			return fromEnvironment(cmd.Flags(), os.LookupEnv)
		},
	}
	root.AddCommand(serveCommand(), tokenCommand(), ingestCommand(), importCommand(), versionCommand())
	return root
}
