package estate

import (
	"math/rand/v2"
	"slices"
)

// Topology is who feeds whom. Assets are named by their index: layer times width plus position.
type Topology struct {
	width int
	// FedBy and Feeds are the neighbours of each asset, in ascending order.
	FedBy, Feeds [][]int32
	// Hubs are assets of the first layer that feed a large part of their strip.
	Hubs []int
}

// strip is a range of positions whose assets feed each other from layer to layer, and no others: what a
// domain of a company is. Neighbourhoods stay within it.
type strip struct {
	from, to int
	// fanIn is how many assets of the layer before feed one, on average.
	fanIn float64
	// reach is how many positions away they stand at most.
	reach int
}

// The strips, as shares of a layer in percent. Their numbers were chosen for the size of the
// neighbourhood of an asset in the middle: about 160 nodes and 250 edges in the quiet strip, and about
// 430 and 980 in the busy one. What is left of the edges goes to the hubs.
const (
	quietShare = 70
	busyShare  = 22

	quietFanIn, quietReach = 2.85, 9
	busyFanIn, busyReach   = 4.3, 19
)

func (p Params) strips() (quiet, busy, hubs strip) {
	w := p.width()
	quietEnd, busyEnd := w*quietShare/100, w*(quietShare+busyShare)/100
	return strip{0, quietEnd, quietFanIn, quietReach},
		strip{quietEnd, busyEnd, busyFanIn, busyReach},
		strip{busyEnd, w, quietFanIn, quietReach}
}

// Topology lays the edges: a directed graph without cycles, of ten layers.
func (p Params) Topology() *Topology {
	t := &Topology{width: p.width(), FedBy: make([][]int32, p.Assets), Feeds: make([][]int32, p.Assets)}
	random := p.random(streamEdges)
	quiet, busy, hubs := p.strips()
	edges := 0
	for _, s := range []strip{quiet, busy, hubs} {
		edges += t.weave(s, random)
	}
	t.addHubs(hubs, p.Assets*edgesPerAsset-edges, random)
	for source := range t.FedBy {
		slices.Sort(t.FedBy[source])
		slices.Sort(t.Feeds[source])
	}
	return t
}

func (t *Topology) at(layer, position int) int { return layer*t.width + position }

func (t *Topology) connect(source, target int) {
	t.Feeds[source] = append(t.Feeds[source], int32(target))
	t.FedBy[target] = append(t.FedBy[target], int32(source))
}

// weave connects each layer of a strip with the one before, and returns the number of edges. Many of
// them form diamonds, since close assets have sources in common.
func (t *Topology) weave(s strip, random *rand.Rand) int {
	edges, size := 0, s.to-s.from
	for layer := 1; layer < layers; layer++ {
		for position := s.from; position < s.to; position++ {
			fanIn := int(s.fanIn)
			if random.Float64() < s.fanIn-float64(fanIn) {
				fanIn++
			}
			target := t.at(layer, position)
			for len(t.FedBy[target]) < fanIn {
				away := random.IntN(2*s.reach+1) - s.reach
				source := t.at(layer-1, s.from+((position-s.from+away)%size+size)%size)
				if !slices.Contains(t.FedBy[target], int32(source)) {
					t.connect(source, target)
					edges++
				}
			}
		}
	}
	return edges
}

// hubShare is which part of its strip a hub feeds: one in so many.
const hubShare = 4

// addHubs gives the remaining edges to hubs, each about the same number.
func (t *Topology) addHubs(s strip, edges int, random *rand.Rand) {
	size := s.to - s.from
	targets := size * (layers - 1)
	count := min(size, max(1, edges*hubShare/targets))
	for i := range count {
		t.Hubs = append(t.Hubs, t.at(0, s.from+i*size/count))
	}
	for i := range edges {
		hub := t.Hubs[i%count]
		for {
			target := t.at(1+random.IntN(layers-1), s.from+random.IntN(size))
			if !slices.Contains(t.FedBy[target], int32(hub)) {
				t.connect(hub, target)
				break
			}
		}
	}
}

// Neighbourhood counts what a walk of some hops finds: the nodes within reach upstream and downstream,
// and the edges among them.
func (t *Topology) Neighbourhood(focus, depth int) (nodes, edges int) {
	found := map[int32]bool{int32(focus): true}
	for _, next := range [][][]int32{t.FedBy, t.Feeds} {
		seen, frontier := map[int32]bool{int32(focus): true}, []int32{int32(focus)}
		for range depth {
			var further []int32
			for _, n := range frontier {
				for _, m := range next[n] {
					if !seen[m] {
						seen[m], found[m] = true, true
						further = append(further, m)
					}
				}
			}
			frontier = further
		}
	}
	for n := range found {
		for _, m := range t.Feeds[n] {
			if found[m] {
				edges++
			}
		}
	}
	return len(found), edges
}
