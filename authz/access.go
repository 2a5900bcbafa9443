package authz

import (
	"strings"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// Access is an action that can be explained. What decides it is what decides the operation itself.
type Access struct {
	Name string
	// About is the kind of its object, "" for the workspace.
	About graph.Kind
	// HeldOn is the kind of what has to be held, "" if a role is all that counts.
	HeldOn graph.Kind
	// needs is what to say where the rule, for which existence is secret, says nothing.
	needs string
	// admin is what every workspace admin may, "" if it is what they hold.
	admin string
	// with are the facts of the action itself.
	with   graph.Facts
	decide Rule
}

// Accesses are all of them, in the order of the documentation.
func Accesses() []Access {
	suite, datasource, asset := graph.KindSuite, graph.KindDatasource, graph.KindAsset
	return []Access{
		{"suite.view", suite, suite, "VIEW on the suite", "", graph.Facts{}, viewSuite},
		{"suite.edit", suite, suite, "EDIT on the suite", "", graph.Facts{}, EditSuite},
		{"suite.share", suite, suite, "ADMIN on the suite", "", graph.Facts{}, ShareSuite},
		{"suite.delete", suite, suite, "ADMIN on the suite", "", graph.Facts{}, DeleteSuite},
		{"suite.transfer", suite, suite, "the role ADMIN in this workspace", "transfers every suite", toWhoCanOwnIt(), TransferSuite},
		{"datasource.report", datasource, datasource, "", "", graph.Facts{}, holding(graph.Reporter)},
		{"datasource.view", datasource, datasource, "", "", graph.Facts{}, holding(graph.Viewer)},
		{"datasource.draft", datasource, datasource, "", "", graph.Facts{}, holding(graph.Drafter)},
		{"datasource.author", datasource, datasource, "", "", graph.Facts{}, holding(graph.Author)},
		{"datasource.edit", datasource, datasource, "", "", graph.Facts{}, EditDatasources},
		{"asset.view", asset, "", "", "", graph.Facts{}, beMember},
		{"asset.edit", asset, datasource, "", "", graph.Facts{Edits: true}, UpdateAsset},
		{"asset.curate", asset, "", "", "", graph.Facts{Curates: true}, UpdateAsset},
		{"asset.delete", asset, datasource, "", "deletes every asset", graph.Facts{}, DeleteAsset},
		{"workspace.manage", "", "", "", "", graph.Facts{}, ManageDirectory},
	}
}

// toWhoCanOwnIt are the facts of a transfer that nothing about its receiver stands in the way of.
func toWhoCanOwnIt() graph.Facts {
	return graph.Facts{Grantee: &graph.Membership{Role: graph.RoleMember}}
}

func viewSuite(c *Caller, f graph.Facts) Decision {
	return OnSuite(c, f.Suites[0], SuiteView, "suite")
}

func beMember(c *Caller, _ graph.Facts) Decision { return HasRole(c, graph.RoleViewer) }

// holding decides a permission on the datasources.
func holding(least graph.TeamPermission) Rule {
	return func(c *Caller, f graph.Facts) Decision { return OnDatasources(c, f.Datasources, least) }
}

// AccessNamed is the action of a name. Errors: BAD_USER_INPUT, which names all there are.
func AccessNamed(name string) (Access, error) {
	var names []string
	for _, a := range Accesses() {
		if a.Name == name {
			return a, nil
		}
		names = append(names, a.Name)
	}
	return Access{}, fault.BadInput("action", "There is no such action. Ask about one of "+strings.Join(names, ", ")+".")
}

// decided asks the rule about what is held and the facts of the action itself.
func (a Access) decided(c *Caller, held graph.Facts) Decision {
	f := a.with
	f.Datasources, f.Suites = held.Datasources, held.Suites
	return a.decide(c, f)
}

// nothing is a holding of nothing, and everything of all that the caller could hold: ownership.
func (a Access) nothing() graph.Facts { return a.ownedBy("") }

func (a Access) everything(c *Caller) graph.Facts { return a.ownedBy(c.User.ID) }

func (a Access) ownedBy(owner string) graph.Facts {
	switch a.HeldOn {
	case graph.KindSuite:
		return graph.Facts{Suites: []graph.SuiteFacts{{Owner: owner}}}
	case graph.KindDatasource:
		return graph.Facts{Datasources: []graph.DatasourceFacts{{Owner: owner}}}
	}
	return graph.Facts{}
}

// heldBy is why the caller holds what they hold; ReasonRole where nothing can be held.
func (a Access) heldBy(c *Caller, f graph.Facts) Reason {
	why := ReasonRole
	switch a.HeldOn {
	case graph.KindSuite:
		_, why = LevelOn(c, f.Suites[0])
	case graph.KindDatasource:
		_, why = PermissionOn(c, f.Datasources[0])
	}
	return why
}
