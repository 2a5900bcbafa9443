package ingest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

func source(name string, kind graph.DatasourceKind, database string, schemas ...string) *graph.Datasource {
	d := &graph.Datasource{ID: "id-" + name, Name: name, Kind: kind, Schemas: schemas}
	if database != "" {
		d.Database = &database
	}
	return d
}

func TestResolve(t *testing.T) {
	prod, staging := source("prod", "POSTGRESQL", "shop"), source("staging", "POSTGRESQL", "shop")
	raw, anyLake := source("raw", "POSTGRESQL", "lake", "raw"), source("any", "POSTGRESQL", "")
	other := source("other", "OTHER", "")
	shop := Place{"POSTGRESQL", "shop", "marts"}
	tests := []struct {
		name      string
		place     Place
		all       []*graph.Datasource
		preferred *graph.Datasource
		want      *graph.Datasource
		says      string
	}{
		{"the only one", shop, []*graph.Datasource{prod, raw, other}, nil, prod, ""},
		{"without regard to case", Place{"POSTGRESQL", "SHOP", "x"}, []*graph.Datasource{prod}, nil, prod, ""},
		{"its schema", Place{"POSTGRESQL", "lake", "RAW"}, []*graph.Datasource{prod, raw}, nil, raw, ""},
		{"not its schema", Place{"POSTGRESQL", "lake", "x"}, []*graph.Datasource{prod, raw}, nil, nil, `POSTGRESQL database "lake" schema "x" (1 relations) belongs to none`},
		{"any database", Place{"POSTGRESQL", "lake", "x"}, []*graph.Datasource{prod, anyLake}, nil, anyLake, ""},
		{"a named database goes before any", shop, []*graph.Datasource{anyLake, prod}, nil, prod, ""},
		{"no database", Place{"POSTGRESQL", "", "x"}, []*graph.Datasource{prod, other}, nil, prod, ""},
		{"two fit", shop, []*graph.Datasource{prod, staging}, nil, nil, "fits several: prod, staging"},
		{"two fit, one is preferred", shop, []*graph.Datasource{prod, staging}, staging, staging, ""},
		{"preferred, but another fits alone", shop, []*graph.Datasource{prod, raw}, raw, prod, ""},
		{"preferred, and none fits", shop, []*graph.Datasource{other}, other, other, ""},
		{"preferred and fits, and a more exact one too", shop, []*graph.Datasource{anyLake, prod}, anyLake, anyLake, ""},
		{"none at all", shop, nil, nil, nil, "There are no datasources in this workspace yet."},
		{"what there is", shop, []*graph.Datasource{raw}, nil, nil, `Datasources here: raw (POSTGRESQL, database "lake", schemas raw).`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found, err := resolve([]Asset{{Place: tt.place}}, tt.all, tt.preferred)
			if tt.says != "" {
				f := fault.Of(err)
				require.NotNil(t, f)
				assert.Equal(t, fault.CodeBadUserInput, f.Code)
				assert.Equal(t, "datasource", f.Field)
				assert.Contains(t, f.Message, tt.says)
				return
			}
			require.NoError(t, err)
			assert.Same(t, tt.want, found[tt.place])
		})
	}
}

func TestPreferredDatasource(t *testing.T) {
	prod := source("prod", "POSTGRESQL", "shop")
	l := graph.Landing{Datasources: []*graph.Datasource{prod}, Projects: []graph.Project{{Kept: prod}, {}, {Kept: prod}}}
	got, err := preferredDatasource(l, "")
	require.NoError(t, err)
	assert.Same(t, prod, got, "the one kept for the project")
	several := graph.Landing{Projects: []graph.Project{{Kept: prod}, {Kept: source("staging", "POSTGRESQL", "shop")}}}
	got, err = preferredDatasource(several, "")
	require.NoError(t, err)
	assert.Nil(t, got, "different ones for projects of one name")
	_, err = preferredDatasource(l, "stagign")
	f := fault.Of(err)
	require.NotNil(t, f)
	assert.Equal(t, `There is no datasource "stagign". Datasources here: prod (POSTGRESQL, database "shop").`, f.Message)
}
