package transport

import (
	"errors"
	"io"
	"net/http"

	"github.com/99designs/gqlgen/graphql"

	"github.com/strata-gateway/strata/fault"
)

// DefaultMaxBody is the limit of a POST body in bytes, unless POST has another.
const DefaultMaxBody = 1 << 20

// POST is the transport for operations in a JSON body.
type POST struct {
	// MaxBody is the limit of the body in bytes; 0 is DefaultMaxBody.
	MaxBody int64
}

var _ graphql.Transport = POST{}

// Supports implements graphql.Transport.
func (POST) Supports(r *http.Request) bool {
	media, _ := contentType(r)
	return r.Method == http.MethodPost && r.Header.Get("Upgrade") == "" && media == mediaJSON
}

// Do implements graphql.Transport.
func (p POST) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	media, ok := negotiate(r)
	if !ok {
		writeFault(w, media, notAcceptable())
		return
	}
	if _, utf8 := contentType(r); !utf8 {
		writeFault(w, media, unsupportedContent())
		return
	}
	timing := graphql.TraceTiming{Start: graphql.Now()}
	body, refused := p.read(w, r)
	if refused != nil {
		writeFault(w, media, refused)
		return
	}
	params, refused := decodeBody(body)
	if refused != nil {
		writeFault(w, media, refused)
		return
	}
	timing.End = graphql.Now()
	params.ReadTime = timing
	execute(w, r, exec, media, params, noSubscription)
}

func (p POST) read(w http.ResponseWriter, r *http.Request) ([]byte, *fault.Error) {
	limit := p.MaxBody
	if limit == 0 {
		limit = DefaultMaxBody
	}
	if r.ContentLength > limit {
		w.Header().Set("Connection", "close") // so that the rest need not be read
		return nil, tooLarge(limit)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return nil, tooLarge(limit)
	case err != nil:
		return nil, fault.Wrap(fault.CodeBadUserInput, "The body ended early. Send it again.", err)
	}
	return body, nil
}
