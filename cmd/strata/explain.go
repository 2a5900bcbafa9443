package main

import (
	"github.com/strata-gateway/strata/fault"
)

// explain is what a person is told of a failure: of a fault its message, which says what to do, without
// the cause that is for logs.
func explain(err error) string {
	if f := fault.Of(err); f != nil && f.Code != fault.CodeInternal {
		return f.Message
	}
	return err.Error()
}
