package agreement

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/testkit"
	"github.com/strata-gateway/strata/server"
)

// explanation is what explainAccess answers.
type explanation struct {
	Subject        struct{ ID, Email string }
	Object, Action string
	Allowed        bool
	Reason         string
	Needs          *string
	Path           []pathStep
}

type pathStep struct {
	Kind, Detail string
	Granted      bool
}

const explained = `query($subject: ID!, $object: ID!, $action: String!) { x: explainAccess(subject: $subject, object: $object, action: $action) {
  subject { id email } object action allowed reason needs path { kind detail granted } } }`

func explain(t testing.TB, c *testkit.Client, subject, object, action string) (*explanation, testkit.Answer) {
	t.Helper()
	var out struct{ X *explanation }
	answer := c.Query(t.Context(), explained, map[string]any{"subject": subject, "object": object, "action": action}, &out)
	return out.X, answer
}

// attempt carries out the operation that an action stands for, as someone, and reports whether they were let.
type attempt struct {
	*estate
	g     *testkit.Gateway
	tries int
}

func (a *attempt) outcome(rt *rapid.T, who subject, action, object string) bool {
	client, ctx := a.g.As(who.Email), a.T().Context()
	a.tries++
	// allowed asks for one field; a refusal must be of one of the codes, and so must what an allowed one
	// answers, if it is made to fail later.
	allowed := func(query string, later ...string) bool {
		codes := client.Query(ctx, query, nil, nil).Codes()
		if len(codes) == 0 {
			return true
		}
		require.Len(rt, codes, 1)
		if slices.Contains(later, codes[0]) {
			return true
		}
		require.Contains(rt, []string{"FORBIDDEN", "NOT_FOUND"}, codes[0])
		return false
	}
	seen := func(query, nothing string) bool {
		answer := client.Query(ctx, query, nil, nil)
		require.Empty(rt, answer.Errors)
		return string(answer.Data) != nothing
	}
	level := map[string]string{"datasource.report": "REPORTER", "datasource.view": "VIEWER", "datasource.draft": "DRAFTER", "datasource.author": "AUTHOR"}
	switch action {
	case "suite.view":
		return seen(fmt.Sprintf(`{ x: suite(id: %q) { id } }`, object), `{"x":null}`)
	case "suite.edit":
		return allowed(fmt.Sprintf(`mutation { updateSuite(input: {suite: %q, description: "try %d"}) { suite { id } } }`, object, a.tries))
	case "suite.share": // with nobody, which only who may share is told
		return allowed(fmt.Sprintf(`mutation { shareSuite(input: {suite: %q, user: "user_00000000000000000000000000000000", permission: VIEW}) { share { id } } }`, object), "BAD_USER_INPUT")
	case "suite.transfer": // to nobody, which only who may transfer it is told
		return allowed(fmt.Sprintf(`mutation { transferSuite(input: {suite: %q, newOwner: "user_00000000000000000000000000000000"}) { suite { id } } }`, object), "BAD_USER_INPUT")
	case "suite.delete":
		return allowed(fmt.Sprintf(`mutation { deleteSuite(input: {suite: %q}) { id } }`, object))
	case "asset.delete":
		return allowed(fmt.Sprintf(`mutation { deleteAsset(input: {id: %q}) { id } }`, object))
	case "datasource.edit":
		return allowed(fmt.Sprintf(`mutation { createAsset(input: {datasource: %q, name: "try.%d", type: TABLE}) { asset { id } } }`, object, a.tries))
	case "asset.view":
		return seen(fmt.Sprintf(`{ x: asset(id: %q) { id } }`, object), `{"x":null}`)
	case "asset.edit":
		return allowed(fmt.Sprintf(`mutation { updateAsset(input: {id: %q, tags: ["try"]}) { asset { id } } }`, object))
	case "asset.curate":
		return allowed(fmt.Sprintf(`mutation { updateAsset(input: {id: %q, description: "try"}) { asset { id } } }`, object))
	case "workspace.manage": // of a group that is not there, which only who may delete one is told
		answer := client.Query(ctx, `mutation { deleteGroup(input: {group: "group_00000000000000000000000000000000"}) { id } }`, nil, nil)
		return answer.Codes()[0] == "NOT_FOUND"
	}
	require.Contains(rt, level, action)
	answer := client.Query(ctx, fmt.Sprintf(`{ datasources(minPermission: %s) { edges { node { id } } } }`, level[action]), nil, nil)
	require.Empty(rt, answer.Errors)
	return strings.Contains(string(answer.Data), object)
}

