package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

func ingestCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ingest",
		Short: "Send what other tools know to a running gateway",
		Args:  cobra.NoArgs,
	}
	cmd.AddCommand(ingestDbtCommand())
	return cmd
}

func ingestDbtCommand() *cobra.Command {
	var access access
	var files dbtFiles
	cmd := &cobra.Command{
		Use:   "dbt --manifest FILE",
		Short: "Load the artifacts of a dbt project",
		Long: "Load the artifacts of a dbt project into the catalog of a running gateway: all or nothing, and a second\n" +
			"time without effect. Without a token, on the machine of an embedded gateway, it signs in by the local\n" +
			"key under --data: as --as says, else as the gateway's first admin.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := access.client()
			if err != nil {
				return err
			}
			got, err := client.ingestDbt(cmd.Context(), files)
			if err != nil {
				return err
			}
			return got.print(cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	access.bind(flags)
	flags.StringVar(&files.manifest, "manifest", "", "manifest.json of the project")
	flags.StringVar(&files.catalog, "catalog", "", "catalog.json: columns and types")
	flags.StringVar(&files.runResults, "run-results", "", "run_results.json: outcomes of its tests")
	flags.StringVar(&files.datasource, "datasource", "", "datasource of its relations, by name, if their database does not tell")
	return cmd
}

// dbtFiles are the artifacts to send, by path, and the datasource they belong to.
type dbtFiles struct{ manifest, catalog, runResults, datasource string }

// ingested is the payload of the mutation ingestDbt.
type ingested struct {
	Project string
	Summary struct {
		AssetsCreated, AssetsChanged, AssetsUnchanged int
		EdgesCreated, EdgesUnchanged, EdgesRemoved    int
		SuitesCreated, RunsCreated                    int
		Warnings                                      []string
	}
}

// print says what the ingest did.
func (i ingested) print(w io.Writer) error {
	s := i.Summary
	_, err := fmt.Fprintf(w, "project %s\nassets  %d created, %d changed, %d unchanged\nedges   %d created, %d unchanged, %d removed\nsuites  %d created\nruns    %d created\n",
		i.Project, s.AssetsCreated, s.AssetsChanged, s.AssetsUnchanged, s.EdgesCreated, s.EdgesUnchanged, s.EdgesRemoved, s.SuitesCreated, s.RunsCreated)
	for _, warning := range s.Warnings {
		if err == nil {
			_, err = fmt.Fprintf(w, "warning %s\n", warning)
		}
	}
	return err
}
