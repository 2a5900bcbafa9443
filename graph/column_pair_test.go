package graph_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// columns gives an asset two columns and returns their ids.
func (c connections) columns(asset string) [2]string {
	var ids [2]string
	for i := range ids {
		ids[i] = graph.RandomIDs{}.New(graph.KindColumn)
		c.rows(`MATCH (a:Asset {id: $asset}) CREATE (a)-[:HAS_COLUMN]->(:Column {id: $id, name: $name, ordinal: $ordinal}) RETURN 1`,
			map[string]any{"asset": asset, "id": ids[i], "name": fmt.Sprint("c", i), "ordinal": i + 1})
	}
	return ids
}

// pairs are those of an edge, as text.
func (c connections) pairs(edge string, audience graph.Audience) []string {
	found, err := c.store.ColumnPairs(c.t.Context(), audience, []string{edge})
	require.NoError(c.t, err)
	out := []string{}
	for _, p := range found[edge] {
		line := p.Source.Name + ">"
		if p.Target != nil {
			line += p.Target.Name
		}
		if p.Subtype != nil {
			line += " " + string(*p.Subtype)
		}
		if p.Masking {
			line += " masked"
		}
		out = append(out, line+" "+string(p.Kind))
	}
	return out
}

func TestPairsOfColumnsByHand(t *testing.T) {
	c := newConnections(t)
	manager := c.email(graph.RoleManager)
	from, to := c.columns(c.orders.ID), c.columns(c.revenue.ID)
	identity, filter := graph.DependencySubtype("IDENTITY"), graph.DependencySubtype("FILTER")
	in := upstream{Asset: c.revenue.ID, UpstreamAsset: c.orders.ID}.edge()
	in.ColumnPairs = []graph.NewColumnPair{
		{Source: from[1], Kind: graph.Indirect, Subtype: &filter}, {Source: from[0], Target: &to[1], Kind: graph.Direct, Masking: true},
		{Source: from[0], Target: &to[0], Kind: graph.Direct, Subtype: &identity}, {Source: from[0], Target: &to[0], Kind: graph.Direct, Subtype: &identity},
	}
	drawn, err := c.store.AddEdge(t.Context(), c.as(manager, authz.EditDatasources), in)
	require.NoError(t, err)
	all := []string{"c0>c0 IDENTITY DIRECT", "c0>c1 masked DIRECT", "c1> FILTER INDIRECT"}
	assert.Equal(t, all, c.pairs(drawn.ID, c.audience()))

	change := func(email string, pairs ...graph.NewColumnPair) error {
		_, err := c.store.UpdateEdge(t.Context(), c.as(email, authz.EditDatasources), drawn.ID, graph.EdgeChange{ColumnPairs: graph.Change[[]graph.NewColumnPair]{Set: true, Value: pairs}})
		return err
	}
	versions, events := c.versions(), len(c.events())
	require.NoError(t, change(manager, in.ColumnPairs...))
	assert.Equal(t, versions, c.versions(), "they are stated already")
	assert.Len(t, c.events(), events)
	for name, pairs := range map[string][]graph.NewColumnPair{
		"of the other end": {{Source: to[0], Target: &from[0], Kind: graph.Direct}}, "of nothing": {{Source: "column_00000000000000000000000000000000", Kind: graph.Indirect}},
	} {
		assert.Equal(t, fault.NotFound("column"), fault.Of(change(manager, pairs...)), name)
	}
	assert.Equal(t, fault.CodeForbidden, fault.CodeOf(change(c.email(graph.RoleMember))))
	assert.Equal(t, all, c.pairs(drawn.ID, c.audience()), "nothing was written")
	require.NoError(t, change(manager, in.ColumnPairs[1]))
	assert.Equal(t, []string{"c0>c1 masked DIRECT"}, c.pairs(drawn.ID, c.audience()))
	assert.NotEqual(t, versions, c.versions())
	assert.Len(t, c.events(), events+1)

	c.restrict(c.revenue.ID)
	assert.Empty(t, c.pairs(drawn.ID, c.caller(c.restrictedViewer()).Audience))
	_, err = c.erase(manager, drawn.ID)
	require.NoError(t, err)
	assert.Zero(t, c.count(`MATCH (:Column)-[d:DERIVES|DERIVES_ALL {workspace: $workspace}]->() RETURN count(d)`), "they go with the edge")

	outside := upstream{Asset: c.revenue.ID, UpstreamExternal: &graph.NewExternal{System: "s3", Model: "m"}}.edge()
	outside.ColumnPairs = []graph.NewColumnPair{{Source: from[0], Kind: graph.Indirect}}
	_, err = c.store.AddEdge(t.Context(), c.as(manager, authz.EditDatasources), outside)
	assert.Equal(t, fault.CodeBadUserInput, fault.CodeOf(err), "an external end has no columns")
}

func TestEachProducersPairsAreItsOwn(t *testing.T) {
	c := newConnections(t)
	manager := c.email(graph.RoleManager)
	from, to := c.columns(c.orders.ID), c.columns(c.customers.ID)
	say := func(category graph.EdgeCategory, producer string, complete bool, pairs []graph.NewColumnPair, listed bool) graph.AssertSummary {
		in := graph.Assert{Category: category, Producer: producer, Scope: "s", Complete: complete}
		if listed {
			in.Edges = []graph.AssertedEdge{{Source: graph.EdgeEnd{Asset: c.orders.ID}, Target: graph.EdgeEnd{Asset: c.customers.ID}, EventKind: "TEST", ColumnPairs: pairs}}
		}
		done, err := c.assertAs(manager, in)
		require.NoError(t, err)
		return done
	}
	one := []graph.NewColumnPair{{Source: from[0], Target: &to[0], Kind: graph.Direct}}
	both := append(one, graph.NewColumnPair{Source: from[1], Kind: graph.Indirect})
	for _, category := range []graph.EdgeCategory{graph.EdgeCollected, graph.EdgeOpenLineage} {
		edge := say(category, "a", false, one, true).Edges[0].ID
		say(category, "b", false, both, true)
		assert.Equal(t, []string{"c0>c0 DIRECT", "c1> INDIRECT"}, c.pairs(edge, c.audience()), "each once")
		say(category, "b", false, nil, true)
		assert.Len(t, c.pairs(edge, c.audience()), 2, "left as they were")
		versions := c.versions()
		say(category, "b", false, []graph.NewColumnPair{}, true)
		assert.Equal(t, []string{"c0>c0 DIRECT"}, c.pairs(edge, c.audience()), "the other's stays")
		assert.NotEqual(t, versions, c.versions())
		say(category, "a", true, nil, false)
		assert.Empty(t, c.pairs(edge, c.audience()), "taken back with the edge")

		say(category, "a", false, both, true)
		_, err := c.erase(manager, edge)
		require.NoError(t, err)
		if category.Retires() {
			assert.Len(t, c.pairs(edge, c.audience()), 2, "a retired edge keeps them")
		} else {
			assert.Empty(t, c.pairs(edge, c.audience()))
		}
	}
}
