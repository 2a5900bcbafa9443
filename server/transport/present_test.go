package transport_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/server/transport"
)

func queryBody(t testing.TB, query string, variables map[string]any) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	require.NoError(t, err)
	return string(body)
}

func TestPresentedErrors(t *testing.T) {
	tests := []struct {
		how        string
		message    string
		extensions map[string]any
		level      string // of the log line, "" if there is none
	}{
		{"driver", "internal error", map[string]any{"code": "INTERNAL", "httpStatus": 500., "requestId": "req-1"}, "ERROR"},
		{"wrapped", "internal error", map[string]any{"code": "INTERNAL", "httpStatus": 500., "requestId": "req-1"}, "ERROR"},
		{"graphql", "internal error", map[string]any{"code": "INTERNAL", "httpStatus": 500., "requestId": "req-1"}, "ERROR"},
		{"internal", "internal error", map[string]any{"code": "INTERNAL", "httpStatus": 500., "requestId": "req-1"}, "ERROR"},
		{"code not one", "internal error", map[string]any{"code": "INTERNAL", "httpStatus": 500., "requestId": "req-1"}, "ERROR"},
		{"panic", "internal error", map[string]any{"code": "INTERNAL", "httpStatus": 500., "requestId": "req-1"}, "ERROR"},
		{"unavailable", "Try again shortly.", map[string]any{"code": "UNAVAILABLE", "httpStatus": 503.}, "WARN"},
		{"deadline", "The request ran out of time. Ask for less, or try again.", map[string]any{"code": "TIMEOUT", "httpStatus": 504.}, "WARN"},
		{"gone", "The request ran out of time. Ask for less, or try again.", map[string]any{"code": "TIMEOUT", "httpStatus": 504.}, "DEBUG"},
		{"forbidden", "You need EDITOR on the datasource.", map[string]any{"code": "FORBIDDEN", "httpStatus": 403., "needs": "EDITOR on the datasource"}, ""},
		{"bad input", "Use at most 200.", map[string]any{"code": "BAD_USER_INPUT", "httpStatus": 400., "field": "first"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.how, func(t *testing.T) {
			w := newWorld(t, transport.POST{})
			got := decode(t, w.post(queryBody(t, `query Named($h:String!){x:fail(how:$h)}`, map[string]any{"h": tt.how})).Body)
			require.Len(t, got.Errors, 1)
			assert.Equal(t, tt.message, got.Errors[0].Message)
			assert.Equal(t, tt.extensions, got.Errors[0].Extensions)
			assert.Equal(t, []any{"x"}, got.Errors[0].Path)
			if tt.level == "" {
				assert.Empty(t, w.log.String())
				return
			}
			var line map[string]any
			require.NoError(t, json.Unmarshal(w.log.Bytes(), &line), "one line: %s", w.log)
			assert.Equal(t, tt.level, line["level"])
			assert.Equal(t, "req-1", line["request"])
			assert.Equal(t, "Named", line["operation"])
		})
	}
}

func TestCausesNeverReachTheClient(t *testing.T) {
	for how := range failures {
		t.Run(how, func(t *testing.T) {
			w := newWorld(t, transport.POST{})
			rec := w.post(queryBody(t, `query($h:String!){fail(how:$h) required}`, map[string]any{"h": how}))
			for _, secret := range secrets {
				assert.NotContains(t, rec.Body.String(), secret)
			}
			assert.Contains(t, w.log.String(), "MATCH (n:Asset)", "the log has it (of the field required)")
		})
	}
	rec := httptest.NewRecorder()
	transport.WriteFault(rec, httptest.NewRequest(http.MethodPost, "/", nil), fmt.Errorf("read: %w", errDriver))
	for _, secret := range secrets {
		assert.NotContains(t, rec.Body.String(), secret)
	}
}

func TestAPanicIsLoggedOnceWithItsStack(t *testing.T) {
	w := newWorld(t, transport.POST{})
	w.post(`{"query":"{fail(how:\"panic\")}"}`)
	assert.Equal(t, 1, strings.Count(w.log.String(), "\n"))
	assert.Contains(t, w.log.String(), "world_test.go", "where it came from")
}

func TestErrorsAboutTheQuery(t *testing.T) {
	tests := []struct {
		name, query string
		variables   map[string]any
		message     string
		field       any
		code        string
	}{
		{"unknown field", "{nothing}", nil, `Cannot query field "nothing" on type "Query".`, nil, "BAD_USER_INPUT"},
		{"not GraphQL", "{", nil, "Expected Name, found <EOF>", nil, "BAD_USER_INPUT"},
		{"variable of another type", "query($i:In){hello(in:$i)}", map[string]any{"i": map[string]any{"n": "x"}},
			"The variable i.n: cannot use string as Int.", "i.n", "BAD_USER_INPUT"},
		{"variable within an input", "query($i:In){hello(in:$i)}", map[string]any{"i": map[string]any{"m": 1}},
			"The variable i.m: unknown field.", "i.m", "BAD_USER_INPUT"},
		{"argument that its scalar cannot read", `{hello(day:"tomorrow")}`, nil,
			"The value of day is not one of its type.", "day", "BAD_USER_INPUT"},
		{"too many tokens", "{" + strings.Repeat("hello ", 100) + "}", nil,
			"exceeded token limit of 100", nil, "LIMIT_EXCEEDED"},
		{"too deep", strings.Repeat("{a", 2000), nil, "exceeded", nil, "LIMIT_EXCEEDED"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, transport.POST{})
			w.server.SetDisableSuggestion(true)
			if tt.name != "too deep" {
				w.server.SetParserTokenLimit(100)
			}
			got := decode(t, w.post(queryBody(t, tt.query, tt.variables)).Body)
			require.NotEmpty(t, got.Errors)
			assert.Contains(t, got.Errors[0].Message, tt.message)
			assert.Equal(t, tt.field, got.Errors[0].Extensions["field"])
			assert.Equal(t, tt.code, got.Errors[0].Extensions["code"])
			assert.NotContains(t, w.log.String(), "ERROR")
			for _, element := range got.Errors[0].Path {
				assert.NotEqual(t, "variable", element)
			}
		})
	}
}

