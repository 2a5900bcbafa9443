package graph

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sources parses the hand-written files of a folder, tests aside.
func sources(t *testing.T, folder string) map[string]*ast.File {
	t.Helper()
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	files, set := map[string]*ast.File{}, token.NewFileSet()
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go") {
			f, err := parser.ParseFile(set, folder+"/"+e.Name(), nil, 0)
			require.NoError(t, err)
			files[e.Name()] = f
		}
	}
	return files
}

// callersOf lists the functions that call one of the methods.
func callersOf(files map[string]*ast.File, methods ...string) map[string]bool {
	callers := map[string]bool{}
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
						for _, m := range methods {
							if sel.Sel.Name == m {
								callers[fn.Name.Name] = true
							}
						}
					}
				}
				return true
			})
		}
	}
	return callers
}

// Reads that may go without the condition, and why. A new one must be added here, where it is seen.
var unscopedReads = map[string]string{
	"Ready":        "asks whether the server answers",
	"Caller":       "reads who asks, which the condition is made from",
	"MemberEmail":  "names the workspace, whose members are no datasets",
	"Epochs":       "reads versions, of each class its own",
	"Secret":       "is about the deployment",
	"Migrate":      "is about the schema",
	"apply":        "is about the schema",
	"isCurrent":    "is about the schema",
	"read":         "adds the condition",
	"readScoped":   "adds the condition",
	"readUnscoped": "is the door itself",
}

func TestEveryStatementIsConditioned(t *testing.T) {
	files := sources(t, ".")
	for name := range callersOf(files, "readUnscoped", "autoCommit", "runOnce") {
		if name == "autoCommit" {
			continue // it runs what the others conditioned
		}
		assert.Contains(t, unscopedReads, name, "reads without the workspace-and-class condition")
	}
	// The driver's own doors are opened in these functions only.
	for name := range callersOf(files, "NewSession", "BeginTransaction") {
		assert.Contains(t, []string{"runOnce", "writeOnce", "order"}, name, "opens a session of its own")
	}
}

// Statements of a transaction that may go without the condition, by the function that runs them, and why.
func unscopedWrites() map[string]string {
	return map[string]string{
		"run":              "adds the condition",
		"enter":            "reads who asks",
		"seal":             "writes audit events and epochs of the caller's workspace",
		"Migrate":          "is about the schema",
		"apply":            "is about the schema",
		"EnsureWorkspace":  "is how a workspace comes to be",
		"EnsureMember":     "is how a member comes to be",
		"member":           "names the workspace, whose members are no datasets",
		"CreateDatasource": "creates in the caller's workspace",
		"CreateAsset":      "creates in a datasource that the condition found",
		"updateAsset":      "writes to an asset that the condition found",
		"CreateSuite":      "creates on an asset that the condition found",
		"ShareSuite":       "grants on a suite whose asset the condition found",
		"runScoped":        "adds the condition",
		"rankNeighbours":   "finds external nodes beside an asset that the condition found",
		"memberForWrite":   "names the workspace, whose members are no datasets",
		"putMember":        "names the workspace, whose members are no datasets",
		"RemoveMember":     "names the workspace, whose members are no datasets",
		"fillTeam":         "names the workspace, whose teams are no datasets",
		"DeleteTeam":       "names the workspace, whose teams are no datasets",
		"UpdateSuite":      "writes to a suite that the condition found",
		"DeleteSuite":      "deletes a suite that the condition found",
		"CreateCheck":      "adds to a suite that the condition found",
		"UpdateCheck":      "writes to a check of a suite that the condition found",
		"transfer":         "hands over a suite that the condition found",
		"eraseAsset":       "deletes an asset that the condition found, and what is derived from it",
		"hasGroup":         "names the workspace, whose groups are no datasets",
		"stored":           "names the workspace, whose groups and teams are no datasets",
		"name":             "names the workspace, whose groups and teams are no datasets",
		"fillGroup":        "names the workspace, whose members and groups are no datasets",
		"DeleteGroup":      "names the workspace, whose groups are no datasets",
		"RevokeShare":      "deletes a share whose suite's asset the condition found",
		"lockAssets":       "locks assets that the condition found",
		"keepVerdicts":     "writes a fact that is the same for every viewer",
		"holdEnds":         "locks nodes that the condition found",
		"draw":             "draws between nodes that the condition found",
		"erase":            "deletes an edge whose ends the condition found",
		"retire":           "retires an edge whose ends the condition found",
		"changeEdge":       "writes to an edge whose ends the condition found",
		"assertedEdges":    "reads what one producer asserted in the caller's workspace",
		"lockProject":      "locks a project of the caller's workspace",
		"runInBatches":     "writes to what the condition found, many at once",
	}
}

