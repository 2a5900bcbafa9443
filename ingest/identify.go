package ingest

import (
	"fmt"
	"maps"
	"slices"

	"github.com/strata-gateway/strata/graph"
)

// identify tells which project the change set is of. dbt knows a project by its name alone, and names are
// not unique: a project is its name and its home, the datasource that it builds most of its relations in.
// One that moved most of them stays itself while it still builds in its home and no other project of its
// name does. The warning, if there is one, says that it was taken for another than those there are.
func identify(set ChangeSet, l graph.Landing, places map[Place]*graph.Datasource) (producer, home, warning string) {
	home, builtIn := homeOf(set.Assets, places)
	var near []graph.Project
	for _, p := range l.Projects {
		if p.Home == home {
			return p.Producer, home, ""
		}
		if builtIn[p.Home] > 0 {
			near = append(near, p)
		}
	}
	if len(near) == 1 {
		return near[0].Producer, near[0].Home, ""
	}
	if len(l.Projects) > 0 {
		warning = fmt.Sprintf("there is a project %s already, which builds its relations in another datasource: this was taken for another project of that name, and nothing of the first was removed", set.Project)
	}
	return graph.ProducerOf(set.Speaker, home), home, warning
}

// homeOf is the datasource that most relations are built in, or, where none is built, that most are named
// of; of equals the first by id. builtIn counts the relations of each.
func homeOf(assets []Asset, places map[Place]*graph.Datasource) (home string, builtIn map[string]int) {
	count := func(all bool) map[string]int {
		counts := map[string]int{}
		for _, a := range assets {
			if a.Builds || all {
				counts[places[a.Place].ID]++
			}
		}
		return counts
	}
	if builtIn = count(false); len(builtIn) == 0 {
		builtIn = count(true)
	}
	for _, id := range slices.Sorted(maps.Keys(builtIn)) {
		if home == "" || builtIn[id] > builtIn[home] {
			home = id
		}
	}
	return home, builtIn
}
