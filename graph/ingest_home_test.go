package graph_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
)

func TestProjectsOfOneNameAreFoundWithTheirHomes(t *testing.T) {
	w := newWorld(t)
	lake, shore := w.datasource(graph.NewDatasource{Name: "lake", Kind: "DUCKDB"}), w.datasource(graph.NewDatasource{Name: "shore", Kind: "DUCKDB"})
	old := stated("shop", shore.ID, true, "a", "b") // as kept before projects had homes
	old.Assets = append(old.Assets, stated("shop", lake.ID, true, "c").Assets...)
	old.Datasource = lake.ID
	w.ingest(old)
	second := stated("shop", lake.ID, true, "d")
	second.Producer, second.Home = graph.ProducerOf("dbt:shop", lake.ID), lake.ID
	w.ingest(second)
	w.ingest(stated("shopping", lake.ID, true, "e"))

	var found graph.Landing
	look := func(email string) []graph.Project {
		_, err := w.store.ApplyIngest(t.Context(), w.as(email, authz.Ingest), "dbt:shop", func(l graph.Landing) (graph.Ingest, error) {
			found = l
			return old, nil
		})
		if email == w.email(graph.RoleManager) {
			require.NoError(t, err)
		}
		for i, p := range found.Projects {
			if p.Kept != nil {
				assert.Equal(t, lake.ID, p.Kept.ID)
				found.Projects[i].Kept = &graph.Datasource{}
			}
		}
		return found.Projects
	}
	first, other := graph.Project{Producer: "dbt:shop", Home: shore.ID}, graph.Project{Producer: second.Producer, Home: lake.ID}
	assert.Equal(t, []graph.Project{first, other}, look(w.email(graph.RoleMember)), "what is kept is for who may edit it")
	first.Kept = &graph.Datasource{}
	assert.Equal(t, []graph.Project{first, other}, look(w.email(graph.RoleManager)))
}
