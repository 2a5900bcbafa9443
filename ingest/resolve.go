package ingest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// maxNamed bounds how many things a message lists.
const maxNamed = 10

// preferredDatasource is the datasource of that name, or without a name the one kept for the project; nil
// if there is neither, or different ones are kept for several projects of its name.
func preferredDatasource(l graph.Landing, name string) (*graph.Datasource, error) {
	if name == "" {
		return onlyKept(l.Projects), nil
	}
	for _, d := range l.Datasources {
		if d.Name == name {
			return d, nil
		}
	}
	return nil, fault.BadInput("datasource", fmt.Sprintf("There is no datasource %q. %s", name, available(l.Datasources)))
}

func onlyKept(projects []graph.Project) *graph.Datasource {
	var only *graph.Datasource
	for _, p := range projects {
		switch {
		case p.Kept == nil || only != nil && p.Kept.ID == only.ID:
		case only != nil:
			return nil
		default:
			only = p.Kept
		}
	}
	return only
}

// resolve finds the datasource of every place: the preferred one if it fits, else the only one that fits,
// else the preferred one. Errors: BAD_USER_INPUT that lists every place without one.
func resolve(assets []Asset, all []*graph.Datasource, preferred *graph.Datasource) (map[Place]*graph.Datasource, error) {
	relations := map[Place]int{}
	for _, a := range assets {
		relations[a.Place]++
	}
	found := make(map[Place]*graph.Datasource, len(relations))
	var problems []string
	for _, p := range slices.SortedFunc(maps.Keys(relations), comparePlaces) {
		fitting := p.fitting(all)
		switch {
		case preferred != nil && (len(fitting) != 1 || p.fits(preferred)):
			found[p] = preferred
		case len(fitting) == 1:
			found[p] = fitting[0]
		case len(fitting) == 0:
			problems = append(problems, fmt.Sprintf("%s (%d relations) belongs to none", p, relations[p]))
		default:
			problems = append(problems, fmt.Sprintf("%s (%d relations) fits several: %s", p, relations[p], names(fitting)))
		}
	}
	if len(problems) > 0 {
		return nil, fault.BadInput("datasource", fmt.Sprintf("Every relation must belong to one datasource of this workspace. Name the datasource to use, or create one: %s. %s",
			strings.Join(bounded(problems), "; "), available(all)))
	}
	return found, nil
}

func comparePlaces(a, b Place) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Database, b.Database), cmp.Compare(a.Schema, b.Schema))
}

// String names a place for a message.
func (p Place) String() string {
	where := string(p.Kind)
	if p.Database != "" {
		where += fmt.Sprintf(" database %q", p.Database)
	}
	if p.Schema != "" {
		where += fmt.Sprintf(" schema %q", p.Schema)
	}
	return where
}

// fits reports whether a relation there may belong to the datasource. Databases and schemas are compared
// without case: this only finds the datasource, and never makes one asset of two.
func (p Place) fits(d *graph.Datasource) bool {
	if p.Kind != d.Kind || p.Database != "" && d.Database != nil && !strings.EqualFold(p.Database, *d.Database) {
		return false
	}
	return len(d.Schemas) == 0 || slices.ContainsFunc(d.Schemas, func(s string) bool { return strings.EqualFold(s, p.Schema) })
}

// fitting are the datasources that fit; those that name their database go before those that take any.
func (p Place) fitting(all []*graph.Datasource) []*graph.Datasource {
	var named, open []*graph.Datasource
	for _, d := range all {
		switch {
		case !p.fits(d):
		case d.Database != nil:
			named = append(named, d)
		default:
			open = append(open, d)
		}
	}
	if len(named) > 0 {
		return named
	}
	return open
}

// available tells what datasources there are.
func available(all []*graph.Datasource) string {
	if len(all) == 0 {
		return "There are no datasources in this workspace yet."
	}
	described := make([]string, 0, len(all))
	for _, d := range all {
		s := fmt.Sprintf("%s (%s", d.Name, d.Kind)
		if d.Database != nil {
			s += fmt.Sprintf(", database %q", *d.Database)
		}
		if len(d.Schemas) > 0 {
			s += ", schemas " + strings.Join(bounded(d.Schemas), ", ")
		}
		described = append(described, s+")")
	}
	return "Datasources here: " + strings.Join(bounded(described), ", ") + "."
}

func names(all []*graph.Datasource) string {
	out := make([]string, 0, len(all))
	for _, d := range all {
		out = append(out, d.Name)
	}
	return strings.Join(bounded(out), ", ")
}

// bounded cuts a list for a message and says so.
func bounded(all []string) []string {
	if len(all) <= maxNamed {
		return all
	}
	return append(slices.Clone(all[:maxNamed]), fmt.Sprintf("and %d more", len(all)-maxNamed))
}
