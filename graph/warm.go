package graph

import "context"

// Warm has the server compile the statements of the first requests: who asks, walks, the default one first,
// and the order of guards. A server that has just started takes up to seconds for a walk's, which is more
// than a walk may. It asks about nothing, for nobody, and reads nothing. Errors: those of the store.
func (s *Store) Warm(ctx context.Context) error {
	if _, _, err := s.Caller(ctx, "", ""); err != nil {
		return err
	}
	const usual = 3 // hops, as the schema has it
	for _, q := range []ReachQuery{
		{Direction: Both, Depth: usual}, {Direction: Downstream, Depth: usual}, {Direction: Upstream, Depth: usual},
		{Direction: Both, Depth: MaxDepth}, {Direction: Both, Depth: 1}, {Direction: Both, Depth: 2},
	} {
		q.Node = string(KindAsset) + "_of_nothing"
		if _, err := s.Reach(ctx, Audience{}, q); err != nil {
			return err
		}
	}
	_, err := (&guard{store: s}).order(ctx)
	return err
}
