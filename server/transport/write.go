package transport

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/strata-gateway/strata/fault"
)

// WriteFault answers r with err alone, in the form of a GraphQL response and
// with the error's own status: for requests that never become an operation, such
// as one without a good token. Causes are not written and not logged.
func WriteFault(w http.ResponseWriter, r *http.Request, err error) {
	media, _ := negotiate(r)
	writeFault(w, media, fault.From(err))
}

// writeFault answers a request that is not well-formed.
func writeFault(w http.ResponseWriter, media string, f *fault.Error) {
	write(w, media, f.Public().HTTPStatus, failed(f))
}

// answerFault answers a well-formed request that fails as a whole. A status that
// is the fault's own is kept, whatever the media type.
func answerFault(w http.ResponseWriter, media string, f *fault.Error) {
	if f.Status != 0 {
		writeFault(w, media, f)
		return
	}
	writeResponse(w, media, failed(f))
}

func failed(f *fault.Error) *graphql.Response {
	public := f.Public()
	return &graphql.Response{Errors: gqlerror.List{
		{Message: public.Message, Extensions: public.Extensions()},
	}}
}

// writeResponse answers a well-formed request.
func writeResponse(w http.ResponseWriter, media string, resp *graphql.Response) {
	write(w, media, status(media, resp), resp)
}

// status is 200, unless there is no data entry and the media type lets the
// status speak: then it is the first error's. A null data entry is an answer.
func status(media string, resp *graphql.Response) int {
	if media == mediaJSON || resp.Data != nil {
		return http.StatusOK
	}
	for _, err := range resp.Errors {
		if s, ok := err.Extensions["httpStatus"].(int); ok {
			return s
		}
	}
	return http.StatusInternalServerError
}

// write writes the data as they are, between what json makes of the rest.
func write(w http.ResponseWriter, media string, status int, resp *graphql.Response) {
	head, tail := envelope(resp)
	h := w.Header()
	h.Set("Content-Type", media+"; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(head)+len(resp.Data)+len(tail)))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	for _, part := range [][]byte{head, resp.Data, tail} {
		if _, err := w.Write(part); err != nil {
			return // the client is gone
		}
	}
}

// envelope is what stands before and after the data, in the order of
// graphql.Response: errors, data, extensions.
func envelope(resp *graphql.Response) (head, tail []byte) {
	separator := "{"
	if len(resp.Errors) > 0 {
		head = append(head, `{"errors":`...)
		head = append(head, mustJSON(resp.Errors)...)
		separator = ","
	}
	if resp.Data != nil {
		head = append(head, separator+`"data":`...)
		separator = ","
	}
	if len(resp.Extensions) > 0 {
		tail = append(tail, separator+`"extensions":`...)
		tail = append(tail, mustJSON(resp.Extensions)...)
		separator = ","
	}
	if separator == "{" {
		tail = append(tail, '{')
	}
	return head, append(tail, '}')
}

// mustJSON panics as gqlgen's transports do, and before anything is written, so
// that the handler answers with an internal error and logs why.
func mustJSON(v any) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Errorf("marshal the response: %w", err))
	}
	return out
}