func TestPersistedQueries(t *testing.T) {
	w := newWorld(t, transport.POST{})
	const persisted = `"extensions":{"persistedQuery":{"version":1,"sha256Hash":"abc"}}`
	refused := decode(t, w.post("{"+persisted+"}").Body)
	require.Len(t, refused.Errors, 1)
	assert.Equal(t, "Persisted queries are not supported. Send the query itself in the parameter query.", refused.Errors[0].Message)
	assert.Equal(t, "BAD_USER_INPUT", refused.Errors[0].Extensions["code"])
	assert.Empty(t, decode(t, w.post(`{"query":"{hello}",`+persisted+`}`).Body).Errors)
	missing := decode(t, w.post(`{"extensions":{"other":1}}`).Body)
	require.Len(t, missing.Errors, 1)
	assert.Equal(t, "The parameter query is missing.", missing.Errors[0].Message)
}

func TestWhichOperation(t *testing.T) {
	w := newWorld(t, transport.POST{})
	for body, want := range map[string]string{
		`{"query":"query A{hello} query B{hello}"}`:                     "The query holds several operations. Name the one to run in operationName.",
		`{"query":"query A{hello} query B{hello}","operationName":"C"}`: "The query holds no operation of that name. Name one of its operations in operationName.",
		`{"query":"fragment F on Query {hello}"}`:                       "The query holds no operation. Send one, such as {viewer{role}}.",
	} {
		got := decode(t, w.post(body).Body)
		require.Len(t, got.Errors, 1)
		assert.Equal(t, want, got.Errors[0].Message)
	}
}

func TestWriteFault(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	r.Header.Set("Accept", graphqlJSON)
	rec := httptest.NewRecorder()
	transport.WriteFault(rec, r, fault.Wrap(fault.CodeUnauthenticated, "The token has expired.", errors.New("at 12:00")))
	assert.Equal(t, 401, rec.Code)
	assert.Equal(t, graphqlJSON+"; charset=utf-8", rec.Header().Get("Content-Type"))
	assert.JSONEq(t, `{"errors":[{"message":"The token has expired.","extensions":{"code":"UNAUTHENTICATED","httpStatus":401}}]}`,
		rec.Body.String())
}

func TestPresentNil(t *testing.T) {
	assert.Nil(t, transport.Present(slog.New(slog.DiscardHandler), nil)(t.Context(), nil))
}
