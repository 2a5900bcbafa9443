package agreement

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/internal/testkit"
)

// The tests here ask every query and mutation that takes an id, wherever in its arguments, of things that the
// caller may not know and of nothing: the answers are the same, in as many statements. The requests are made
// from the schema, so that no field is forgotten.

func TestWhatIsElsewhereIsNothing(t *testing.T) {
	here, there := testkit.NewWorld(t), testkit.NewWorld(t)
	admin := here.Member(graph.RoleAdmin)
	ids, mine := everythingOf(t, there, "shop.orders"), everythingOf(t, here, "shop.orders")
	before := there.Events()
	requireLikeNothing(t, testkit.NewGateway(t, here).As(admin.Email), ids, mine)
	assert.Equal(t, before, there.Events(), "nothing was written elsewhere")
}

func TestWhatIsRestrictedIsNothingToWhomItIsHidden(t *testing.T) {
	w := testkit.NewWorld(t)
	secret, mine := everythingOf(t, w, "hr.payroll"), everythingOf(t, w, "shop.orders")
	w.Restrict(secret["asset"])
	for _, public := range []string{"datasource", "group", "user", "team", "audit"} {
		delete(secret, public)
	}
	requireLikeNothing(t, testkit.NewGateway(t, w).As(w.Restricted().Email), secret, mine)
}

func TestWhatIsInAnothersSuiteIsNothing(t *testing.T) {
	w := testkit.NewWorld(t)
	theirs, mine := everythingOf(t, w, "hr.payroll"), everythingOf(t, w, "shop.orders")
	private := map[string]string{}
	for _, kind := range []string{"suite", "share", "run", "check", "audit"} {
		private[kind] = theirs[kind]
	}
	requireLikeNothing(t, testkit.NewGateway(t, w).As(w.Member(graph.RoleMember).Email), private, mine)
}

// requireLikeNothing fails unless ids are to the caller as those of nothing; mine stand beside them.
func requireLikeNothing(t *testing.T, g *testkit.Client, ids, mine map[string]string) {
	t.Helper()
	asked := 0
	schema := gql.NewExecutableSchema(gql.Config{}).Schema()
	for _, root := range []*ast.Definition{schema.Query, schema.Mutation} {
		for _, f := range root.Fields {
			for at := range idPlaces(schema, f.Arguments) {
				for _, id := range ids {
					ask := func(id string) string {
						answer := g.Query(t.Context(), request(schema, root, f, at, id, mine), nil, nil)
						require.NotContains(t, answer.Body, "GRAPHQL_VALIDATION", answer.Body)
						return inGeneral(t, answer, id)
					}
					require.Equal(t, ask(nothingLike(id)), ask(id), "%s, id %d of its arguments, of %s", f.Name, at, id)
					asked++
				}
			}
		}
	}
	assert.Greater(t, asked, 200)
}

// everythingOf makes an asset with all that there can be around it, and returns an id of each kind, by kind.
func everythingOf(t *testing.T, w *testkit.World, name string) map[string]string {
	admin, viewer := w.Member(graph.RoleAdmin), w.Member(graph.RoleViewer)
	d := w.Datasource(admin, "warehouse of "+name, graph.Editor)
	a, b := w.Asset(admin, d, name), w.Asset(admin, d, "fed by "+name)
	suite := w.Suite(admin, a.ID, name, "c")
	outside := w.FedBy(admin, a.ID, "s3", "lake of "+w.Workspace+name)
	column, edge := w.Column(a.ID, "c"), w.Feeds(admin, a.ID, b.ID).ID
	w.Depends(admin, edge, graph.NewColumnPair{Source: column, Kind: graph.Indirect})
	ids := map[string]string{
		"column": column, "datasource": d.ID, "asset": a.ID, "suite": suite, "group": w.Group(admin, "analysts of "+name, viewer.ID), "user": viewer.ID,
		"edge": edge, "edge to outside": outside.ID, "ext": outside.Source,
		"share": w.Share(admin, suite, viewer, graph.ShareView), "run": w.Run(admin, suite), "check": w.CheckOf(admin, suite, "c"),
	}
	var more struct {
		Teams struct {
			Edges []struct{ Node struct{ ID string } }
		}
		AuditEvents struct {
			Edges []struct{ Node struct{ ID string } }
		}
	}
	testkit.NewGateway(t, w).As(admin.Email).Query(t.Context(), `{ teams { edges { node { id } } } auditEvents { edges { node { id } } } }`, nil, &more).RequireNoErrors(t)
	ids["team"], ids["audit"] = more.Teams.Edges[0].Node.ID, more.AuditEvents.Edges[0].Node.ID
	return ids
}

// nothingLike is a well-formed id of the same kind that is nothing's.
func nothingLike(id string) string {
	if strings.HasPrefix(id, "ext:") {
		return "ext:s3:nothing-at-all"
	}
	kind, _, _ := strings.Cut(id, "_")
	return kind + "_" + strings.Repeat("0", 32)
}

