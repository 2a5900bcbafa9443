package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/ingest"
	"github.com/strata-gateway/strata/ingest/dbt"
	"github.com/strata-gateway/strata/internal/gql"
)

func (r *mutationResolver) IngestDbt(ctx context.Context, manifest graphql.Upload, catalog *graphql.Upload, runResults *graphql.Upload, datasource *string) (*gql.IngestPayload, error) {
	w, err := r.writer(ctx, authz.Ingest)
	if err != nil {
		return nil, err
	}
	name, err := datasourceName(datasource)
	if err != nil {
		return nil, err
	}
	set, err := dbt.Read(ctx, dbt.Files{Manifest: manifest.File, Catalog: content(catalog), RunResults: content(runResults)})
	if err != nil {
		return nil, err
	}
	summary, err := ingest.Apply(ctx, r.Store, w, set, name)
	if err != nil {
		return nil, err
	}
	return &gql.IngestPayload{Project: set.Project, Summary: &summary}, nil
}
