package server

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/server/transport"
)

// recovered answers INTERNAL to a request on which a handler panicked outside the executor, which has a
// recovery of its own. What was already written stands.
//
// SECURITY: the value and the stack go to the log alone (TestPanicTellsNothing).
func recovered(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			value := recover()
			if value == nil {
				return
			}
			if err, ok := value.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(http.ErrAbortHandler) // how a handler closes the connection on purpose
			}
			log.LogAttrs(r.Context(), slog.LevelError, "panic", slog.String("request", RequestID(r.Context())),
				slog.Any("value", value), slog.String("stack", string(debug.Stack())))
			transport.WriteFault(w, r, fault.Wrap(fault.CodeInternal, "panic", fmt.Errorf("panic: %v", value)))
		}()
		next.ServeHTTP(w, r)
	})
}
