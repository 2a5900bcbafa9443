package ingest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/strata-gateway/strata/graph"
)

func TestIdentify(t *testing.T) {
	a, b, c := source("a", "POSTGRESQL", "a"), source("b", "POSTGRESQL", "b"), source("c", "POSTGRESQL", "c")
	places := map[Place]*graph.Datasource{{Database: "a"}: a, {Database: "b"}: b, {Database: "c"}: c}
	shop := func(builds string, reads ...string) ChangeSet {
		set := ChangeSet{Project: "shop", Speaker: "dbt:shop"}
		for _, database := range builds {
			set.Assets = append(set.Assets, Asset{IngestAsset: graph.IngestAsset{Builds: true}, Place: Place{Database: string(database)}})
		}
		for _, database := range reads {
			set.Assets = append(set.Assets, Asset{Place: Place{Database: database}})
		}
		return set
	}
	known := func(homes ...string) graph.Landing {
		var l graph.Landing
		for _, home := range homes {
			l.Projects = append(l.Projects, graph.Project{Producer: "known " + home, Home: home})
		}
		return l
	}
	for _, tt := range []struct {
		name           string
		set            ChangeSet
		known          graph.Landing
		producer, home string
		warns          bool
	}{
		{"the first", shop("aab"), known(), "dbt:shop@id-a", "id-a", false},
		{"what it reads does not count", shop("b", "a", "a"), known(), "dbt:shop@id-b", "id-b", false},
		{"it builds nothing", shop("", "a", "b", "b"), known(), "dbt:shop@id-b", "id-b", false},
		{"of equals the first", shop("ba"), known(), "dbt:shop@id-a", "id-a", false},
		{"again", shop("aab"), known("id-a"), "known id-a", "id-a", false},
		{"most of it moved", shop("abb"), known("id-a"), "known id-a", "id-a", false},
		{"most of it moved to where another is", shop("abb"), known("id-a", "id-b"), "known id-b", "id-b", false},
		{"it builds a little in two others", shop("abccc"), known("id-a", "id-b"), "dbt:shop@id-c", "id-c", true},
		{"another of the name", shop("bb"), known("id-a"), "dbt:shop@id-b", "id-b", true},
		{"another that only reads there", shop("bb", "a"), known("id-a"), "dbt:shop@id-b", "id-b", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			producer, home, warning := identify(tt.set, tt.known, places)
			assert.Equal(t, []string{tt.producer, tt.home}, []string{producer, home})
			assert.Equal(t, tt.warns, warning != "", warning)
		})
	}
}
