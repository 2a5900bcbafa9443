package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

func importCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Bring what an older system granted into a running gateway",
		Args:  cobra.NoArgs,
	}
	cmd.AddCommand(importSharesCommand())
	return cmd
}

func importSharesCommand() *cobra.Command {
	var access access
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "shares FILE",
		Short: "Grant the shares that a file lists",
		Long: "Grant the shares that a file lists, one JSON object a line:\n\n" +
			`  {"suite": "orders", "asset": "shop.marts.fct_orders", "user": "a@b.example", "permission": "edit"}` + "\n\n" +
			"A suite is named by its id, or by its name and its asset's. The permission is view, edit, admin or owner:\n" +
			"admin becomes EDIT, since nobody is granted ADMIN; owner needs no share. A VIEWER of the workspace gets\n" +
			"VIEW. Each line is reported; one that cannot be granted leaves the others alone, and the exit status 1.\n" +
			"It needs ADMIN on the suites, so best a workspace admin. A second time it changes nothing.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := access.client()
			if err != nil {
				return err
			}
			return importShares(cmd, client, args[0], dryRun)
		},
	}
	access.bind(cmd.Flags())
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what would be granted, and grant nothing")
	return cmd
}

var errNotAllGranted = errors.New("some of the shares were not granted: see above")

func importShares(cmd *cobra.Command, c *client, path string, dryRun bool) error {
	var in io.Reader = cmd.InOrStdin()
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", path, errors.Unwrap(err))
		}
		defer f.Close()
		in = f
	}
	shares, err := readShares(in)
	if err != nil {
		return err
	}
	members, err := c.members(cmd.Context())
	if err != nil {
		return err
	}
	refused := 0
	for _, s := range shares {
		outcome, err := c.importShare(cmd.Context(), s, members, dryRun)
		if err != nil {
			refused++
			outcome = "REFUSED " + err.Error()
		}
		if _, err := fmt.Fprintf(cmd.OutOrStdout(), "line %d  %s on %s: %s\n", s.line, s.User, s.Suite, outcome); err != nil {
			return err
		}
	}
	if refused > 0 {
		return errNotAllGranted
	}
	return nil
}
