package graph

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// counters are the lists of a workspace and the organization, each counter at the number of its shard.
func counters() []any {
	all := make([]any, lists)
	for shard := range all {
		list := make([]any, slots()+1)
		for i := range list {
			list[i] = int64(shard)
		}
		all[shard] = list
	}
	return all
}

func TestVersionsDoNotDependOnTheOrderOfTheLists(t *testing.T) {
	read := counters()
	e, err := readEpochs(read)
	require.NoError(t, err)
	read[0], read[1], read[7], read[16] = read[16], read[7], read[0], read[1]
	again, err := readEpochs(read)
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
	beyond[3] = append(append([]any{}, beyond[3].([]any)[:slots()]...), int64(lists))
	for name, found := range map[string][]any{"none": nil, "one less": counters()[1:], "one twice": twice, "a short one": short, "one of no shard": beyond} {
		t.Run(name, func(t *testing.T) {
			_, err := readEpochs(found)
			assert.Error(t, err)
		})
	}
}
