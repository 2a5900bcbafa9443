package transport_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	stock "github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/server/transport"
)

const graphqlJSON = "application/graphql-response+json"

func TestPOSTAnswersAsTheStockTransportDoes(t *testing.T) {
	bodies := []string{
		`{"query":"{hello}"}`,
		`{"query":"{__typename a:hello b:hello(name:\"x\")}"}`,
		`{"query":"query($n:String){hello(name:$n)}","variables":{"n":"ünï \" \\ \n ☃"}}`,
		`{"query":"query A{hello} query B{__typename}","operationName":"B"}`,
		`{"query":"mutation{change}"}`,
		`{"query":"{hello fail(how:\"forbidden\")}"}`,
		`{"query":"{required}"}`,
		"\n {\"query\":\"{hello}\",\"variables\":null,\"operationName\":null,\"extensions\":null,\"other\":1} \n",
	}
	ours, theirs := newWorld(t, transport.POST{}), newWorld(t, stock.POST{})
	for _, body := range bodies {
		got, want := ours.post(body), theirs.post(body)
		assert.Equal(t, want.Body.String(), got.Body.String(), body)
		assert.Equal(t, want.Code, got.Code, body)
		assert.Equal(t, strconv.Itoa(got.Body.Len()), got.Header().Get("Content-Length"))
	}
}

func TestPOSTAnswersTheSameValuesWhereHTMLIsEscaped(t *testing.T) {
	const body = `{"query":"{hello(name:\"<a>&\")}"}`
	got, want := newWorld(t, transport.POST{}).post(body), newWorld(t, stock.POST{}).post(body)
	assert.JSONEq(t, want.Body.String(), got.Body.String())
	assert.Equal(t, "nosniff", got.Header().Get("X-Content-Type-Options"))
}

func TestPOSTWritesExtensions(t *testing.T) {
	for _, query := range []string{`{hello}`, `{required}`, `{nothing}`} {
		ours, theirs := newWorld(t, transport.POST{}), newWorld(t, stock.POST{})
		for _, w := range []*world{ours, theirs} {
			w.server.AroundResponses(func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
				graphql.RegisterExtension(ctx, "cost", 7)
				return next(ctx)
			})
		}
		body := `{"query":"` + query + `"}`
		want := theirs.post(body).Body.String()
		want = strings.Replace(want, `"data":null,"ext`, `"ext`, strings.Count(query, "nothing"))
		assert.Equal(t, want, ours.post(body).Body.String(), query)
		assert.Contains(t, want, `"extensions":{"cost":7}`)
	}
}

// answer is a GraphQL response with its status.
type answer struct {
	Data   json.RawMessage
	Errors []struct {
		Message    string
		Path       []any
		Extensions map[string]any
	}
}

func decode(t *testing.T, body io.Reader) answer {
	t.Helper()
	var a answer
	require.NoError(t, json.NewDecoder(body).Decode(&a))
	return a
}

func TestPOSTStatus(t *testing.T) {
	tests := []struct {
		name, body   string
		code         string // of the first error, "" if there is none
		json, typed  int    // status by media type
		hasDataEntry bool
	}{
		{"answer", `{"query":"{hello}"}`, "", 200, 200, true},
		{"partial answer", `{"query":"{hello fail(how:\"forbidden\")}"}`, "FORBIDDEN", 200, 200, true},
		{"null answer", `{"query":"{required}"}`, "INTERNAL", 200, 200, true},
		{"not GraphQL", `{"query":"{"}`, "BAD_USER_INPUT", 200, 400, false},
		{"not valid", `{"query":"{nothing}"}`, "BAD_USER_INPUT", 200, 400, false},
		{"no such operation", `{"query":"query A{hello}","operationName":"B"}`, "BAD_USER_INPUT", 200, 400, false},
		{"variable missing", `{"query":"query($n:String!){hello(name:$n)}"}`, "BAD_USER_INPUT", 200, 400, false},
		{"subscription", `{"query":"subscription{tick}"}`, "BAD_USER_INPUT", 200, 400, false},
		{"not JSON", `{"query":`, "BAD_USER_INPUT", 400, 400, false},
		{"empty", ``, "BAD_USER_INPUT", 400, 400, false},
		{"blank", " \n ", "BAD_USER_INPUT", 400, 400, false},
		{"null", `null`, "BAD_USER_INPUT", 400, 400, false},
		{"text", `"{hello}"`, "BAD_USER_INPUT", 400, 400, false},
		{"two values", `{"query":"{hello}"}{}`, "BAD_USER_INPUT", 400, 400, false},
		{"batch", ` [{"query":"{hello}"}]`, "BAD_USER_INPUT", 400, 400, false},
		{"no query", `{}`, "BAD_USER_INPUT", 400, 400, false},
		{"misspelt query", `{"qeury":"{hello}"}`, "BAD_USER_INPUT", 400, 400, false},
		{"query of another type", `{"query":{}}`, "BAD_USER_INPUT", 400, 400, false},
		{"variables of another type", `{"query":"{hello}","variables":[7]}`, "BAD_USER_INPUT", 400, 400, false},
		{"too large", `{"query":"{hello}"}` + strings.Repeat(" ", transport.DefaultMaxBody), "LIMIT_EXCEEDED", 413, 413, false},
	}
	w := newWorld(t, transport.POST{})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for media, status := range map[string]int{"application/json": tt.json, graphqlJSON: tt.typed} {
				rec := w.post(tt.body, "Accept", media)
				assert.Equal(t, status, rec.Code, media)
				assert.Equal(t, media+"; charset=utf-8", rec.Header().Get("Content-Type"))
				assert.Equal(t, tt.hasDataEntry, strings.Contains(rec.Body.String(), `"data":`))
				got := decode(t, rec.Body)
				if tt.code == "" {
					assert.Empty(t, got.Errors)
					continue
				}
				require.NotEmpty(t, got.Errors)
				assert.Equal(t, tt.code, got.Errors[0].Extensions["code"])
			}
		})
	}
}