// untold is an explanation without the ids of shares, which are told to who may read them.
func untold(x *explanation) *explanation {
	out := *x
	out.Path = slices.Clone(x.Path)
	for i := range out.Path {
		out.Path[i].Detail = regexp.MustCompile(`by (a share|the share share_[0-9a-f]{32})`).ReplaceAllString(out.Path[i].Detail, "by a share")
	}
	return &out
}

// TestExplanationsAgreeWithTheOperations makes random worlds and asks of members, objects and actions what
// explainAccess says of them, and then has the member do it.
func TestExplanationsAgreeWithTheOperations(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		e := drawEstate(t, rt)
		admin, manager := e.callers[0], e.callers[1]
		a := &attempt{estate: e, g: testkit.NewGateway(t, e.World, func(d *server.Deps) { d.Limits.Complexity = 10_000_000 })}
		objects := map[graph.Kind][]string{"": {e.Workspace}}
		found, err := e.Store.DatasourceList(t.Context(), e.Caller(admin.Member).Scope(), "", graph.Position{First: 10})
		require.NoError(rt, err)
		objects[graph.KindDatasource] = []string{found.Items[0].ID, e.Datasource(manager.Member, "lake", rapid.SampledFrom([]graph.TeamPermission{"", graph.Drafter}).Draw(rt, "lake")).ID}
		for _, x := range e.assets {
			objects[graph.KindAsset] = append(objects[graph.KindAsset], x.id)
		}
		grouped := e.Group(admin.Member, "analysts", e.callers[2].ID, e.callers[4].ID, e.callers[5].ID)
		for _, s := range e.suites {
			objects[graph.KindSuite] = append(objects[graph.KindSuite], s.id)
			if p := rapid.SampledFrom([]graph.SharePermission{"", graph.ShareView, graph.ShareEdit}).Draw(rt, "the group's"); p != "" {
				e.ShareWithGroup(admin.Member, s.id, grouped, p)
			}
		}
		for range 15 {
			who := rapid.SampledFrom(e.callers).Draw(rt, "subject")
			access := rapid.SampledFrom(authz.Accesses()).Draw(rt, "action")
			if len(objects[access.About]) == 0 {
				continue
			}
			object := rapid.SampledFrom(objects[access.About]).Draw(rt, "object")
			told, answer := explain(t, a.g.As(admin.Email), who.ID, object, access.Name)
			require.Empty(rt, answer.Errors)
			require.NotNil(rt, told, "an admin knows of everything in their workspace")
			require.Equal(rt, who.Email, told.Subject.Email)
			own, answer := explain(t, a.g.As(who.Email), who.ID, object, access.Name)
			require.Empty(rt, answer.Errors)
			if own != nil {
				require.Equal(rt, untold(told), untold(own), "one is told of oneself what an admin is told, but for the ids of shares")
			}
			require.Equal(rt, told.Allowed, told.Needs == nil)
			if told.Allowed {
				require.True(rt, slices.ContainsFunc(told.Path, func(s pathStep) bool { return s.Granted }))
			}
			if access.About == graph.KindSuite || access.About == graph.KindAsset {
				view := map[graph.Kind]string{graph.KindSuite: "suite.view", graph.KindAsset: "asset.view"}[access.About]
				require.Equal(rt, a.outcome(rt, who, view, object), own != nil, "one is told of what one may know")
			}
			require.Equal(rt, a.outcome(rt, who, access.Name, object), told.Allowed, "%s of %s by the %s: %+v", access.Name, object, who.name, told)
			if told.Allowed && strings.HasSuffix(access.Name, ".delete") {
				return // what is gone is explained to nobody
			}
		}
	})
}

