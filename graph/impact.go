package graph

import (
	"context"
	"strconv"

	"github.com/strata-gateway/strata/fault"
)

// MaxImpactDepth is the most hops that an impact reaches over.
const MaxImpactDepth = 50

// ImpactQuery asks for everything that a node leads to, or that leads to it.
type ImpactQuery struct {
	Node string
	// Direction is Downstream for what a change hits, Upstream for what may be the cause.
	Direction Direction
	// Depth is in hops, from 1 to one more than MaxImpactDepth: whether there is more takes a look beyond.
	Depth int
	// Limit is the most results that are of use: more are not read.
	Limit int
	// Filter cuts by its categories, and leaves nodes out of the results by all else.
	Filter WalkFilter
	// CountConsumers asks for Consumers.
	CountConsumers bool
}

// Impacted is a result of an impact: what lists are ordered and counted by.
type Impacted struct {
	ID string
	// Degree is the fewest hops to it.
	Degree int
	// Name is an asset's, or an external node's model.
	Name string
	// Severity is the worst of the asset's verdict, "" where nothing ever finished and outside the catalog.
	Severity Severity
	// Owner is the curated one, else the first that the source states; "" for none.
	Owner string
	// Consumers is how many distinct nodes it feeds directly, if that was asked for.
	Consumers int
}

// The parts of the statement. The arm keeps the plan of a pruning breadth-first search, as that of a walk does;
// a single hop is written as what it is.
const (
	impactHead = `
MATCH (a:Dataset {id: $node}) WHERE $VISIBLE(a)
CALL (a) {`
	impactDownstream = `
  MATCH p = (a)-[:FEEDS*1..$DEPTH]->(b)`
	impactUpstream = `
  MATCH p = (a)<-[:FEEDS*1..$DEPTH]-(b)`
	impactArm = `
  WHERE all(n IN nodes(p) WHERE $VISIBLE(n)) AND all(r IN relationships(p) WHERE ` + stated + `)
  WITH b, min(length(p)) AS degree`
	impactNextDownstream = `
  MATCH (a)-[r:FEEDS]->(b) WHERE $VISIBLE(b) AND ` + stated + `
  WITH DISTINCT b, 1 AS degree`
	impactNextUpstream = `
  MATCH (a)<-[r:FEEDS]-(b) WHERE $VISIBLE(b) AND ` + stated + `
  WITH DISTINCT b, 1 AS degree`
	impactTail = `
  RETURN b, degree
}
WITH a, b, degree WHERE b.id <> a.id AND ` + fitsMark + `
WITH b, degree LIMIT $limit
RETURN collect([b.id, degree, coalesce(b.name, b.model), b.severityRank, coalesce(b.ownerEmail, b.sourceOwners[0]), `
	impactConsumers = `COUNT { MATCH (b)-[r:FEEDS]->(m) WHERE m <> b AND $VISIBLE(m) AND ` + stated + ` RETURN DISTINCT m }])`
	impactNoCount   = `0])`
)

// impactQuery is the statement of a query that impactable has checked.
func impactQuery(q ImpactQuery) string {
	arm := impactDownstream + impactArm
	switch {
	case q.Depth == 1 && q.Direction == Upstream:
		arm = impactNextUpstream
	case q.Depth == 1:
		arm = impactNextDownstream
	case q.Direction == Upstream:
		arm = impactUpstream + impactArm
	}
	count := impactNoCount
	if q.CountConsumers {
		count = impactConsumers
	}
	return q.Filter.narrowed(toDepth(impactHead+arm+impactTail+count, q.Depth))
}

// impactable checks what is written into the statement.
func (q ImpactQuery) impactable() error {
	if q.Depth < 1 || q.Depth > MaxImpactDepth+1 {
		return fault.BadInput("maxDepth", "Reach over 1 to "+strconv.Itoa(MaxImpactDepth)+" hops.")
	}
	if q.Direction != Upstream && q.Direction != Downstream {
		return fault.BadInput("direction", "Ask for one direction at a time: DOWNSTREAM or UPSTREAM.")
	}
	return nil
}

// Impact returns each node that is reached, once, at its fewest hops, in no order, never the start itself; one
// more than the limit if there are more. Of a start that the audience does not know it returns none. Errors:
// BAD_USER_INPUT for a depth or direction out of bounds.
//
// SECURITY: nothing hidden is passed through, and consumers are counted under the audience's condition
// (TestImpactIsTheReferenceReach).
func (s *Store) Impact(ctx context.Context, audience Audience, q ImpactQuery) ([]Impacted, error) {
	if err := q.impactable(); err != nil {
		return nil, err
	}
	rows, err := s.read(ctx, audience, impactQuery(q), q.Filter.with(map[string]any{"node": q.Node, "limit": q.Limit + 1}))
	if err != nil {
		return nil, err
	}
	out := []Impacted{}
	for _, v := range list(rows[0][0]) {
		c := list(v)
		x := Impacted{ID: text(c[0]), Degree: integer(c[1]), Name: text(c[2]), Owner: text(c[4]), Consumers: integer(c[5])}
		if rank, ok := c[3].(int64); ok {
			x.Severity = SeverityOf(int(rank))
		}
		out = append(out, x)
	}
	return out, nil
}
