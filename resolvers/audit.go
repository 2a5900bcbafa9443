package resolvers

import (
	"github.com/strata-gateway/strata/graph"
)

// Bounds of what events are asked for by, in characters.
const (
	maxAction    = 100
	maxRequestID = 64
)

// validAuditFilter bounds a condition on events. Errors: BAD_USER_INPUT.
func validAuditFilter(f graph.AuditFilter) error {
	var errs []error
	if f.Actor != "" {
		errs = append(errs, identified("filter.actor", f.Actor))
	}
	if f.Resource != "" {
		errs = append(errs, identified("filter.resource", f.Resource))
	}
	return firstError(append(errs, bounded("filter.action", &f.Action, maxAction), bounded("filter.requestId", &f.RequestID, maxRequestID))...)
}
