package transport

import (
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/strata-gateway/strata/fault"
)

// The media types of answers.
const (
	mediaJSON    = "application/json"
	mediaGraphQL = "application/graphql-response+json"
)

// negotiate picks the media type of the answer: the one with the greatest
// quality, the first of several. Anything goes means application/json, which
// every client reads; so does no Accept header. It is false, with
// application/json for the error, if the client accepts neither type.
func negotiate(r *http.Request) (string, bool) {
	accepts := r.Header.Values("Accept")
	if len(accepts) == 0 {
		return mediaJSON, true
	}
	best, bestQuality := mediaJSON, 0.0
	for part := range strings.SplitSeq(strings.Join(accepts, ","), ",") {
		media, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		switch media {
		case "*/*", "application/*":
			media = mediaJSON
		case mediaJSON, mediaGraphQL:
		default:
			continue
		}
		if q := quality(params); q > bestQuality {
			best, bestQuality = media, q
		}
	}
	return best, bestQuality > 0
}

func quality(params map[string]string) float64 {
	text, given := params["q"]
	if !given {
		return 1
	}
	q, err := strconv.ParseFloat(text, 64)
	if err != nil || q < 0 || q > 1 {
		return 0
	}
	return q
}

// notAcceptable is what a client is told that accepts neither type.
func notAcceptable() *fault.Error {
	return &fault.Error{
		Code:    fault.CodeBadUserInput,
		Message: "Accept " + mediaGraphQL + " or " + mediaJSON + ".",
		Status:  http.StatusNotAcceptable,
	}
}

// contentType returns the media type of the request's body and whether its
// charset is UTF-8, which it is if none is named.
func contentType(r *http.Request) (media string, utf8 bool) {
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return "", false
	}
	charset, named := params["charset"]
	return media, !named || strings.EqualFold(charset, "utf-8")
}
