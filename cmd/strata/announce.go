package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/strata-gateway/strata/demo"
)

// announce prints the one line on standard output that says the gateway is ready, and for a person, on
// standard error, how to begin.
func announce(out, errOut io.Writer, url string, o serveOptions, g *gateway) error {
	if _, err := fmt.Fprintf(out, "ready %s\n", url); err != nil {
		return fmt.Errorf("say that the gateway is ready: %w", err)
	}
	var text string
	switch {
	case g.key == nil:
		return nil
	case o.demo:
		welcome, err := demoWelcome(url, g)
		if err != nil {
			return err
		}
		text = welcome
	case g.firstAdmin != "":
		text = fmt.Sprintf("\nStrata serves %s/graphql, workspace %s.\n\n  Sign in as its first admin:  strata token --data %s --email %s\n\n",
			url, o.workspace, o.data, g.firstAdmin)
	}
	_, err := io.WriteString(errOut, text)
	return err
}

// firstQuery is worth pasting: the least healthy assets first.
const firstQuery = `{ assets(first: 5, orderBy: {field: WORST_SEVERITY, direction: DESC}) { totalCount edges { node { name verdict { worstSeverity checksPassed checksTotal } restrictedSuiteCount suites { edges { node { name } } } } } } }`

// demoWelcome is the block that a newcomer sees.
func demoWelcome(url string, g *gateway) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "\nStrata is ready with the demo estate, workspace %s.\n\n  GraphQL  %s/graphql\n\nWho you can be, and a token of each, good for %s:\n",
		demo.Workspace, url, strings.TrimSuffix(tokenLife.String(), "0m0s"))
	token := ""
	for _, c := range demo.Callers() {
		made, err := g.key.Mint(c.Email, tokenLife, time.Now())
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\n  %s  %s\n  %s\n", c.Email, c.About, made)
		if c.Email == demo.Member {
			token = made
		}
	}
	fmt.Fprintf(&b, "\nA first query, as %s:\n\n  curl -s %s/graphql \\\n    -H 'Authorization: Bearer %s' \\\n    -H 'Content-Type: application/json' \\\n    -d '{\"query\": %q}'\n\n",
		demo.Member, url, token, firstQuery)
	return b.String(), nil
}