func TestPOSTSaysWhatIsWrong(t *testing.T) {
	for body, says := range map[string]string{
		``:                                       "The body is empty",
		`[]`:                                     "Array batching is not supported",
		`{"query":`:                              "not valid JSON",
		`{}`:                                     "The parameter query is missing",
		`{"query":1}`:                            "The parameter query must be a string",
		`{"query":"{hello}","variables":1}`:      "The parameter variables must be an object",
		`{"query":"{hello}","operationName":[]}`: "The parameter operationName must be a string",
		`{"query":"{hello}","extensions":""}`:    "The parameter extensions must be an object",
		`5`:                                      "The body must be a JSON object",
		`{"query":"subscription{tick}"}`:         "Server-Sent Events",
	} {
		got := decode(t, newWorld(t, transport.POST{}).post(body).Body)
		require.Len(t, got.Errors, 1, body)
		assert.Contains(t, got.Errors[0].Message, says)
	}
}

func TestPOSTBodyLimit(t *testing.T) {
	const body = `{"query":"{hello}"}`
	w := newWorld(t, transport.POST{MaxBody: int64(len(body))})
	assert.Equal(t, 200, w.post(body).Code)
	assert.Equal(t, 413, w.post(body+" ").Code)

	unknownLength := w.send(http.MethodPost, "/", io.MultiReader(strings.NewReader(body), strings.NewReader(" ")),
		"Content-Type", "application/json")
	assert.Equal(t, 413, unknownLength.Code)
	got := decode(t, unknownLength.Body)
	assert.Equal(t, "LIMIT_EXCEEDED", got.Errors[0].Extensions["code"])
	assert.EqualValues(t, 413, got.Errors[0].Extensions["httpStatus"])
}

// brokenReader fails like a connection that is cut.
type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("reset by 10.1.2.3") }

func TestPOSTBodyCutShort(t *testing.T) {
	rec := newWorld(t, transport.POST{}).send(http.MethodPost, "/", brokenReader{}, "Content-Type", "application/json")
	assert.Equal(t, 400, rec.Code)
	assert.NotContains(t, rec.Body.String(), "10.1.2.3")
}

func TestContentTypes(t *testing.T) {
	w := newWorld(t, transport.POST{}, transport.GET{}, transport.Unsupported{})
	const body = `{"query":"{hello}"}`
	for contentType, status := range map[string]int{
		"application/json":                       200,
		"Application/JSON; charset=UTF-8":        200,
		"application/json; charset=utf-16":       415,
		"application/graphql":                    415,
		"text/plain":                             415,
		"application/x-www-form-urlencoded":      415,
		"":                                       415,
		"application/json; charset":              415,
		"application/json+x":                     415,
		"multipart/form-data; boundary=whatever": 415,
	} {
		rec := w.send(http.MethodPost, "/", strings.NewReader(body), "Content-Type", contentType)
		assert.Equal(t, status, rec.Code, contentType)
	}
	rec := w.send(http.MethodPut, "/", strings.NewReader(body), "Content-Type", "application/json")
	assert.Equal(t, 405, rec.Code)
	assert.Equal(t, "GET, POST", rec.Header().Get("Allow"))
}

