package graph

import (
	"strconv"
	"strings"
)

// AssetFilter is a condition on an asset. The fields that are set are ANDed; And, Or and Not compose.
// All of it reads identity and aggregates only.
type AssetFilter struct {
	NameContains         string
	Tag                  string
	Type                 AssetType
	Datasource           string
	Owner                string
	Env                  string
	IsMonitored          *bool
	WorstSeverityAtLeast Severity
	And, Or              []AssetFilter
	Not                  *AssetFilter
}

// condition is the filter as a condition on a that starts with AND, "" if it asks for nothing; the
// values go into params.
func (f AssetFilter) condition(params map[string]any) string {
	if c := f.expression(params); c != "" {
		return " AND " + c
	}
	return ""
}

// expression is the filter in parentheses, "" if it asks for nothing.
func (f AssetFilter) expression(params map[string]any) string {
	var parts []string
	// bound makes a value a parameter of a fresh name: it is never text of the statement. A constant truth
	// value is one too, since the planner would fold it and then refuse the index hint.
	bound := func(value any) string {
		name := "f" + strconv.Itoa(len(params))
		params[name] = value
		return "$" + name
	}
	if f.NameContains != "" {
		parts = append(parts, "toLower(a.name) CONTAINS toLower("+bound(f.NameContains)+")")
	}
	if f.Tag != "" {
		parts = append(parts, bound(f.Tag)+" IN a.tags")
	}
	if f.Type != "" {
		parts = append(parts, "a.type = "+bound(string(f.Type)))
	}
	if f.Datasource != "" {
		parts = append(parts, "a.datasource = "+bound(f.Datasource))
	}
	if f.Owner != "" {
		owner := bound(strings.ToLower(f.Owner))
		parts = append(parts, "(toLower(coalesce(a.ownerEmail, '')) = "+owner+" OR any(o IN a.sourceOwners WHERE toLower(o) = "+owner+"))")
	}
	if f.Env != "" {
		parts = append(parts, "coalesce(a.env, '') = "+bound(f.Env))
	}
	if f.IsMonitored != nil {
		parts = append(parts, "(a.suiteCount > 0) = "+bound(*f.IsMonitored))
	}
	if f.WorstSeverityAtLeast != "" {
		parts = append(parts, "coalesce(a.severityRank, -1) >= "+bound(f.WorstSeverityAtLeast.Rank()))
	}
	parts = append(parts, joined(f.And, " AND ", params)...)
	parts = append(parts, joined(f.Or, " OR ", params)...)
	if f.Not != nil {
		if inner := f.Not.expression(params); inner != "" {
			parts = append(parts, "NOT "+inner)
		} else {
			parts = append(parts, bound(false)) // the negation of what asks for nothing
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, " AND ") + ")"
}

// trueParameter holds always.
const trueParameter = "always"

// joined is a composition as at most one expression. A member that asks for nothing holds always.
func joined(members []AssetFilter, operator string, params map[string]any) []string {
	var parts []string
	for _, m := range members {
		e := m.expression(params)
		if e == "" {
			e = "$" + trueParameter
			params[trueParameter] = true
		}
		parts = append(parts, e)
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{"(" + strings.Join(parts, operator) + ")"}
}

// Size is how many conditions the filter holds, and Depth how deep they nest.
func (f AssetFilter) Size() (conditions, depth int) {
	conditions = 1
	for _, m := range f.Members() {
		c, d := m.Size()
		conditions, depth = conditions+c, max(depth, d)
	}
	return conditions, depth + 1
}

// Members are the filters that it composes.
func (f AssetFilter) Members() []AssetFilter {
	all := append(append([]AssetFilter{}, f.And...), f.Or...)
	if f.Not != nil {
		all = append(all, *f.Not)
	}
	return all
}
