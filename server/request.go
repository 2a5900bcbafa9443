package server

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/strata-gateway/strata/graph"
)

const (
	// requestIDHeader carries the id of a request, from the client if it has one, and back to it.
	requestIDHeader = "X-Request-Id"
	// maxRequestID bounds it in characters.
	maxRequestID = 64
	// maxLoggedName bounds the operation's name in the log in bytes: it is the client's text.
	maxLoggedName = 100
)

// request is what is gathered about a request while it is answered, by the one goroutine that carries it.
type request struct {
	id        string
	operation string
	session   *graph.Session
}

type requestKey struct{}

// begin gives a request its id and its session with the store.
func begin(r *http.Request) (*http.Request, *request) {
	id := r.Header.Get(requestIDHeader)
	if !validRequestID(id) {
		id = rand.Text()
	}
	ctx, session := graph.WithSession(r.Context())
	this := &request{id: id, session: session}
	return r.WithContext(context.WithValue(ctx, requestKey{}, this)), this
}

// validRequestID reports whether an id is 1 to 64 of A-Z, a-z, 0-9, dot, dash and underscore.
//
// SECURITY: anything else could forge lines of a log or of the audit trail. TestRequestID.
func validRequestID(id string) bool {
	if id == "" || len(id) > maxRequestID {
		return false
	}
	return strings.IndexFunc(id, func(r rune) bool {
		alphanumeric := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
		return !alphanumeric && r != '.' && r != '_' && r != '-'
	}) < 0
}

// RequestID is the id of the request that the context belongs to, "" if it belongs to none.
func RequestID(ctx context.Context) string {
	if this, ok := ctx.Value(requestKey{}).(*request); ok {
		return this.id
	}
	return ""
}

// nameOperation notes which operation the request turned out to be.
func nameOperation(ctx context.Context, name string) {
	this, ok := ctx.Value(requestKey{}).(*request)
	if !ok {
		return
	}
	if len(name) > maxLoggedName {
		end := maxLoggedName
		for !utf8.RuneStart(name[end]) {
			end--
		}
		name = name[:end]
	}
	this.operation = name
}
