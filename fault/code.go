package fault

import "net/http"

// Code is the machine-readable kind of a fault, the value of extensions.code
// in every error a client sees. The list is closed: clients may switch over it.
type Code string

const (
	// CodeUnauthenticated: no token, or one that does not verify.
	CodeUnauthenticated Code = "UNAUTHENTICATED"
	// CodeForbidden: the object's existence is public, the action is refused.
	CodeForbidden Code = "FORBIDDEN"
	// CodeNotFound: no such object, or one whose existence the caller may not learn.
	CodeNotFound Code = "NOT_FOUND"
	// CodeBadUserInput: an argument or the query itself is wrong; Field says which.
	CodeBadUserInput Code = "BAD_USER_INPUT"
	// CodeConflict: the object changed meanwhile, or the name is taken.
	CodeConflict Code = "CONFLICT"
	// CodeCursorExpired: the data a cursor is pinned to is no longer kept.
	CodeCursorExpired Code = "CURSOR_EXPIRED"
	// CodeUnavailable: a dependency does not answer; the same request may succeed later.
	CodeUnavailable Code = "UNAVAILABLE"
	// CodeTimeout: the request ran out of its time.
	CodeTimeout Code = "TIMEOUT"
	// CodeLimitExceeded: the request is larger or costlier than the gateway accepts.
	CodeLimitExceeded Code = "LIMIT_EXCEEDED"
	// CodeInternal: a defect or an unforeseen failure; the cause is in the log only.
	CodeInternal Code = "INTERNAL"
)

// Codes returns the closed list, in the order the documentation has it.
func Codes() []Code {
	return []Code{
		CodeUnauthenticated, CodeForbidden, CodeNotFound, CodeBadUserInput, CodeConflict,
		CodeCursorExpired, CodeUnavailable, CodeTimeout, CodeLimitExceeded, CodeInternal,
	}
}

// HTTPStatus is the status a plain HTTP endpoint answers with, and the value
// of extensions.httpStatus in GraphQL. A code outside the closed list is 500.
//
// LIMIT_EXCEEDED is 422 rather than 429, because the same request sent later
// exceeds the same limit; a rate limiter sets Error.Status to 429.
func (c Code) HTTPStatus() int {
	switch c {
	case CodeUnauthenticated:
		return http.StatusUnauthorized
	case CodeForbidden:
		return http.StatusForbidden
	case CodeNotFound:
		return http.StatusNotFound
	case CodeBadUserInput:
		return http.StatusBadRequest
	case CodeConflict:
		return http.StatusConflict
	case CodeCursorExpired:
		return http.StatusGone
	case CodeUnavailable:
		return http.StatusServiceUnavailable
	case CodeTimeout:
		return http.StatusGatewayTimeout
	case CodeLimitExceeded:
		return http.StatusUnprocessableEntity
	default:
		return http.StatusInternalServerError
	}
}

// known reports whether c is on the closed list.
func (c Code) known() bool {
	for _, k := range Codes() {
		if c == k {
			return true
		}
	}
	return false
}
