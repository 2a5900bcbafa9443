package resolvers

import (
	"fmt"

	"github.com/99designs/gqlgen/graphql"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// assetList is what shapes a list of assets: its cursors are good for these arguments only.
type assetList struct {
	Filter graph.AssetFilter
	Order  graph.AssetOrder
}

// assetListArguments fills in what was left out: no filter, by name.
func assetListArguments(filter *graph.AssetFilter, order *graph.AssetOrder) assetList {
	asked := assetList{Order: graph.AssetOrder{Field: graph.OrderByName, Direction: graph.Ascending}}
	if filter != nil {
		asked.Filter = *filter
	}
	if order != nil {
		asked.Order = *order
	}
	return asked
}

// validFilter bounds a filter. Errors: BAD_USER_INPUT.
func validFilter(f graph.AssetFilter) error {
	conditions, depth := f.Size()
	if conditions > maxConditions || depth > maxNesting {
		return fault.BadInput("filter", fmt.Sprintf("A filter nests at most %d levels deep and holds at most %d conditions.", maxNesting, maxConditions))
	}
	return identifiedFilter(f)
}

// identifiedFilter checks the ids of a filter. Errors: BAD_USER_INPUT.
func identifiedFilter(f graph.AssetFilter) error {
	if f.Datasource != "" {
		if err := identified("filter.datasource", f.Datasource); err != nil {
			return err
		}
	}
	for _, m := range f.Members() {
		if err := identifiedFilter(m); err != nil {
			return err
		}
	}
	return nil
}

// change is an input field as a change: absent leaves the field as it is.
func change[T any](o graphql.Omittable[T]) graph.Change[T] {
	return graph.Change[T]{Set: o.IsSet(), Value: o.Value()}
}

// given is an input field that cannot be cleared as a change: absent or null leaves it as it is.
func given[T any](v *T) graph.Change[T] {
	if v == nil {
		return graph.Change[T]{}
	}
	return graph.Change[T]{Set: true, Value: *v}
}

// changeFlag is the same for a flag, of which null is false.
func changeFlag(o graphql.Omittable[*bool]) graph.Change[bool] {
	v := o.Value()
	return graph.Change[bool]{Set: o.IsSet(), Value: v != nil && *v}
}

// textChange is change of a text, which an empty one clears.
func textChange(o graphql.Omittable[*string]) graph.Change[*string] {
	return graph.Change[*string]{Set: o.IsSet(), Value: nonEmpty(o.Value())}
}

// suitePosition is where a suite stands in a list by name.
func suitePosition(s *graph.Suite) graph.Position {
	return graph.Position{Text: s.Name, ID: s.ID}
}