func TestAccept(t *testing.T) {
	w := newWorld(t, transport.POST{})
	for accept, media := range map[string]string{ // "" is 406
		"*/*":                                        "application/json",
		"application/*":                              "application/json",
		"application/json":                           "application/json",
		graphqlJSON:                                  graphqlJSON,
		"text/html, */*;q=0.1":                       "application/json",
		graphqlJSON + ", application/json":           graphqlJSON,
		"application/json, " + graphqlJSON:           "application/json",
		graphqlJSON + ", application/json;q=0.9":     graphqlJSON,
		"application/json;q=0.5, " + graphqlJSON:     graphqlJSON,
		graphqlJSON + ";q=0, application/json":       "application/json",
		graphqlJSON + ";q=x, application/json;q=0.1": "application/json",
		graphqlJSON + `;charset="utf-8";q=1`:         graphqlJSON,
		"text/event-stream":                          "",
		"application/json;q=0":                       "",
		"nonsense/":                                  "",
	} {
		rec := w.post(`{"query":"{hello}"}`, "Accept", accept)
		if media == "" {
			assert.Equal(t, 406, rec.Code, accept)
			continue
		}
		assert.Equal(t, 200, rec.Code, accept)
		assert.Equal(t, media+"; charset=utf-8", rec.Header().Get("Content-Type"), accept)
	}
	assert.Equal(t, "application/json; charset=utf-8", w.post(`{"query":"{hello}"}`).Header().Get("Content-Type"))
}

func TestUpgradesAreLeftToOthers(t *testing.T) {
	w := newWorld(t, transport.POST{}, transport.GET{})
	rec := w.send(http.MethodGet, "/?query={hello}", nil, "Upgrade", "websocket")
	assert.Equal(t, 400, rec.Code)
	assert.Contains(t, rec.Body.String(), "transport not supported")
}

func TestContextEndsBeforeTheAnswer(t *testing.T) {
	w := newWorld(t, transport.POST{})
	w.server.AroundOperations(func(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
		ctx, cancel := context.WithTimeout(ctx, 0)
		t.Cleanup(cancel)
		respond := next(ctx)
		return func(context.Context) *graphql.Response { return respond(ctx) }
	})
	for media, status := range map[string]int{"application/json": 200, graphqlJSON: 504} {
		rec := w.post(`{"query":"{hello}"}`, "Accept", media)
		assert.Equal(t, status, rec.Code)
		assert.Equal(t, "TIMEOUT", decode(t, rec.Body).Errors[0].Extensions["code"])
	}
}

func TestDeferIsRefused(t *testing.T) {
	w := newWorld(t, transport.POST{})
	w.server.AroundResponses(func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
		resp := next(ctx)
		more := true
		resp.HasNext = &more
		return resp
	})
	rec := w.post(`{"query":"{hello}"}`, "Accept", graphqlJSON)
	assert.Equal(t, 400, rec.Code)
	assert.Contains(t, rec.Body.String(), "@defer")
}

func FuzzPOSTBody(f *testing.F) {
	for _, seed := range []string{
		`{"query":"{hello}"}`, `{"query":"{`, `[]`, `null`, `{"query":"{fail(how:\"driver\")}"}`, `{"variables":{"a":[1e999]}}`,
		`{"query":"query($i:In){hello(in:$i)}","variables":{"i":{"n":3.5}}}`, "{\"query\":\"\xff\"}", `{"extensions":{"persistedQuery":{}}}`,
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, body string, typed bool) {
		media := "application/json"
		if typed {
			media = graphqlJSON
		}
		w := newWorld(t, transport.POST{})
		rec := w.post(body, "Accept", media)
		if !json.Valid(rec.Body.Bytes()) {
			t.Fatalf("not JSON: %q", rec.Body)
		}
		got := decode(t, rec.Body)
		switch {
		case rec.Code >= 500 && !strings.Contains(body, "fail"):
			t.Errorf("status %d: %s", rec.Code, w.log)
		case got.Data == nil && len(got.Errors) == 0:
			t.Errorf("neither data nor errors")
		case got.Data != nil && rec.Code != 200:
			t.Errorf("data with status %d", rec.Code)
		}
		for _, e := range got.Errors {
			if _, ok := e.Extensions["code"].(string); !ok || e.Message == "" {
				t.Errorf("error without code or message: %+v", e)
			}
		}
	})
}
