package main

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"github.com/strata-gateway/strata/server/authn"
)

// tokenLife is how long a token is good for, unless it is asked for longer.
const tokenLife = 24 * time.Hour

func tokenCommand() *cobra.Command {
	var email, data string
	var ttl time.Duration
	cmd := &cobra.Command{
		Use:   "token --email EMAIL",
		Short: "Print a token that signs in to the embedded gateway of this machine",
		Long:  "Print a token, and nothing else. It is signed with the local key under --data, which the gateway makes\nat its first start: whoever may read that file may be anyone there.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			token, err := mint(data, email, ttl)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), token)
			return err
		},
	}
	cmd.Flags().StringVar(&email, "email", "", "whom the token speaks for")
	cmd.Flags().StringVar(&data, "data", defaultData, "data folder of the gateway")
	cmd.Flags().DurationVar(&ttl, "ttl", tokenLife, "how long it is valid")
	return cmd
}

// mint signs a token with the key of the gateway whose data folder this is.
func mint(data, email string, ttl time.Duration) (string, error) {
	if email = authn.NormalizeEmail(email); !authn.PlausibleEmail(email) {
		return "", errors.New("--email: give an e-mail address, for example --email member@demo.test")
	}
	key, err := authn.LoadLocalKey(data)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no local key in %s: start `strata serve` there first, or name its data folder by --data", data)
	}
	if err != nil {
		return "", err
	}
	return key.Mint(email, ttl, time.Now())
}
