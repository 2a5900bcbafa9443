package server_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/examples"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
)

const ingestMutation = `mutation Load($manifest: Upload!, $catalog: Upload, $runResults: Upload, $datasource: String) {` +
	` ingestDbt(manifest: $manifest, catalog: $catalog, runResults: $runResults, datasource: $datasource) { project summary { assetsCreated runsCreated warnings } } }`

// operations is the first part of a form that sends files for these variables.
func operations(variables string) string {
	return fmt.Sprintf(`{"query": %q, "variables": %s}`, ingestMutation, variables)
}

// part is a part of a form.
type part struct{ name, filename, content string }

// form is a multipart body and its content type.
func form(t *testing.T, parts ...part) (string, []byte) {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for _, p := range parts {
		header := textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf(`form-data; name=%q; filename=%q`, p.name, p.filename)}}
		if p.filename == "" {
			header.Set("Content-Disposition", fmt.Sprintf(`form-data; name=%q`, p.name))
		}
		to, err := w.CreatePart(header)
		require.NoError(t, err)
		_, err = to.Write([]byte(p.content))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return w.FormDataContentType(), body.Bytes()
}

func TestUploadReachesTheResolver(t *testing.T) {
	w := testkit.NewWorld(t)
	g := testkit.NewGateway(t, w)
	manager := w.Member(graph.RoleManager)
	d := w.Datasource(manager, "shop", graph.Viewer)
	shop := examples.Projects()[0]
	contentType, body := form(t,
		part{"operations", "", operations(`{"manifest": null, "catalog": null, "runResults": null, "datasource": "shop"}`)},
		part{"map", "", `{"m": ["variables.manifest"], "c": ["variables.catalog"], "r": ["variables.runResults"]}`},
		part{"m", "manifest.json", string(shop.Manifest)}, part{"c", "catalog.json", string(shop.Catalog)}, part{"r", "run_results.json", string(shop.RunResults)},
	)
	answer := g.As(manager.Email).Post(t.Context(), contentType, body)
	answer.RequireNoErrors(t)
	assert.JSONEq(t, `{"ingestDbt":{"project":"shop","summary":{"assetsCreated":33,"runsCreated":32,"warnings":[]}}}`, string(answer.Data))
	w.AssetNamed(manager, d, "shop.marts.fct_orders")

	// The rule is asked on the way: a member has no EDITOR, a viewer may change nothing at all.
	for _, m := range []testkit.Member{w.Member(graph.RoleMember), w.Member(graph.RoleViewer)} {
		g.As(m.Email).Post(t.Context(), contentType, body).AssertCode(t, "FORBIDDEN")
	}
	answer = g.Anonymous().Post(t.Context(), contentType, body)
	assert.Equal(t, http.StatusUnauthorized, answer.Status)
}

