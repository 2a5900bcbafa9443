package authn

import (
	"net/http"
	"strings"

	"github.com/strata-gateway/strata/fault"
)

// Middleware lets a request through only with a token that v accepts, and puts
// the identity into its context. What it refuses goes to onError, which writes
// the status and the body; the WWW-Authenticate header is set by then.
func Middleware(v Verifier, onError func(http.ResponseWriter, *http.Request, error)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			id, err := authenticate(v, r)
			if err != nil {
				if challenge := challengeFor(err); challenge != "" {
					w.Header().Set("WWW-Authenticate", challenge)
				}
				onError(w, r, err)
				return
			}
			next.ServeHTTP(w, r.WithContext(With(r.Context(), id)))
		})
	}
}

func authenticate(v Verifier, r *http.Request) (Identity, error) {
	token, err := BearerToken(r.Header.Values("Authorization"))
	if err != nil {
		return Identity{}, err
	}
	return v.Verify(r.Context(), token)
}

// BearerToken takes the token out of the values of an Authorization header. The
// scheme is compared without case; the token must be one word.
func BearerToken(values []string) (string, error) {
	if len(values) == 0 {
		return "", refuse(msgMissing, nil)
	}
	if len(values) > 1 {
		return "", refuse(msgRepeated, nil)
	}
	scheme, token, _ := strings.Cut(strings.TrimSpace(values[0]), " ")
	token = strings.TrimLeft(token, " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" || strings.ContainsAny(token, " \t,") {
		return "", refuse(msgMalformed, nil)
	}
	return token, nil
}

// challengeFor is the WWW-Authenticate header of RFC 6750: without an error code
// if no token came, with invalid_token if one came and was refused, and none at
// all if the token is not what failed.
func challengeFor(err error) string {
	f := fault.Of(err)
	switch {
	case f == nil || f.Code != fault.CodeUnauthenticated:
		return ""
	case f.Message == msgMissing:
		return `Bearer realm="strata"`
	default:
		return `Bearer realm="strata", error="invalid_token"`
	}
}
