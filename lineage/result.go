package lineage

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"github.com/strata-gateway/strata/cache"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// Result is all that an impact found, or a ranking, in order. It is shared, and must not be changed.
type Result struct {
	All []graph.Impacted
	// Beyond is set if there is more that is not listed.
	Beyond bool
	// Version is that of the graph that it was found in.
	Version string
	// Digest is that of everything listed, in its order.
	Digest []byte
	// Bytes is about what it takes in memory.
	Bytes int
}

// impactedSize is what a result takes in memory beside its texts, in bytes: about.
const impactedSize = 100

// told is a result with what is told of what it lists.
func (r Result) told(version string) Result {
	h := sha256.New()
	_ = json.NewEncoder(h).Encode(r.All) // plain values into a hash: cannot fail
	r.Version, r.Digest = version, h.Sum(nil)
	for _, x := range r.All {
		r.Bytes += impactedSize + len(x.ID) + len(x.Name) + len(x.Owner)
	}
	return r
}

// Pins keep the results that cursors are pinned to, by name.
type Pins interface {
	Get(ctx context.Context, name string) (Result, bool)
	Put(ctx context.Context, name string, r Result)
}

// result returns the result that a page is of, and its name: the one that the page's cursor carries, "" for the first
// page. One that is not kept is computed once for all who ask for it meanwhile, and is the same if what it lists is:
// another replica may have found it, or a change may have touched nothing of it. Errors: CURSOR_EXPIRED.
func (i *Impacts) result(ctx context.Context, asked Asked, of string, q any, carried string, find func(context.Context) (Result, error)) (Result, string, error) {
	if carried != "" {
		if r, ok := i.pins.Get(ctx, carried); ok {
			return r, carried, nil
		}
	}
	area := cache.Area[Result]{Name: of, Size: func(r Result) int { return r.Bytes }}
	r, err := cache.Get(ctx, i.cache, area, asked.results(q), func(ctx context.Context) (cache.Answer[Result], error) {
		return i.compute(ctx, asked, find)
	})
	if err != nil {
		return Result{}, "", err
	}
	name := pinName(asked.Audience, of, q, r)
	if carried != "" && carried != name {
		return Result{}, "", fault.New(fault.CodeCursorExpired, "The result that this cursor is of is not kept any more, and the graph has changed since. Start again from the first page.")
	}
	i.pins.Put(ctx, name, r)
	return r, name, nil
}

// compute finds a result when its turn has come.
func (i *Impacts) compute(ctx context.Context, asked Asked, find func(context.Context) (Result, error)) (cache.Answer[Result], error) {
	release, err := i.computing.Take(ctx)
	if err != nil {
		return cache.Answer[Result]{}, err
	}
	defer release()
	r, err := find(ctx)
	if err != nil {
		return cache.Answer[Result]{}, err
	}
	return cache.Answer[Result]{Value: r.told(asked.version()), Keep: true}, nil
}

// results is the key of what depends on edges, on what filters and orders look at, and on verdicts.
func (a Asked) results(q any) cache.Key {
	k := a.topology(q)
	k.Families = append(k.Families, graph.FamilyVerdict)
	return k
}

// pinName names a result by whom it is for, what was asked, and what it lists. The name goes into cursors, where a
// digest tells nothing of that.
//
// SECURITY: a result of another workspace, class or question has another name, and a cursor that carries one opens for
// its caller alone (TestAPinIsOfOneClassAndItsArguments).
func pinName(a graph.Audience, of string, q any, r Result) string {
	parts, _ := json.Marshal([]any{of, a.Workspace, a.Class, q, r.Beyond, r.Digest}) // plain values: cannot fail
	digest := sha256.Sum256(parts)
	return base64.RawURLEncoding.EncodeToString(digest[:])
}