func TestMalformedUploads(t *testing.T) {
	w := testkit.NewWorld(t)
	g := testkit.NewGateway(t, w)
	as := g.As(w.Member(graph.RoleManager).Email)
	ops := part{"operations", "", operations(`{"manifest": null}`)}
	to := func(m string) part { return part{"map", "", m} }
	file := part{"0", "manifest.json", "{}"}
	var many []string
	for i := range 11 {
		many = append(many, fmt.Sprintf(`"variables.v%d"`, i))
	}
	asked := func(query, variables string) []part {
		return []part{{"operations", "", fmt.Sprintf(`{"query": %q, "variables": %s}`, query, variables)}, to(`{"0": ["variables.x"]}`), file}
	}
	for _, tt := range []struct {
		name   string
		parts  []part
		status int
		says   string
	}{
		{"no parts", nil, 400, "operations is not where it belongs"},
		{"wrong order", []part{to(`{}`), ops}, 400, "operations is not where it belongs"},
		{"no map", []part{ops}, 400, "map is not where it belongs"},
		{"map not JSON", []part{ops, to(`{`)}, 400, "map must be a JSON object"},
		{"map a list", []part{ops, to(`[]`)}, 400, "map must be a JSON object"},
		{"file missing", []part{ops, to(`{"0": ["variables.manifest"]}`)}, 400, "not in the form"},
		{"file not named", []part{ops, to(`{}`), file}, 400, "not named in the map"},
		{"path elsewhere", []part{ops, to(`{"0": ["query"]}`), file}, 400, "variables.NAME"},
		{"path into a list", []part{ops, to(`{"0": ["variables.0"]}`), file}, 400, "must be there, and null"},
		{"path deep", []part{ops, to(`{"0": ["variables.manifest.0"]}`), file}, 400, "variables.NAME"},
		{"path twice", []part{ops, to(`{"0": ["variables.manifest", "variables.manifest"]}`), file}, 400, `The map names the variable "manifest" twice`},
		{"many paths", []part{ops, to(`{"0": [` + strings.Join(many, ",") + `]}`), file}, 400, "more than 10 variables"},
		{"path of no variable", []part{ops, to(`{"0": ["variables.other"]}`), file}, 400, "must be there, and null"},
		{"variables missing", []part{{"operations", "", `{"query":"{viewer{role}}"}`}, to(`{"0": ["variables.manifest"]}`), file}, 400, "must be there, and null"},
		{"variable not null", []part{{"operations", "", operations(`{"manifest": 1}`)}, to(`{"0": ["variables.manifest"]}`), file}, 400, "must be there, and null"},
		{"batch", []part{{"operations", "", "[" + ops.content + "]"}, to(`{"0": ["0.variables.manifest"]}`), file}, 400, "variables.NAME"},
		{"operations too large", []part{{"operations", "", strings.Repeat(" ", 1<<20+1)}}, 413, "operations is too large"},
		{"path of nothing", []part{ops, to(`{"0": ["variables."]}`), file}, 400, `The map's path "variables." names no variable. Write variables.NAME`},
		{"undeclared", asked(`query { viewer { role } }`, `{"x": null}`), 400, `"x", which the query does not declare. Declare it as Upload`},
		{"a text", asked(`query($x: String!) { search(text: $x) { totalCount } }`, `{"x": null}`), 400, `"x", which is of the type String!. Files are for variables of the type Upload.`},
		{"any value", asked(`mutation($x: JSON) { updateAsset(input: {id: "a", config: $x}) { asset { id } } }`, `{"x": null}`), 400, "is of the type JSON"},
		{"a list of files", asked(`query($x: [Upload]) { viewer { role } }`, `{"x": null}`), 400, "is of the type [Upload]"},
		{"not a query", asked(`query {`, `{"x": null}`), 400, "Expected Name"},
		{"no such operation", asked(`query A { viewer { role } } query B { viewer { role } }`, `{"x": null}`), 400, "several operations"},
		{"file no artifact", []part{ops, to(`{"0": ["variables.manifest"]}`), file}, 400, "dbt"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			contentType, body := form(t, tt.parts...)
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.URL+"/graphql", bytes.NewReader(body))
			require.NoError(t, err)
			request.Header.Set("Content-Type", contentType)
			request.Header.Set("Accept", "application/graphql-response+json")
			answer := as.Do(request)
			require.Len(t, answer.Errors, 1)
			assert.Contains(t, answer.Errors[0].Message, tt.says)
			if tt.name != "file no artifact" {
				assert.Equal(t, tt.status, answer.Status)
				assert.Nil(t, answer.Data)
			}
		})
	}
}

func TestUploadIsBounded(t *testing.T) {
	w := testkit.NewWorld(t)
	g := testkit.NewGateway(t, w)
	as := g.As(w.Member(graph.RoleManager).Email)
	half := strings.Repeat("x", 33<<20)
	contentType, body := form(t,
		part{"operations", "", operations(`{"manifest": null, "catalog": null}`)},
		part{"map", "", `{"0": ["variables.manifest"], "1": ["variables.catalog"]}`},
		part{"0", "manifest.json", half}, part{"1", "catalog.json", half},
	)
	answer := as.Post(t.Context(), contentType, body)
	assert.Equal(t, http.StatusRequestEntityTooLarge, answer.Status)
	answer.AssertCode(t, "LIMIT_EXCEEDED")
	assert.Contains(t, answer.Errors[0].Message, "64 MiB together")
	assert.Zero(t, answer.Statements)
}
