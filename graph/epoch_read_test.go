package graph

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// counters are the lists of a workspace and the organization, each counter at the number of its shard.
func counters() []any {
	lists := make([]any, 2*shards)
	for shard := range lists {
		list := make([]any, slots()+1)
		for i := range list {
			list[i] = int64(shard)
		}
		lists[shard] = list
	}
	return lists
}

func TestVersionsDoNotDependOnTheOrderOfTheLists(t *testing.T) {
	lists := counters()
	e, err := readEpochs(lists)
	require.NoError(t, err)
	lists[0], lists[1], lists[17], lists[31] = lists[31], lists[17], lists[0], lists[1]
	again, err := readEpochs(lists)
	require.NoError(t, err)
	assert.Equal(t, e.Version(FamilyLineage, ClassFull), again.Version(FamilyLineage, ClassFull))
	assert.NotEmpty(t, e.Version(FamilyLineage, ClassFull))
}

func TestMissingCountersAreAnError(t *testing.T) {
	twice := counters()
	twice[3] = twice[4]
	short := counters()
	short[3] = []any{int64(1), int64(3)}
	beyond := counters()
	beyond[3] = append(append([]any{}, beyond[3].([]any)[:slots()]...), int64(2*shards))
	for name, lists := range map[string][]any{"none": nil, "one less": counters()[1:], "one twice": twice, "a short one": short, "one of no shard": beyond} {
		t.Run(name, func(t *testing.T) {
			_, err := readEpochs(lists)
			assert.Error(t, err)
		})
	}
}
