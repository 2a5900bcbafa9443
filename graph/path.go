package graph

import "context"

// MaxPaths is how many shortest paths between two nodes are returned at most.
const MaxPaths = 20

// PathsOf asks for the shortest paths from one node down to another, at most First of them.
type PathsOf struct {
	From, To string
	First    int
}

// distanceTail tells how far it is to what is no farther than the farthest of the ends, and which ends are known.
const distanceTail = `
  RETURN b, degree
}
WITH collect([b.id, degree]) AS reached
WITH reached, reduce(far = 0, x IN reached | CASE WHEN x[1] > far AND x[0] IN $ends THEN x[1] ELSE far END) AS far
RETURN [x IN reached WHERE x[1] <= far],
  COLLECT { UNWIND $ends AS id MATCH (e:Dataset {id: id}) WHERE $VISIBLE(e) RETURN e.id }`

// The steps take nodes one hop back towards the start: to each the first of the nodes of a layer that lead to it.
const (
	stepsHead = `
UNWIND $ids AS id
MATCH (x:Dataset {id: id}) WHERE $VISIBLE(x)
RETURN x.id, COLLECT { MATCH `
	stepsTail = ` WHERE y.id IN $layer AND $VISIBLE(y) AND ` + stated + `
  WITH DISTINCT y.id AS before ORDER BY before LIMIT $first
  RETURN before }`
)

// Paths returns the shortest paths of each pair, those of the fewest hops, at most MaxImpactDepth, each as the ids
// of its nodes from the first to the last, in the order of those ids; a pair of which the audience does not know
// both nodes is not in the answer. There is none from a node to itself without a cycle. Two nodes that several
// categories connect are one step. Which of more paths than were asked for are returned is the same whenever the same
// pairs are asked for (TestPathsAreThoseOfTheReference).
//
// How far each node is from the start is found by one pruning search, and paths are taken back from the end along
// falling distances, few at a time: there may be 2^40 of them, or a hub amid them. A path that an edit breaks
// meanwhile is left out.
//
// SECURITY: nothing hidden is passed through (TestPathsAreThoseOfTheReference).
func (s *Store) Paths(ctx context.Context, audience Audience, pairs []PathsOf) (map[PathsOf][][]string, error) {
	out := make(map[PathsOf][][]string, len(pairs))
	direction, starts := startsOf(pairs)
	for start, pairs := range starts {
		t, err := s.trails(ctx, audience, direction, start, pairs)
		if err != nil {
			return nil, err
		}
		for far := t.farthest(); far > 0; far-- {
			before, err := s.steps(ctx, audience, t, far)
			if err != nil {
				return nil, err
			}
			t.extend(far, before)
		}
		t.finish(out)
	}
	return out, nil
}

// startsOf groups pairs by the end that fewer of them differ in, and says in which direction the others lie. The
// pairs of a page have one end in common.
func startsOf(pairs []PathsOf) (Direction, map[string][]PathsOf) {
	from, to := map[string][]PathsOf{}, map[string][]PathsOf{}
	for _, p := range pairs {
		from[p.From] = append(from[p.From], p)
		to[p.To] = append(to[p.To], p)
	}
	if len(to) < len(from) {
		return Upstream, to
	}
	return Downstream, from
}

// distanceQuery is the statement of a direction.
func distanceQuery(d Direction) string {
	arm := impactDownstream
	if d == Upstream {
		arm = impactUpstream
	}
	return WalkFilter{}.narrowed(toDepth(impactHead+arm+impactArm+distanceTail, MaxImpactDepth))
}

// trails begins the trails of pairs that have a start in common.
func (s *Store) trails(ctx context.Context, audience Audience, d Direction, start string, pairs []PathsOf) (*trails, error) {
	t := newTrails(d, start, pairs)
	rows, err := s.read(ctx, audience, distanceQuery(d), map[string]any{"node": start, "ends": t.ends()})
	if err != nil {
		return nil, err
	}
	for _, v := range list(rows[0][0]) {
		c := list(v)
		t.reach(text(c[0]), integer(c[1]))
	}
	t.begin(texts(rows[0][1]))
	return t, nil
}

// steps returns what leads to the heads of trails so far from the start, by head.
func (s *Store) steps(ctx context.Context, audience Audience, t *trails, far int) (map[string][]string, error) {
	arrow := levelUpstream
	if t.direction == Upstream {
		arrow = levelDownstream
	}
	rows, err := s.read(ctx, audience, WalkFilter{}.narrowed(stepsHead+arrow+stepsTail), map[string]any{
		"ids": t.heads(far), "layer": t.layers[far-1], "first": MaxPaths,
	})
	if err != nil {
		return nil, err
	}
	before := make(map[string][]string, len(rows))
	for _, r := range rows {
		before[text(r[0])] = texts(r[1])
	}
	return before, nil
}
