package main

import (
	"errors"
	"strings"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph/neo4jd"
)

// explain is what a person is told of a failure: of a fault its message, which says what to do, without
// the cause that is for logs. It is one line, but for the last words of a Neo4j that died.
func explain(err error) string {
	if f := fault.Of(err); f != nil && f.Code != fault.CodeInternal {
		return f.Message
	}
	var start *neo4jd.StartError
	if errors.As(err, &start) && len(start.LogTail) > 0 {
		return err.Error()
	}
	return strings.ReplaceAll(err.Error(), "\n", "; ")
}