// inGeneral is an answer without what differs by request: its id, and the id that was asked about.
func inGeneral(t *testing.T, a testkit.Answer, id string) string {
	var body map[string]any
	require.NoError(t, json.Unmarshal([]byte(a.Body), &body))
	text, err := json.Marshal(body)
	require.NoError(t, err)
	general := regexp.MustCompile(`"requestId":"[^"]*"`).ReplaceAllString(string(text), `"requestId":""`)
	return fmt.Sprint(a.Status, a.Statements, strings.ReplaceAll(general, id, "ID"))
}

// idPlaces is how many places in the arguments take an id, inside of inputs too.
func idPlaces(schema *ast.Schema, arguments ast.ArgumentDefinitionList) int {
	b := asker{schema: schema, at: -1}
	b.arguments(arguments)
	return b.places
}

// request is a document that asks a field with an id at one of its places, with things of one's own at the
// others, and the least of all else.
func request(schema *ast.Schema, root *ast.Definition, f *ast.FieldDefinition, at int, id string, mine map[string]string) string {
	b := asker{schema: schema, at: at, id: id, mine: mine}
	operation := strings.ToLower(root.Name)
	document := operation + " { x: " + f.Name + b.arguments(f.Arguments)
	if schema.Types[f.Type.Name()].IsCompositeType() {
		document += " { __typename }"
	}
	return document + " }"
}

// asker writes arguments. It counts the places of ids, and fills one.
type asker struct {
	schema *ast.Schema
	at     int
	id     string
	// mine are ids of one's own, by kind.
	mine   map[string]string
	places int
	within []string
}

// kindOf is the kind of thing that a place of this name takes.
func kindOf(name string) string {
	kinds := map[string]string{"upstreamAsset": "asset", "newOwner": "user", "subject": "user", "object": "suite", "a": "datasource", "b": "datasource", "actor": "user", "resource": "suite"}
	if kind, ok := kinds[name]; ok {
		return kind
	}
	return name
}

// completes is a field that an input needs besides what the schema says that it must have.
func completes(input string) string {
	return map[string]string{"AddUpstreamInput": "upstreamAsset", "ShareSuiteInput": "user"}[input]
}

func (b *asker) arguments(list ast.ArgumentDefinitionList) string {
	var out []string
	for _, a := range list {
		if value, asked := b.value(a.Name, a.Type); asked || a.Type.NonNull && a.DefaultValue == nil {
			out = append(out, a.Name+": "+value)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "(" + strings.Join(out, ", ") + ")"
}

// value is a value for a place of a type, and whether the id stands in it.
func (b *asker) value(name string, t *ast.Type) (text string, asked bool) {
	if t.Elem != nil {
		text, asked = b.value(name, t.Elem)
		return "[" + text + "]", asked
	}
	switch def := b.schema.Types[t.Name()]; {
	case t.Name() == "ID":
		b.places++
		if b.places-1 == b.at {
			return fmt.Sprintf("%q", b.id), true
		}
		if own, ok := b.mine[kindOf(name)]; ok {
			return fmt.Sprintf("%q", own), false
		}
		return `"asset_11111111111111111111111111111111"`, false
	case def.Kind == ast.Enum:
		return def.EnumValues[0].Name, false
	case def.Kind == ast.InputObject:
		return b.object(def)
	case t.Name() == "Int":
		return "1", false
	case t.Name() == "Boolean":
		return "false", false
	case t.Name() == "Time":
		return `"2026-01-01T00:00:00Z"`, false
	}
	switch name {
	case "action":
		return `"suite.view"`, false
	case "name":
		return fmt.Sprintf("%q", testkit.RandomName()), false // taken once only
	}
	return `"text"`, false
}

// object is an input with what it must have, and with the id if that stands in it. An input within itself adds
// no places.
func (b *asker) object(def *ast.Definition) (text string, asked bool) {
	if slices.Contains(b.within, def.Name) {
		return "{}", false
	}
	b.within = append(b.within, def.Name)
	defer func() { b.within = b.within[:len(b.within)-1] }()
	values, ofRequired := map[string]string{}, false
	for _, f := range def.Fields {
		value, here := b.value(f.Name, f.Type)
		if here || f.Type.NonNull && f.DefaultValue == nil || f.Name == completes(def.Name) {
			values[f.Name] = value
		}
		if f.Name == "name" && (def.Name == "SetGroupInput" || def.Name == "SetTeamInput") {
			values[f.Name] = value // of a new one
		}
		asked, ofRequired = asked || here, ofRequired || here && f.Type.NonNull
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if name != completes(def.Name) || !asked || ofRequired || strings.Contains(values[name], b.id) {
			out = append(out, name+": "+values[name])
		}
	}
	return "{" + strings.Join(out, ", ") + "}", asked
}
