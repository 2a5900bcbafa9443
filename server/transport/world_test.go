package transport_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/server/transport"
)

const sdl = `
	scalar Day
	input In { n: Int }
	type Query { hello(name: String, in: In, day: Day): String  fail(how: String!): String  required: String! }
	type Mutation { change: String }
	type Subscription { tick: Int }
`

// secrets are what the failing fields have in their causes.
var secrets = []string{"MATCH (n:Asset)", "10.1.2.3:7687", "s3cret"}

var errDriver = errors.New("Neo4jError at 10.1.2.3:7687 in MATCH (n:Asset) WHERE n.token = 's3cret' RETURN n")

// failures are the ways the field fail can fail.
var failures = map[string]func(context.Context) error{
	"driver":       func(context.Context) error { return errDriver },
	"wrapped":      func(context.Context) error { return fmt.Errorf("load assets: %w", errDriver) },
	"unavailable":  func(context.Context) error { return fault.Wrap(fault.CodeUnavailable, "Try again shortly.", errDriver) },
	"internal":     func(context.Context) error { return fault.New(fault.CodeInternal, errDriver.Error()) },
	"forbidden":    func(context.Context) error { return fault.Forbidden("EDITOR on the datasource") },
	"bad input":    func(context.Context) error { return fault.BadInput("first", "Use at most 200.") },
	"deadline":     func(context.Context) error { return fmt.Errorf("%w: %w", errDriver, context.DeadlineExceeded) },
	"panic":        func(context.Context) error { panic(errDriver) },
	"gone":         func(context.Context) error { return fmt.Errorf("read: %w", context.Canceled) },
	"graphql":      func(ctx context.Context) error { return graphql.ErrorOnPath(ctx, errDriver) },
	"code not one": func(context.Context) error { return fault.New("MATCH (n:Asset)", "MATCH (n:Asset)") },
}

// world is a handler over a schema that is executed by hand, with the log it
// writes.
type world struct {
	server  *handler.Server
	log     *bytes.Buffer
	changes atomic.Int32 // how often the mutation ran
}

func newWorld(t testing.TB, transports ...graphql.Transport) *world {
	t.Helper()
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: sdl})
	require.NoError(t, err)
	w := &world{log: &bytes.Buffer{}}
	w.server = handler.New(&graphql.ExecutableSchemaMock{
		SchemaFunc:     func() *ast.Schema { return schema },
		ComplexityFunc: func(context.Context, string, string, int, map[string]any) (int, bool) { return 0, false },
		ExecFunc:       w.exec,
	})
	log := slog.New(slog.NewJSONHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	requestID := func(context.Context) string { return "req-1" }
	w.server.SetErrorPresenter(transport.Present(log, requestID))
	w.server.SetRecoverFunc(transport.Recover(log, requestID))
	for _, tr := range transports {
		w.server.AddTransport(tr)
	}
	return w
}

// exec does what generated code does, for one level of fields.
func (w *world) exec(context.Context) graphql.ResponseHandler {
	done := false
	return func(ctx context.Context) *graphql.Response {
		if done {
			return nil
		}
		done = true
		return w.answer(ctx)
	}
}

func (w *world) answer(ctx context.Context) *graphql.Response {
	op := graphql.GetOperationContext(ctx)
	var data bytes.Buffer
	separator := "{"
	for _, f := range graphql.CollectFields(op, op.Operation.SelectionSet, nil) {
		fieldCtx := graphql.WithFieldContext(ctx, &graphql.FieldContext{Object: "Query", Field: f})
		m, err := w.resolve(fieldCtx, f)
		if err != nil {
			graphql.AddError(fieldCtx, err)
			m = graphql.Null
		}
		if m == graphql.Null && f.Definition.Type.NonNull {
			return &graphql.Response{Data: []byte("null")}
		}
		data.WriteString(separator)
		graphql.MarshalString(f.Alias).MarshalGQL(&data)
		data.WriteString(":")
		m.MarshalGQL(&data)
		separator = ","
	}
	data.WriteString("}")
	return &graphql.Response{Data: data.Bytes()}
}

func (w *world) resolve(ctx context.Context, f graphql.CollectedField) (m graphql.Marshaler, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = graphql.Recover(ctx, r)
		}
	}()
	args := f.ArgumentMap(graphql.GetOperationContext(ctx).Variables)
	switch f.Name {
	case "__typename":
		return graphql.MarshalString(f.ObjectDefinition.Name), nil
	case "hello":
		day, err := graphql.ProcessArgField(ctx, args, "day", func(ctx context.Context, v any) (time.Time, error) {
			day, err := graphql.UnmarshalTime(v)
			return day, graphql.ErrorOnPath(ctx, err)
		})
		if err != nil {
			return nil, err
		}
		name, _ := args["name"].(string)
		return graphql.MarshalString("hello " + name + day.Weekday().String()), nil
	case "fail":
		return nil, failures[args["how"].(string)](ctx)
	case "required":
		return graphql.Null, errDriver
	case "change":
		w.changes.Add(1)
		return graphql.MarshalString("changed"), nil
	default:
		return nil, fmt.Errorf("no resolver for %s", f.Name)
	}
}

// post sends a body with the headers given as pairs.
func (w *world) post(body string, headers ...string) *httptest.ResponseRecorder {
	return w.send(http.MethodPost, "/graphql", strings.NewReader(body),
		append([]string{"Content-Type", "application/json"}, headers...)...)
}

func (w *world) send(method, url string, body io.Reader, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, url, body)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	w.server.ServeHTTP(rec, r)
	return rec
}
