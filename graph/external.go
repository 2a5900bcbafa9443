package graph

import (
	"context"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/strata-gateway/strata/fault"
)

// External is something outside the catalog: a report, a job's file, another team's table. It belongs to
// the workspace in which it was first named.
type External struct {
	// ID is `ext:<system>:<model>`, see ExternalID; two workspaces may each have one of the same id.
	ID        string
	Workspace string
	System    string
	Model     string
	// URL is a link to show; it is never fetched.
	URL *string
}

// IsNode marks an External as an object with a global id.
func (*External) IsNode() {}

const externalsQuery = `
UNWIND $ids AS id
MATCH (x:Dataset:External {id: id}) WHERE $VISIBLE(x)
RETURN x.id, x.workspace, x.system, x.model, x.url`

// Externals returns those of the ids that exist in the audience, by id.
func (s *Store) Externals(ctx context.Context, audience Audience, ids []string) (map[string]*External, error) {
	rows, err := s.read(ctx, audience, externalsQuery, map[string]any{"ids": ids})
	if err != nil {
		return nil, err
	}
	out := make(map[string]*External, len(rows))
	for _, r := range rows {
		x := &External{ID: text(r[0]), Workspace: text(r[1]), System: text(r[2]), Model: text(r[3]), URL: textOrNil(r[4])}
		out[x.ID] = x
	}
	return out, nil
}

// NewExternal names something outside the catalog.
type NewExternal struct {
	System, Model string
	URL           *string
}

// WithoutCredentials is the name of a system without what may let in: of a URL the user, the password and the
// query are left out. Such names are ids, told to everyone.
//
// SECURITY: TestNoCredentialsAreKeptInNames.
func WithoutCredentials(system string) string {
	scheme, rest, isURL := strings.Cut(system, "://")
	if !isURL {
		return system
	}
	rest, _, _ = strings.Cut(rest, "?")
	authority, path, hasPath := strings.Cut(rest, "/")
	if at := strings.LastIndex(authority, "@"); at >= 0 {
		authority = authority[at+1:]
	}
	if hasPath {
		authority += "/" + path
	}
	return scheme + "://" + authority
}

// The bounds of an external node's names, in characters.
const (
	maxSystem = 200
	maxModel  = 1000
)

// check refuses names and links out of bounds.
func (x *NewExternal) check() error {
	if n := utf8.RuneCountInString(x.System); n < 1 || n > maxSystem {
		return fault.BadInput("input.external.system", "Name the system in 1 to 200 characters.")
	}
	if n := utf8.RuneCountInString(x.Model); n < 1 || n > maxModel {
		return fault.BadInput("input.external.model", "Name the model in 1 to 1000 characters.")
	}
	if x.URL == nil {
		return nil
	}
	link, err := url.Parse(*x.URL)
	if err != nil || link.Host == "" || link.User != nil || (link.Scheme != "http" && link.Scheme != "https") {
		return fault.BadInput("input.external.url", "Give an http or https link without a password in it, or none.")
	}
	return nil
}
