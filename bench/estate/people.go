package estate

import (
	"fmt"

	"github.com/strata-gateway/strata/graph"
)

// The callers of an estate, one for each role.
const (
	Admin            = "admin"
	Manager          = "manager"
	Member           = "member"
	Viewer           = "viewer"
	RestrictedViewer = "restricted"
)

// colleagues is how many members there are besides, who own and share most of the suites.
const colleagues = 20

// Email is the address of a caller.
func (p Params) Email(who string) string { return who + "@" + p.Workspace + ".test" }

// person is a member of the workspace.
type person struct {
	email  string
	role   graph.Role
	access graph.ViewerAccess
}

// The places of callers in the list of people.
const (
	managerAt = 1
	memberAt  = 2
	viewerAt  = 3
	// firstColleague is where those begin who are only there to own and share.
	firstColleague = 5
)

func (p Params) people() []person {
	all := []person{
		{p.Email(Admin), graph.RoleAdmin, graph.Unrestricted},
		{p.Email(Manager), graph.RoleManager, graph.Unrestricted},
		{p.Email(Member), graph.RoleMember, graph.Unrestricted},
		{p.Email(Viewer), graph.RoleViewer, graph.Unrestricted},
		{p.Email(RestrictedViewer), graph.RoleViewer, graph.Restricted},
	}
	for i := range colleagues {
		all = append(all, person{p.Email(fmt.Sprintf("member-%02d", i+1)), graph.RoleMember, graph.Unrestricted})
	}
	return all
}

// team is a team with its members and what it may do on some datasources.
type team struct {
	id, name string
	members  []int // places in the list of people
	rights   map[int]graph.TeamPermission
}

const teams = 4

// teams are those besides the built-in one. Each holds the member and a part of the colleagues, and is
// put on a part of the datasources.
func (p Params) teams() []team {
	levels := []graph.TeamPermission{graph.Reporter, graph.Viewer, graph.Author, graph.Editor}
	all := make([]team, teams)
	for i := range all {
		t := team{id: p.id(graph.KindTeam, i), name: fmt.Sprintf("team %d", i+1), rights: map[int]graph.TeamPermission{}}
		if i%2 == 0 {
			t.members = append(t.members, memberAt)
		}
		for c := i; c < colleagues; c += teams {
			t.members = append(t.members, firstColleague+c)
		}
		for d := i; d < datasources; d += teams {
			t.rights[d] = levels[i]
		}
		all[i] = t
	}
	return all
}

// everyone is what the built-in team may do on a datasource, "" for nothing.
func everyone(datasource int) graph.TeamPermission {
	if datasource%2 == 0 {
		return graph.Viewer
	}
	return ""
}

// newDatasource is the datasource of an index.
func newDatasource(index int) graph.NewDatasource {
	kinds := []graph.DatasourceKind{"SNOWFLAKE", "POSTGRESQL", "BIGQUERY"}
	host, database := fmt.Sprintf("warehouse-%02d.test", index+1), "warehouse"
	return graph.NewDatasource{
		Name: fmt.Sprintf("warehouse %02d", index+1), Kind: kinds[index%len(kinds)], Host: &host, Database: &database,
		Everyone: everyone(index),
	}
}
