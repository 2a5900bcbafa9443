package graph

import (
	"maps"
	"slices"
)

// trails are the beginnings of paths, taken back from the ends of pairs towards the start that the pairs have in
// common.
type trails struct {
	start     string
	direction Direction
	pairs     []PathsOf
	// layers are the nodes by their hops from the start, and distance those hops; that of the start is those of its
	// shortest cycle.
	layers   [][]string
	distance map[string]int
	// of are the trails of a pair, each from its end to its head, all of one length; a pair whose ends are not both
	// known has none.
	of map[PathsOf][][]string
}

func newTrails(d Direction, start string, pairs []PathsOf) *trails {
	return &trails{
		start: start, direction: d, pairs: pairs,
		layers: [][]string{{start}}, distance: map[string]int{}, of: map[PathsOf][][]string{},
	}
}

// end is where the trails of a pair begin.
func (t *trails) end(p PathsOf) string {
	if t.direction == Upstream {
		return p.From
	}
	return p.To
}

// ends are all nodes that the pairs name.
func (t *trails) ends() []string {
	ids := map[string]bool{t.start: true}
	for _, p := range t.pairs {
		ids[t.end(p)] = true
	}
	return slices.Collect(maps.Keys(ids))
}

// reach notes that a node is so many hops from the start.
func (t *trails) reach(id string, hops int) {
	for len(t.layers) <= hops {
		t.layers = append(t.layers, nil)
	}
	t.distance[id] = hops
	if id != t.start {
		t.layers[hops] = append(t.layers[hops], id)
	}
}

// begin begins a trail at the end of each pair whose nodes are known, if it was reached.
func (t *trails) begin(known []string) {
	for _, p := range t.pairs {
		if !slices.Contains(known, t.start) || !slices.Contains(known, t.end(p)) {
			continue
		}
		t.of[p] = [][]string{}
		if t.distance[t.end(p)] > 0 {
			t.of[p] = append(t.of[p], []string{t.end(p)})
		}
	}
}

// farthest is how far the farthest end is from the start, 0 if none was reached.
func (t *trails) farthest() int {
	far := 0
	for p, trails := range t.of {
		if len(trails) > 0 {
			far = max(far, t.distance[t.end(p)])
		}
	}
	return far
}

// at reports whether the heads of a pair's trails are so far from the start.
func (t *trails) at(p PathsOf, far int) bool {
	trails := t.of[p]
	return len(trails) > 0 && t.distance[t.end(p)]-(len(trails[0])-1) == far
}

// heads are the distinct heads that are so far from the start.
func (t *trails) heads(far int) []string {
	ids := map[string]bool{}
	for p, trails := range t.of {
		if !t.at(p, far) {
			continue
		}
		for _, trail := range trails {
			ids[trail[len(trail)-1]] = true
		}
	}
	return slices.Collect(maps.Keys(ids))
}

// extend takes the trails whose heads are so far from the start a hop closer to it. No more are kept than were asked
// for: each of those leads to the start.
func (t *trails) extend(far int, before map[string][]string) {
	for p, trails := range t.of {
		if !t.at(p, far) {
			continue
		}
		longer := [][]string{}
		for _, trail := range trails {
			for _, id := range before[trail[len(trail)-1]] {
				if len(longer) < p.First {
					longer = append(longer, append(slices.Clip(trail), id))
				}
			}
		}
		t.of[p] = longer
	}
}

// finish turns trails into paths in the direction of the data, in the order of their ids.
func (t *trails) finish(out map[PathsOf][][]string) {
	for p, trails := range t.of {
		if t.direction == Downstream {
			for _, trail := range trails {
				slices.Reverse(trail)
			}
		}
		slices.SortFunc(trails, slices.Compare)
		out[p] = trails
	}
}
