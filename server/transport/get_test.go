package transport_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/server/transport"
)

func TestGET(t *testing.T) {
	tests := []struct {
		name, query string
		json, typed int
		says        string // "" if answered
	}{
		{"query", url.Values{"query": {"{hello}"}}.Encode(), 200, 200, ""},
		{"with variables", url.Values{"query": {"query($n:String){hello(name:$n)}"}, "variables": {`{"n":"x"}`}}.Encode(), 200, 200, ""},
		{"by name", url.Values{"query": {"query A{hello} mutation B{change}"}, "operationName": {"A"}}.Encode(), 200, 200, ""},
		{"no query", "", 400, 400, "The parameter query is missing"},
		{"malformed URL", "query=%zz", 400, 400, "query string is malformed"},
		{"variables not JSON", url.Values{"query": {"{hello}"}, "variables": {"{"}}.Encode(), 400, 400, "variables must be a JSON object"},
		{"variables not an object", url.Values{"query": {"{hello}"}, "variables": {"[]"}}.Encode(), 400, 400, "variables must be a JSON object"},
		{"extensions not an object", url.Values{"query": {"{hello}"}, "extensions": {"1"}}.Encode(), 400, 400, "extensions must be a JSON object"},
		{"not valid", url.Values{"query": {"{nothing}"}}.Encode(), 200, 400, "Cannot query field"},
		{"subscription", url.Values{"query": {"subscription{tick}"}}.Encode(), 200, 400, "Server-Sent Events"},
	}
	w := newWorld(t, transport.GET{})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for media, status := range map[string]int{"application/json": tt.json, graphqlJSON: tt.typed} {
				rec := w.send(http.MethodGet, "/graphql?"+tt.query, nil, "Accept", media)
				assert.Equal(t, status, rec.Code)
				assert.Equal(t, "no-store", rec.Header().Get("Cache-Control"))
				got := decode(t, rec.Body)
				if tt.says == "" {
					assert.Empty(t, got.Errors)
					continue
				}
				require.Len(t, got.Errors, 1)
				assert.Contains(t, got.Errors[0].Message, tt.says)
				assert.Equal(t, "BAD_USER_INPUT", got.Errors[0].Extensions["code"])
			}
		})
	}
	assert.Equal(t, 406, w.send(http.MethodGet, "/graphql?query={hello}", nil, "Accept", "text/html").Code)
}

func TestGETNeverMutates(t *testing.T) {
	w := newWorld(t, transport.GET{}, transport.POST{})
	for _, values := range []url.Values{
		{"query": {"mutation{change}"}},
		{"query": {"query A{hello} mutation B{change}"}, "operationName": {"B"}},
	} {
		rec := w.send(http.MethodGet, "/graphql?"+values.Encode(), nil)
		assert.Equal(t, http.StatusMethodNotAllowed, rec.Code)
		assert.Equal(t, "POST", rec.Header().Get("Allow"))
		assert.Contains(t, rec.Body.String(), "A mutation needs POST")
	}
	assert.Zero(t, w.changes.Load())

	assert.Equal(t, 200, w.post(`{"query":"mutation{change}"}`).Code)
	assert.EqualValues(t, 1, w.changes.Load(), "the counter counts")
}