func TestWhoMayHaveAnAccessExplained(t *testing.T) {
	w := testkit.NewWorld(t)
	admin, manager, member, viewer, restricted := w.Member(graph.RoleAdmin), w.Member(graph.RoleManager), w.Member(graph.RoleMember), w.Member(graph.RoleViewer), w.Restricted()
	d := w.Datasource(manager, "warehouse", graph.Viewer)
	open, payroll := w.Asset(manager, d, "shop.orders"), w.Asset(manager, d, "hr.payroll")
	w.Restrict(payroll.ID)
	suite := w.Suite(manager, open.ID, "orders")
	g := testkit.NewGateway(t, w)
	stranger := testkit.NewWorld(t).Member(graph.RoleMember)
	nothing := map[string]string{
		"suite.": "suite_00000000000000000000000000000000", "datasource.": "datasource_00000000000000000000000000000000",
		"asset.": "asset_00000000000000000000000000000000", "workspace.": "nowhere",
	}
	objectOf := func(of map[string]string, action string) string {
		kind, _, _ := strings.Cut(action, ".")
		return of[kind+"."]
	}
	const null = `{"data":{"x":null}}`
	for _, access := range authz.Accesses() {
		absent := objectOf(nothing, access.Name)
		for _, who := range []testkit.Member{manager, member, viewer, restricted} {
			for _, object := range []string{absent, suite, payroll.ID, d.ID} {
				_, answer := explain(t, g.As(who.Email), admin.ID, object, access.Name)
				answer.AssertCode(t, "FORBIDDEN")
				assert.Equal(t, 1, answer.Statements, "it is refused before anything is looked at")
			}
			_, answer := explain(t, g.As(who.Email), who.ID, absent, access.Name)
			assert.Equal(t, null, strings.TrimSpace(answer.Body))
			_, other := explain(t, g.As(who.Email), who.ID, "run_00000000000000000000000000000000", access.Name)
			assert.Equal(t, answer.Body, other.Body, "an id of another kind is an id of nothing")
		}
		hidden := map[string]string{"suite.": suite, "asset.": payroll.ID}
		if object := objectOf(hidden, access.Name); object != "" {
			_, answer := explain(t, g.As(restricted.Email), restricted.ID, object, access.Name)
			_, missing := explain(t, g.As(restricted.Email), restricted.ID, absent, access.Name)
			assert.Equal(t, missing.Body, answer.Body, "what is hidden is as nothing")
			assert.Equal(t, missing.Statements, answer.Statements)
			told, _ := explain(t, g.As(admin.Email), restricted.ID, object, access.Name)
			require.NotNil(t, told)
			assert.False(t, told.Allowed)
		}
	}
	for _, subject := range []string{stranger.ID, "user_00000000000000000000000000000000", "team_00000000000000000000000000000000"} {
		_, answer := explain(t, g.As(admin.Email), subject, suite, "suite.view")
		assert.Equal(t, null, strings.TrimSpace(answer.Body), "who is no member is nobody")
	}
	_, answer := explain(t, g.As(admin.Email), admin.ID, suite, "suite.eat")
	answer.AssertCode(t, "BAD_USER_INPUT")
	for _, access := range authz.Accesses() {
		assert.Contains(t, answer.Errors[0].Message, access.Name)
	}
	for subject, object := range map[string]string{"me": suite, admin.ID: "orders"} {
		_, answer := explain(t, g.As(admin.Email), subject, object, "suite.view")
		answer.AssertCode(t, "BAD_USER_INPUT")
	}
}

