package transport

import (
	"net/http"
	"net/url"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/strata-gateway/strata/fault"
)

// GET is the transport for queries in the URL.
type GET struct{}

var _ graphql.Transport = GET{}

// Supports implements graphql.Transport.
func (GET) Supports(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("Upgrade") == ""
}

// Do implements graphql.Transport.
//
// SECURITY: a mutation is refused before it runs. A GET may be sent again by
// any proxy, and by a link. Held by TestGETNeverMutates.
func (GET) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	media, ok := negotiate(r)
	if !ok {
		writeFault(w, media, notAcceptable())
		return
	}
	timing := graphql.TraceTiming{Start: graphql.Now()}
	params, refused := decodeURL(r.URL)
	if refused != nil {
		writeFault(w, media, refused)
		return
	}
	timing.End = graphql.Now()
	params.ReadTime = timing
	execute(w, r, exec, media, params, func(op ast.Operation) *fault.Error {
		if op == ast.Mutation {
			w.Header().Set("Allow", http.MethodPost)
			return &fault.Error{
				Code:    fault.CodeBadUserInput,
				Message: "A mutation needs POST.",
				Status:  http.StatusMethodNotAllowed,
			}
		}
		return noSubscription(op)
	})
}

func decodeURL(u *url.URL) (*graphql.RawParams, *fault.Error) {
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, fault.Wrap(fault.CodeBadUserInput, "The URL's query string is malformed. Percent-encode it.", err)
	}
	params := &graphql.RawParams{
		Query:         values.Get("query"),
		OperationName: values.Get("operationName"),
	}
	for name, into := range map[string]*map[string]any{
		"variables":  &params.Variables,
		"extensions": &params.Extensions,
	} {
		text := values.Get(name)
		if text == "" {
			continue
		}
		if err := decodeJSON([]byte(text), into); err != nil {
			return nil, &fault.Error{
				Code:    fault.CodeBadUserInput,
				Message: "The parameter " + name + " must be a JSON object.",
				Field:   name,
				Cause:   err,
			}
		}
	}
	return params, requireQuery(params)
}
