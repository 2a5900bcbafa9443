// Package fault is the one error type of the gateway. A fault has a code from a
// closed list, a message written for the person who reads it (it says what to
// do), and a cause written for the log. Whatever is not a fault is INTERNAL to
// a client: a driver's error, a file name or a line of Cypher reaches nobody by
// being returned. Packages return faults where they know what went wrong and
// plain wrapped errors elsewhere; the transports turn both into answers through
// From and Public.
package fault

import (
	"context"
	"errors"
	"fmt"
)

// Error is a failure with a public part (Code, Message, Field, Needs, Status)
// and a private one (Cause).
type Error struct {
	Code    Code
	Message string // public; says what to do
	Field   string // BAD_USER_INPUT: the path of the argument, such as "input.name"
	Needs   string // FORBIDDEN: what the caller would need, such as "EDITOR on the datasource"
	Status  int    // HTTP status where it is not the code's own, such as 413; 0 otherwise
	Cause   error  // for the log only
}

// New returns a fault without a cause. The message is public.
func New(code Code, message string) *Error {
	return &Error{Code: code, Message: message}
}

// Wrap returns a fault that keeps cause for the log. The message is public, the
// cause never is.
func Wrap(code Code, message string, cause error) *Error {
	return &Error{Code: code, Message: message, Cause: cause}
}

// BadInput is a BAD_USER_INPUT about the argument at the path field.
func BadInput(field, message string) *Error {
	return &Error{Code: CodeBadUserInput, Message: message, Field: field}
}

// NoID is a BAD_USER_INPUT about an argument that should hold an id. A well-formed id is either an object's or
// nothing's, and which of the two is not said here.
func NoID(field string) *Error {
	return BadInput(field, field+" is no id. Pass one as another query returned it, for example an asset's from assets.")
}

// Forbidden is a FORBIDDEN that tells what is needed, for objects whose
// existence is public. Where existence is secret, use NotFound.
func Forbidden(needs string) *Error {
	return &Error{Code: CodeForbidden, Message: "You need " + needs + ".", Needs: needs}
}

// NotFound is a NOT_FOUND. What names the kind only ("suite"), so that a hidden
// object and a nonexistent one give the same bytes.
func NotFound(what string) *Error {
	return &Error{Code: CodeNotFound, Message: "There is no such " + what + "."}
}

// HTTPStatus is Status if that is set, else the code's own.
func (e *Error) HTTPStatus() int {
	if e.Status != 0 {
		return e.Status
	}
	return e.Code.HTTPStatus()
}

// Error gives code, message and cause: text for logs, not for clients.
func (e *Error) Error() string {
	if e.Cause == nil {
		return fmt.Sprintf("%s: %s", e.Code, e.Message)
	}
	return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.Cause)
}

// Unwrap returns the cause, nil if there is none.
func (e *Error) Unwrap() error { return e.Cause }

// Of returns the outermost fault in err's chain, nil if there is none.
func Of(err error) *Error {
	var f *Error
	if errors.As(err, &f) {
		return f
	}
	return nil
}

// CodeOf returns the code a client would see for err, "" for nil. An expired or
// cancelled context is TIMEOUT; anything else that is no fault is INTERNAL.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if f := Of(err); f != nil {
		if !f.Code.known() {
			return CodeInternal
		}
		return f.Code
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return CodeTimeout
	}
	return CodeInternal
}

// From returns a fault for any non-nil err: the one in its chain, or one made
// with the code of CodeOf, a fixed message and err as the cause. From(nil) is nil.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	if f := Of(err); f != nil {
		return f
	}
	if CodeOf(err) == CodeTimeout {
		return Wrap(CodeTimeout, "The request ran out of time. Ask for less, or try again.", err)
	}
	return Wrap(CodeInternal, internalMessage, err)
}
