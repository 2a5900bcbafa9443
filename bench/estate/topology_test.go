package estate

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTopologyIsALayeredGraphOfTheStatedSize(t *testing.T) {
	for _, p := range []Params{{"w", 1, MinAssets}, {"w", 7, 2_000}, Small("w")} {
		topology, edges := p.Topology(), 0
		for source, targets := range topology.Feeds {
			edges += len(targets)
			assert.Len(t, slices.Compact(slices.Clone(targets)), len(targets), "%d feeds each once", source)
			for _, target := range targets {
				require.Less(t, source/p.width(), int(target)/p.width(), "an edge leads to a later layer")
				_, found := slices.BinarySearch(topology.FedBy[target], int32(source))
				require.True(t, found, "both directions agree")
			}
		}
		assert.Equal(t, edgesPerAsset*p.Assets, edges)
		assert.NotEmpty(t, topology.Hubs)
		for _, hub := range topology.Hubs {
			assert.Greater(t, len(topology.Feeds[hub]), p.width()/50, "a hub feeds many")
		}
	}
}

func TestEqualParamsMakeEqualEstates(t *testing.T) {
	p := Params{"w", 3, 2_000}
	assert.Equal(t, p.Topology(), p.Topology())
	assert.Equal(t, p.Suites(), p.Suites())
	assert.Equal(t, p.Starts(p.Topology(), Typical), p.Starts(p.Topology(), Typical))

	other := Params{"w", 4, 2_000}
	assert.NotEqual(t, p.Topology().Feeds, other.Topology().Feeds)
	assert.NotEqual(t, p.Suites()[0].Asset, other.Suites()[0].Asset)
	assert.NotEqual(t, p.AssetID(0), other.AssetID(0))
	assert.NotEqual(t, p.AssetID(0), Params{"v", 3, 2_000}.AssetID(0), "two workspaces share no id")
}

func TestNeighbourhoodOfADiamond(t *testing.T) {
	topology := &Topology{width: 1, Feeds: make([][]int32, 5), FedBy: make([][]int32, 5)}
	for _, edge := range [][2]int{{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}} {
		topology.connect(edge[0], edge[1])
	}
	nodes, edges := topology.Neighbourhood(0, 2)
	assert.Equal(t, []int{4, 4}, []int{nodes, edges}, "both paths of the diamond, and not what is farther")
	nodes, edges = topology.Neighbourhood(1, 1)
	assert.Equal(t, []int{3, 2}, []int{nodes, edges}, "its other side feeds and is fed by others")
	nodes, edges = topology.Neighbourhood(4, 0)
	assert.Equal(t, []int{1, 0}, []int{nodes, edges})
}

// The design states its goals for neighbourhoods of these sizes.
func TestNeighbourhoodsHaveTheSizesOfTheGoals(t *testing.T) {
	p := Small("w")
	topology := p.Topology()
	sizes := func(k Kind) (nodes, edges int) {
		index := map[string]int{}
		for i := range p.Assets {
			index[p.AssetID(i)] = i
		}
		var n, e []int
		for _, id := range p.Starts(topology, k) {
			nodes, edges := topology.Neighbourhood(index[id], startDepth)
			n, e = append(n, nodes), append(e, edges)
		}
		slices.Sort(n)
		slices.Sort(e)
		assert.LessOrEqual(t, n[len(n)-1], mostNodes)
		return n[len(n)/2], e[len(e)/2]
	}
	nodes, edges := sizes(Typical)
	assert.InDelta(t, 160, nodes, 20)
	assert.InDelta(t, 250, edges, 40)
	nodes, edges = sizes(Busy)
	assert.InDelta(t, 430, nodes, 40)
	assert.InDelta(t, 980, edges, 100)
}

func TestValidate(t *testing.T) {
	require.NoError(t, Full("bench").Validate())
	for _, p := range []Params{{"Bench", 1, 2_000}, {"bench", 1, MinAssets - assetsPerSuite}, {"bench", 1, MinAssets + 1}} {
		assert.Error(t, p.Validate(), "%+v", p)
	}
	full := Full("bench")
	assert.Equal(t, []int{100_000, 300_000, 1_000_000, 5_000},
		[]int{full.Assets, full.Assets * edgesPerAsset, full.Assets * columnsMean, len(full.Suites())})
}

func TestColumnsHaveTheStatedMean(t *testing.T) {
	for _, p := range []Params{{"w", 1, MinAssets}, Full("w")} {
		columns := 0
		for index := range p.Assets {
			columns += columnsOf(index)
		}
		assert.Equal(t, columnsMean*p.Assets, columns)
	}
}
