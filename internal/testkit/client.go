package testkit

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Client speaks to a gateway as somebody.
type Client struct {
	gateway   *Gateway
	token     string
	workspace string
	// name makes the ids of its requests; nil: they are random.
	name func() string
}

// As is a client that speaks for an address, in the world's workspace.
func (g *Gateway) As(email string) *Client {
	g.t.Helper()
	return &Client{gateway: g, token: g.Token(email), workspace: g.world.Workspace}
}

// Anonymous is a client without a token and without a workspace.
func (g *Gateway) Anonymous() *Client { return &Client{gateway: g} }

// In is the same client with another workspace in its header, "" for no header.
func (c *Client) In(workspace string) *Client {
	other := *c
	other.workspace = workspace
	return &other
}

// Naming is the same client with request ids of one's own, which answers repeat. They are used once each.
func (c *Client) Naming(name func() string) *Client {
	other := *c
	other.name = name
	return &other
}

// Answer is what a request got.
type Answer struct {
	Status int
	Header http.Header
	// Body is all of it, as it was sent.
	Body string
	// Data is the data entry as it was sent; nil if there is none.
	Data   json.RawMessage
	Errors []Error
	// Statements is how many Cypher statements the request took.
	Statements int
}

// Error is an error of an answer.
type Error struct {
	Message    string
	Path       []any
	Extensions struct {
		Code       string
		Field      string
		Needs      string
		HTTPStatus int
		RequestID  string
	}
}

// Codes are those of the errors, in order.
func (a Answer) Codes() []string {
	codes := make([]string, 0, len(a.Errors))
	for _, e := range a.Errors {
		codes = append(codes, e.Extensions.Code)
	}
	return codes
}

// RequireNoErrors ends the test if the answer has errors.
func (a Answer) RequireNoErrors(t testing.TB) {
	t.Helper()
	require.Empty(t, a.Errors)
	require.NotNil(t, a.Data)
}

// AssertCode checks that the answer has one error, of a code.
func (a Answer) AssertCode(t testing.TB, code string) bool {
	t.Helper()
	return assert.Equal(t, []string{code}, a.Codes(), "%+v", a.Errors)
}

// Query sends an operation by POST. Its data go into what into points to, if that is not nil; fields that
// into does not have fail the test.
func (c *Client) Query(ctx context.Context, query string, variables map[string]any, into any) Answer {
	c.gateway.t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	require.NoError(c.gateway.t, err)
	answer := c.Post(ctx, "application/json", body)
	if into != nil && len(answer.Data) > 0 && string(answer.Data) != "null" {
		d := json.NewDecoder(bytes.NewReader(answer.Data))
		d.DisallowUnknownFields()
		require.NoError(c.gateway.t, d.Decode(into))
	}
	return answer
}

// Post sends a body to /graphql as it is.
func (c *Client) Post(ctx context.Context, contentType string, body []byte) Answer {
	c.gateway.t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.gateway.URL+"/graphql", bytes.NewReader(body))
	require.NoError(c.gateway.t, err)
	request.Header.Set("Content-Type", contentType)
	return c.Do(request)
}

// Do sends a request as the client's somebody and reads the answer.
func (c *Client) Do(request *http.Request) Answer {
	t := c.gateway.t
	t.Helper()
	id := rand.Text()
	if c.name != nil {
		id = c.name()
	}
	request.Header.Set("X-Request-Id", id)
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	if c.workspace != "" {
		request.Header.Set("X-Strata-Workspace", c.workspace)
	}
	response, err := c.gateway.web.Client().Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	answer := Answer{Status: response.StatusCode, Header: response.Header, Body: string(text), Statements: c.gateway.Served(id).Statements}
	var envelope struct {
		Data   json.RawMessage
		Errors []Error
	}
	require.NoError(t, json.Unmarshal(text, &envelope), "%s", text)
	answer.Data, answer.Errors = envelope.Data, envelope.Errors
	return answer
}
