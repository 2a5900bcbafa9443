package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// variable is the name of the environment variable of a flag: STRATA_OIDC_ISSUER of oidc-issuer.
func variable(flag string) string {
	return "STRATA_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// fromEnvironment gives each flag that the command line left out what the environment says. An error names
// the variable that is malformed.
func fromEnvironment(flags *pflag.FlagSet, lookup func(string) (string, bool)) error {
	var failed []error
	flags.VisitAll(func(f *pflag.Flag) {
		value, given := lookup(variable(f.Name))
		if f.Changed || !given || f.Name == "help" {
			return
		}
		if err := flags.Set(f.Name, value); err != nil {
			failed = append(failed, fmt.Errorf("the environment variable %s is malformed: %w", variable(f.Name), err))
		}
	})
	return errors.Join(failed...)
}
