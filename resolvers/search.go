package resolvers

import (
	"fmt"

	"github.com/strata-gateway/strata/connection"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
)

// validPhrase bounds what is searched for. Errors: BAD_USER_INPUT.
func validPhrase(text string) error {
	if err := named("text", text, maxName); err != nil {
		return err
	}
	switch words := graph.SearchWords(text); {
	case words == 0:
		return fault.BadInput("text", "text has no letter or digit to search for.")
	case words > maxSearchWords:
		return fault.BadInput("text", fmt.Sprintf("text must have at most %d words.", maxSearchWords))
	}
	return nil
}

// searchConnection gives each hit its match beside its asset.
func searchConnection(c *connection.Connection[*graph.SearchHit]) *gql.SearchConnection {
	out := &gql.SearchConnection{Edges: make([]*gql.SearchEdge, 0, len(c.Edges)), PageInfo: c.PageInfo, TotalCount: c.TotalCount}
	for _, e := range c.Edges {
		out.Edges = append(out.Edges, &gql.SearchEdge{Cursor: e.Cursor, Node: e.Node.Asset, Match: e.Node.Match})
	}
	return out
}