func TestThePathNamesWhatGaveIt(t *testing.T) {
	w := testkit.NewWorld(t, testkit.AllowListedNames(allowListed))
	admin, manager, member, viewer, listed := w.Member(graph.RoleAdmin), w.Member(graph.RoleManager), w.Member(graph.RoleMember), w.Member(graph.RoleViewer), w.Enrol(allowListed, graph.RoleViewer, graph.Unrestricted)
	restricted := w.Restricted()
	d := w.Datasource(manager, "warehouse", graph.Drafter)
	a := w.Asset(manager, d, "hr.payroll")
	suite := w.Suite(manager, a.ID, "payroll")
	members, admins := w.Share(manager, suite, member, graph.ShareView), w.Share(manager, suite, admin, graph.ShareView)
	// The members hold by the group what the group in it does not tell of.
	analysts := w.ShareWithGroup(manager, suite, w.Group(admin, "analysts", member.ID, viewer.ID), graph.ShareEdit)
	w.ShareWithGroup(manager, suite, w.Group(admin, "strangers"), graph.ShareEdit)
	w.Restrict(a.ID)
	g := testkit.NewGateway(t, w)
	for _, c := range []struct {
		subject        testkit.Member
		object, action string
		reason, needs  string
		path           []pathStep
	}{
		{manager, suite, "suite.share", "owner", "", []pathStep{{"ROLE", "MANAGER", true}, {"OWNER", "owns it", true}}},
		{member, suite, "suite.edit", "share", "", []pathStep{{"ROLE", "MEMBER", true}, {"GROUP", "EDIT by the share " + analysts + " of the group analysts", true}, {"SHARE", "VIEW by the share " + members, false}}},
		{member, suite, "suite.share", "not enough held", "ADMIN on the suite", []pathStep{{"ROLE", "MEMBER", true}, {"GROUP", "EDIT by the share " + analysts + " of the group analysts", false}, {"SHARE", "VIEW by the share " + members, false}}},
		{viewer, suite, "suite.edit", "clamped to what a VIEWER may", "the role MEMBER in this workspace, and EDIT on the suite", []pathStep{{"ROLE", "VIEWER", false}, {"GROUP", "EDIT by the share " + analysts + " of the group analysts", false},
			{"CLAMP", "a VIEWER of the workspace holds no more than VIEW on a suite, and VIEWER on a datasource", false}}},
		{admin, suite, "suite.edit", "workspace admin", "", []pathStep{{"ROLE", "ADMIN", true}, {"ADMIN", "ADMIN on every suite", true}, {"SHARE", "VIEW by the share " + admins, false}}},
		{listed, suite, "suite.view", "workspace admin", "", []pathStep{{"ROLE", "ADMIN", true}, {"ALLOW_LIST", "on the configured allow-list, which makes a member ADMIN", true}, {"ADMIN", "ADMIN on every suite", true}}},
		{restricted, suite, "suite.view", "hidden from the audience", "to be no restricted viewer", []pathStep{{"ROLE", "VIEWER", true}, {"CLAMP", "the object is restricted, and hidden from the audience RESTRICTED", false}}},
		{restricted, a.ID, "asset.view", "hidden from the audience", "to be no restricted viewer", []pathStep{{"ROLE", "VIEWER", true}, {"CLAMP", "the object is restricted, and hidden from the audience RESTRICTED", false}}},
		{member, d.ID, "datasource.draft", "team permission", "", []pathStep{{"ROLE", "MEMBER", true}, {"TEAM", "DRAFTER by the team everyone", true}}},
		{member, a.ID, "asset.edit", "not enough held", "EDITOR on the datasource warehouse", []pathStep{{"ROLE", "MEMBER", true}, {"TEAM", "DRAFTER by the team everyone", false}}},
		{manager, a.ID, "asset.edit", "owner", "", []pathStep{{"ROLE", "MANAGER", true}, {"OWNER", "owns it", true}, {"TEAM", "DRAFTER by the team everyone", false}}},
		{manager, w.Workspace, "workspace.manage", "role", "the role ADMIN in this workspace", []pathStep{{"ROLE", "MANAGER", false}}},
		{admin, a.ID, "asset.curate", "role", "", []pathStep{{"ROLE", "ADMIN", true}}},
	} {
		t.Run(c.action+" "+c.subject.Email, func(t *testing.T) {
			told, answer := explain(t, g.As(admin.Email), c.subject.ID, c.object, c.action)
			answer.RequireNoErrors(t)
			require.NotNil(t, told)
			assert.Equal(t, c.path, told.Path)
			assert.Equal(t, c.reason, told.Reason)
			assert.Equal(t, c.needs == "", told.Allowed)
			if c.needs != "" {
				assert.Equal(t, c.needs, *told.Needs)
			}
			assert.Equal(t, c.object, told.Object)
			assert.Equal(t, c.action, told.Action)
		})
	}
}

// TestTheIdsOfSharesAreToldToWhoMayReadThem: to who lacks ADMIN on a suite there is no share by its id, not
// even their own.
func TestTheIdsOfSharesAreToldToWhoMayReadThem(t *testing.T) {
	w := testkit.NewWorld(t)
	admin, manager, member := w.Member(graph.RoleAdmin), w.Member(graph.RoleManager), w.Member(graph.RoleMember)
	a := w.Asset(manager, w.Datasource(manager, "warehouse", graph.Viewer), "orders")
	suite := w.Suite(manager, a.ID, "orders")
	shares := []string{w.Share(manager, suite, member, graph.ShareView), w.ShareWithGroup(manager, suite, w.Group(admin, "analysts", member.ID, manager.ID), graph.ShareEdit)}
	g := testkit.NewGateway(t, w)
	_, toAdmin := explain(t, g.As(admin.Email), member.ID, suite, "suite.edit")
	_, toMember := explain(t, g.As(member.Email), member.ID, suite, "suite.edit")
	for _, id := range shares {
		assert.Contains(t, toAdmin.Body, id)
	}
	assert.Contains(t, toMember.Body, "EDIT by a share of the group analysts")
	assert.NotContains(t, toMember.Body, "share_")
	_, toOwner := explain(t, g.As(manager.Email), manager.ID, suite, "suite.edit")
	assert.Contains(t, toOwner.Body, "EDIT by the share "+shares[1]+" of the group analysts")
}
