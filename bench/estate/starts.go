package estate

// Kind says what an asset to start a walk from has around it.
type Kind string

// The kinds.
const (
	// Typical has about 160 nodes and 250 edges within five hops.
	Typical Kind = "typical"
	// Busy has about 430 nodes and 980 edges.
	Busy Kind = "busy"
	// Hubs is as large as Typical, with some assets that feed thousands of others.
	Hubs Kind = "hubs"
)

const (
	// startLayer has four layers before it and five behind.
	startLayer = 4
	// startDepth is how far a walk goes for which starts are chosen.
	startDepth = 5
	// mostNodes is the budget of a walk: beyond it an answer is cut, and there is nothing to compare.
	mostNodes = 500
)

// Starts are the ids of assets to start walks from, each once, in an order that is random and always the
// same. None is restricted, and all that is within five hops of one fits into an answer.
func (p Params) Starts(t *Topology, k Kind) []string {
	quiet, busy, hubs := p.strips()
	from := map[Kind]strip{Typical: quiet, Busy: busy, Hubs: hubs}[k]
	var ids []string
	for _, offset := range p.random(streamStarts).Perm(from.to - from.from) {
		index := t.at(startLayer, from.from+offset)
		if nodes, _ := t.Neighbourhood(index, startDepth); nodes <= mostNodes && !p.Asset(index).Restricted {
			ids = append(ids, p.AssetID(index))
		}
	}
	return ids
}