func TestEveryUnscopedWriteIsListed(t *testing.T) {
	callers := callersOf(sources(t, "."), "runUnscoped")
	for name := range callers {
		assert.Contains(t, unscopedWrites(), name, "writes without the workspace-and-class condition")
	}
	for name := range unscopedWrites() {
		assert.Contains(t, callers, name, "is listed, but runs no such statement")
	}
}

func TestStatementWithoutConditionIsRefused(t *testing.T) {
	s := &Store{}
	audience := Audience{Workspace: "w", Class: ClassFull}
	_, err := s.read(t.Context(), audience, `MATCH (a:Asset) RETURN a`, nil)
	require.ErrorIs(t, err, errUnconditioned)
	_, err = s.readScoped(t.Context(), Scope{Audience: audience}, `MATCH (a:Asset) RETURN a`, nil)
	require.ErrorIs(t, err, errUnconditioned)
	_, err = s.read(t.Context(), audience, `MATCH (a:Asset)<-[:CHECKS]-(s) WHERE $VISIBLE(a) AND $LADDER(s) RETURN s`, nil)
	require.ErrorContains(t, err, "no scope")
}

func TestConditionsAreWrittenOutForTheirVariable(t *testing.T) {
	s := &Store{}
	assert.Equal(t,
		`MATCH (asset) WHERE (asset.workspace IN $workspaces AND coalesce(asset.hiddenRank, 0) < $hiddenFrom)`,
		s.text(`MATCH (asset) WHERE $VISIBLE(asset)`))
	assert.Equal(t,
		`MATCH (s) WHERE ($allSuites OR s.owner = $user OR EXISTS { (holder)-[:SHARE]->(s) WHERE holder.id IN $principals })`,
		s.text(`MATCH (s) WHERE $LADDER(s)`))
	assert.Equal(t,
		`RETURN [(holder)-[held:SHARE]->(suite) WHERE holder.id IN $principals | held.permission]`,
		s.text(`RETURN $HELD(suite)`))
}

func TestTheZeroAudienceSeesNothing(t *testing.T) {
	params, err := (&Store{organization: OrgWorkspace}).conditioned(`$VISIBLE(a)`, Audience{}, nil, nil)
	require.NoError(t, err)
	assert.Empty(t, params["workspaces"])
	assert.Zero(t, params["hiddenFrom"], "nothing ranks below zero")
}

func TestEachClassSeesWhatItMay(t *testing.T) {
	for _, c := range []struct {
		class                                Class
		open, restricted, organizationHidden bool
	}{
		{ClassFull, true, true, true},
		{ClassOrgHidden, true, true, false},
		{ClassRestricted, true, false, false},
		{"", false, false, false},
	} {
		sees := func(ofOrganization, isRestricted bool) bool {
			return hiddenRank(ofOrganization, isRestricted) < c.class.hiddenFrom()
		}
		assert.Equal(t, c.open, sees(false, false), c.class)
		assert.Equal(t, c.restricted, sees(false, true), c.class)
		assert.Equal(t, c.organizationHidden, sees(true, true), c.class)
	}
}
