package main

import (
	"cmp"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is that of the release, set by the linker (-X main.version=…); "" in a build without one.
var version string

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of this binary",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "strata "+describeVersion())
			return err
		},
	}
}

func describeVersion() string {
	info, ok := debug.ReadBuildInfo()
	return versionOf(version, info, ok)
}

// versionOf is the release, or without one what the build knows of itself, and Go's version.
func versionOf(release string, info *debug.BuildInfo, ok bool) string {
	if !ok {
		return cmp.Or(release, "unknown")
	}
	if release == "" {
		release = info.Main.Version
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				release += " " + s.Value
			}
		}
	}
	return release + " " + info.GoVersion
}
