package server_test

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
	"github.com/strata-gateway/strata/server"
)

// download gets a file as somebody.
func download(t *testing.T, g *testkit.Gateway, w *testkit.World, email, path string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, g.URL+path, nil)
	require.NoError(t, err)
	if email != "" {
		request.Header.Set("Authorization", "Bearer "+g.Token(email))
	}
	request.Header.Set("X-Strata-Workspace", w.Workspace)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response, string(body)
}

// fan makes an asset that feeds many, two of which feed something outside.
func fan(w *testkit.World, by testkit.Member, n int) (start string, datasource *graph.Datasource) {
	d := w.Datasource(by, "warehouse", graph.Viewer)
	edges := []string{}
	for i := range n {
		edges = append(edges, fmt.Sprintf("start>=table%03d", i))
	}
	ids := w.Graph(by, d, "fan", append(edges, "=table001>last")...)
	return ids["start"], d
}

func TestAnExportIsTheList(t *testing.T) {
	w := testkit.NewWorld(t)
	admin := w.Member(graph.RoleAdmin)
	start, _ := fan(w, admin, 410) // three pages
	g := testkit.NewGateway(t, w)
	for arguments, filter := range map[string]string{
		"": "", "&maxDepth=1": "maxDepth: 1", "&text=table01&orderBy=NAME&order=DESC": `filter: {text: "table01"}, orderBy: {field: NAME, direction: DESC}`,
		"&types=VIEW": "filter: {types: [VIEW]}", "&types=VIEW&types=TABLE&orderBy=CONSUMERS&order=DESC": "filter: {types: [VIEW, TABLE]}, orderBy: {field: CONSUMERS, direction: DESC}",
	} {
		want := listed(t, g.As(admin.Email), start, filter)
		response, text := download(t, g, w, admin.Email, "/export/impact.csv?node="+start+arguments)
		require.Equal(t, http.StatusOK, response.StatusCode, text)
		assert.Equal(t, "text/csv; charset=utf-8", response.Header.Get("Content-Type"))
		assert.Equal(t, `attachment; filename="impact.csv"`, response.Header.Get("Content-Disposition"))
		assert.Equal(t, "no-store", response.Header.Get("Cache-Control"))
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		require.NoError(t, err)
		got := []string{}
		for _, row := range rows[1:] {
			got = append(got, row[1])
			assert.True(t, strings.HasPrefix(row[3], "'=table") || row[3] == "last", row[3])
		}
		assert.Equal(t, want, got)

		response, text = download(t, g, w, admin.Email, "/export/impact.ndjson?node="+start+arguments)
		require.Equal(t, http.StatusOK, response.StatusCode, text)
		got = []string{}
		for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
			var row struct{ ID, Name, Kind string }
			require.NoError(t, json.Unmarshal(lines.Bytes(), &row))
			got = append(got, row.ID)
			assert.Equal(t, "ASSET", row.Kind)
		}
		assert.Equal(t, want, got)
	}
}

// listed are the ids of all pages of the list.
func listed(t *testing.T, c *testkit.Client, start, arguments string) []string {
	t.Helper()
	out, after := []string{}, ""
	for {
		var page struct {
			Impact struct {
				CanExport  bool
				TotalCount int
				PageInfo   struct {
					HasNextPage bool
					EndCursor   string
				}
				Edges []struct{ Node struct{ ID string } }
			}
		}
		cursor := ""
		if after != "" {
			cursor = fmt.Sprintf("after: %q", after)
		}
		c.Query(t.Context(), fmt.Sprintf(`{ impact(node: %q, first: 150, %s %s) { canExport totalCount pageInfo { hasNextPage endCursor } edges { node { id } } } }`, start, cursor, arguments), nil, &page).RequireNoErrors(t)
		assert.True(t, page.Impact.CanExport)
		for _, e := range page.Impact.Edges {
			out = append(out, e.Node.ID)
		}
		if !page.Impact.PageInfo.HasNextPage {
			assert.Len(t, out, page.Impact.TotalCount)
			return out
		}
		after = page.Impact.PageInfo.EndCursor
	}
}

func TestExportsAreRefusedLikeTheList(t *testing.T) {
	w := testkit.NewWorld(t)
	admin := w.Member(graph.RoleAdmin)
	member, restricted := w.Member(graph.RoleMember), w.Restricted()
	hidden := w.Asset(admin, w.Datasource(admin, "open", graph.Viewer), "payroll")
	w.Restrict(hidden.ID)
	closed := w.Asset(admin, w.Datasource(admin, "closed", graph.Reporter), "ledger")
	g := testkit.NewGateway(t, w)
	const nothing = "asset_00000000000000000000000000000000"
	for _, c := range []struct {
		name, email, query string
		status             int
		tells              string
	}{
		{"nobody", "", "node=" + hidden.ID, http.StatusUnauthorized, "UNAUTHENTICATED"},
		{"without VIEWER", member.Email, "node=" + closed.ID, http.StatusForbidden, "VIEWER on the datasource closed"},
		{"hidden", restricted.Email, "node=" + hidden.ID, http.StatusNotFound, "There is no such node."},
		{"nonexistent", restricted.Email, "node=" + nothing, http.StatusNotFound, "There is no such node."},
		{"no id", member.Email, "node=x", http.StatusBadRequest, "node is no id"},
		{"no node", member.Email, "", http.StatusBadRequest, "node is no id"},
		{"a depth that is none", member.Email, "node=" + hidden.ID + "&maxDepth=x", http.StatusBadRequest, "maxDepth must be a number"},
		{"a depth out of bounds", member.Email, "node=" + hidden.ID + "&maxDepth=51", http.StatusBadRequest, "maxDepth must be from 1 to 50"},
		{"an unknown argument", member.Email, "node=" + hidden.ID + "&tag=x", http.StatusBadRequest, "There is no such argument"},
		{"an unknown order", member.Email, "node=" + hidden.ID + "&orderBy=COLOUR", http.StatusBadRequest, "COLOUR"},
		{"too long a text", member.Email, "node=" + hidden.ID + "&text=" + url.QueryEscape(strings.Repeat("x", 300)), http.StatusBadRequest, "filter.text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, file := range []string{"csv", "ndjson"} {
				response, text := download(t, g, w, c.email, "/export/impact."+file+"?"+c.query)
				assert.Equal(t, c.status, response.StatusCode, text)
				assert.Contains(t, text, c.tells)
				assert.Empty(t, response.Header.Get("Content-Disposition"))
			}
		})
	}
	off := testkit.NewGateway(t, w, func(d *server.Deps) { d.NoExports = true })
	response, text := download(t, off, w, admin.Email, "/export/impact.csv?node="+hidden.ID)
	assert.Equal(t, http.StatusForbidden, response.StatusCode)
	assert.Contains(t, text, "turned off")
	var list struct{ Impact struct{ CanExport bool } }
	off.As(admin.Email).Query(t.Context(), fmt.Sprintf(`{ impact(node: %q) { canExport } }`, hidden.ID), nil, &list).RequireNoErrors(t)
	assert.False(t, list.Impact.CanExport)
}
