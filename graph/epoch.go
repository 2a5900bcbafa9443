package graph

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
)

// Family is what an epoch covers.
type Family int

// The families of epochs (docs/operations.md, "Epochs").
const (
	// FamilyLineage: edges, external nodes.
	FamilyLineage Family = iota
	// FamilyCatalog: assets, columns, datasources and their identity.
	FamilyCatalog
	// FamilyVerdict: verdicts.
	FamilyVerdict
	// FamilyDirectory: users, memberships, teams, groups.
	FamilyDirectory
	// FamilyPolicy: what configures decisions.
	FamilyPolicy
	families
)

// shards is how many counters a family has for each class: one counter alone made every writer of a
// workspace wait for every other. What belongs to the organization changes seldom, and every request reads
// its counters too: there it is one.
const (
	shards = 16
	lists  = shards + 1
)

func classes() []Class { return []Class{ClassFull, ClassOrgHidden, ClassRestricted} }

// slot is where the counter of a family and class stands in a shard's list.
func slot(f Family, classIndex int) int { return int(f)*len(classes()) + classIndex }

// slots is how many counters a shard's list has. Behind them stands which shard it is, counted on from a
// workspace's to the organization's.
func slots() int { return int(families) * len(classes()) }

// touched says which counters a transaction must raise: by workspace and shard, the slots.
type touched map[epochKey]map[int]bool

type epochKey struct {
	workspace string
	shard     int
}

// touch notes that a family changed at object id, which is hidden to the given rank: only classes that
// see the object learn that something changed.
//
// SECURITY: a hidden write raises no number that a class it is hidden from can read
// (TestHiddenWritesRaiseNoVisibleEpoch).
func (t *tx) touch(f Family, workspace, id string, hidden int) {
	key := epochKey{workspace: workspace}
	if workspace != t.store.organization {
		key.shard = shardOf(id)
	}
	if t.touched[key] == nil {
		t.touched[key] = map[int]bool{}
	}
	for i, c := range classes() {
		if hidden < c.hiddenFrom() {
			t.touched[key][slot(f, i)] = true
		}
	}
}

func shardOf(id string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id)) // a hash never fails to write
	return int(h.Sum32() % shards)
}

// bumps are the parameters of the raise, in a fixed order so that two transactions lock alike.
func (t touched) bumps() []any {
	keys := slices.SortedFunc(maps.Keys(t), func(a, b epochKey) int {
		if a.workspace != b.workspace {
			if a.workspace < b.workspace {
				return -1
			}
			return 1
		}
		return a.shard - b.shard
	})
	out := make([]any, 0, len(keys))
	for _, k := range keys {
		out = append(out, map[string]any{
			"workspace": k.workspace, "shard": k.shard,
			"slots": slices.Sorted(maps.Keys(t[k])),
		})
	}
	return out
}

// Epochs are the counters that a request read first: the workspace's and the organization's.
type Epochs struct {
	shards [][]int64 // a list of slots for each shard of the workspace, then one for the organization
}

// Known reports whether they were read: the zero value tells of no change.
func (e Epochs) Known() bool { return len(e.shards) == lists }

// readEpochs reads the lists of counters of a workspace and of the organization, in whatever order they
// come: the last element of each says which one it is.
//
// SECURITY: a missing counter is an error. A version without it would stay the same over changes
// (TestMissingCountersAreAnError).
func readEpochs(v any) (Epochs, error) {
	found := list(v)
	if len(found) != lists {
		return Epochs{}, fmt.Errorf("a workspace has %d lists of counters, not %d", len(found), lists)
	}
	e := Epochs{shards: make([][]int64, lists)}
	for _, f := range found {
		counters := list(f)
		shard := make([]int64, len(counters))
		for i, c := range counters {
			shard[i], _ = c.(int64)
		}
		if len(shard) != slots()+1 || shard[slots()] < 0 || shard[slots()] >= lists || e.shards[shard[slots()]] != nil {
			return Epochs{}, fmt.Errorf("a list of counters that is none: %v", shard)
		}
		e.shards[shard[slots()]] = shard[:slots()]
	}
	return e, nil
}

// Version is the version of a family as a class sees it: equal versions mean that nothing changed in
// between. It is opaque and safe in a URL.
func (e Epochs) Version(f Family, c Class) string {
	index := slices.Index(classes(), c)
	if index < 0 {
		return ""
	}
	var b []byte
	for _, shard := range e.shards {
		b = binary.AppendUvarint(b, uint64(shard[slot(f, index)]))
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

const epochsQuery = `
MATCH (w:Workspace {id: $workspace})-[:HAS_EPOCH]->(e:Epoch)
RETURN collect(e.v)`

// Epochs are the counters of a workspace and of the organization as they are now. It goes to the leader.
func (s *Store) Epochs(ctx context.Context, workspace string) (Epochs, error) {
	rows, err := s.autoCommit(ctx, writeMode, epochsQuery, map[string]any{"workspace": workspace})
	if err != nil {
		return Epochs{}, err
	}
	return readEpochs(rows[0][0])
}
