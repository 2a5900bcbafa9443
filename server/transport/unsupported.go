package transport

import (
	"net/http"

	"github.com/99designs/gqlgen/graphql"

	"github.com/strata-gateway/strata/fault"
)

// Unsupported answers the requests that no other transport takes: 415 to a POST
// of another content type, 405 to another method. Add it last.
type Unsupported struct{}

var _ graphql.Transport = Unsupported{}

// Supports implements graphql.Transport.
func (Unsupported) Supports(*http.Request) bool { return true }

// Do implements graphql.Transport.
func (Unsupported) Do(w http.ResponseWriter, r *http.Request, _ graphql.GraphExecutor) {
	media, _ := negotiate(r)
	if r.Method == http.MethodPost {
		writeFault(w, media, unsupportedContent())
		return
	}
	w.Header().Set("Allow", "GET, POST")
	writeFault(w, media, &fault.Error{
		Code:    fault.CodeBadUserInput,
		Message: "Use POST, or GET for queries.",
		Status:  http.StatusMethodNotAllowed,
	})
}

func unsupportedContent() *fault.Error {
	return &fault.Error{
		Code:    fault.CodeBadUserInput,
		Message: "Send Content-Type: application/json, in UTF-8.",
		Status:  http.StatusUnsupportedMediaType,
	}
}
