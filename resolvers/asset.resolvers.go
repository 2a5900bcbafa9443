package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/connection"
	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/internal/gql"
	"github.com/strata-gateway/strata/loaders"
)

func (r *assetResolver) Columns(ctx context.Context, obj *graph.Asset, first *int, after *string) (*connection.Connection[*graph.Column], error) {
	l, at, err := r.page(ctx, "asset.columns", obj.ID, first, after)
	if err != nil {
		return nil, err
	}
	page, err := loaders.From(ctx).Columns(ctx, graph.ColumnsOf{Asset: obj.ID, First: at.First, AfterOrdinal: int(at.Number)})
	if err != nil {
		return nil, err
	}
	return connection.New(r.Cursors, l, page, func(c *graph.Column) graph.Position {
		return graph.Position{Number: int64(c.Ordinal), ID: c.ID}
	}), nil
}

func (r *assetResolver) UpstreamCount(ctx context.Context, obj *graph.Asset) (int, error) {
	n, err := loaders.From(ctx).NeighbourCounts(ctx, obj.ID)
	return n.Upstream, err
}

func (r *assetResolver) DownstreamCount(ctx context.Context, obj *graph.Asset) (int, error) {
	n, err := loaders.From(ctx).NeighbourCounts(ctx, obj.ID)
	return n.Downstream, err
}

func (r *assetResolver) Verdict(ctx context.Context, obj *graph.Asset) (*graph.Verdict, error) {
	return loaders.From(ctx).Verdict(ctx, obj.ID)
}

func (r *assetResolver) Suites(ctx context.Context, obj *graph.Asset, first *int, after *string) (*connection.Connection[*graph.Suite], error) {
	l, at, err := r.page(ctx, "asset.suites", obj.ID, first, after)
	if err != nil {
		return nil, err
	}
	found, err := loaders.From(ctx).Suites(ctx, graph.SuitesOf{Asset: obj.ID, First: at.First, After: at.After, AfterName: at.Text, AfterID: at.ID})
	if err != nil {
		return nil, err
	}
	return connection.New(r.Cursors, l, found.Page, suitePosition), nil
}

func (r *assetResolver) RestrictedSuiteCount(ctx context.Context, obj *graph.Asset) (int, error) {
	return r.restrictedSuites(ctx, obj.ID)
}

func (r *mutationResolver) CreateAsset(ctx context.Context, input gql.CreateAssetInput) (*gql.AssetPayload, error) {
	w, err := r.writer(ctx, authz.EditDatasources)
	if err != nil {
		return nil, err
	}
	if err := firstError(
		identified("input.datasource", input.Datasource), named("input.name", input.Name, maxAssetName),
		optional("input.env", input.Env, maxName), validTags("input.tags", input.Tags),
	); err != nil {
		return nil, err
	}
	made, err := r.Store.CreateAsset(ctx, w, graph.NewAsset{
		Datasource: input.Datasource, Name: input.Name, Type: input.Type, Config: input.Config, Env: nonEmpty(input.Env), Tags: input.Tags,
	})
	if err != nil {
		return nil, err
	}
	return &gql.AssetPayload{Asset: made}, nil
}

func (r *mutationResolver) UpdateAsset(ctx context.Context, input gql.UpdateAssetInput) (*gql.AssetPayload, error) {
	w, err := r.writer(ctx, authz.UpdateAsset)
	if err != nil {
		return nil, err
	}
	if err := firstError(
		identified("input.id", input.ID), prose("input.description", input.Description.Value(), maxDescription),
		optional("input.ownerEmail", input.OwnerEmail.Value(), maxEmail), validTags("input.tags", input.Tags.Value()),
	); err != nil {
		return nil, err
	}
	changed, err := r.Store.UpdateAsset(ctx, w, input.ID, graph.AssetChange{
		Description: textChange(input.Description), OwnerEmail: textChange(input.OwnerEmail), Tags: change(input.Tags), Config: change(input.Config),
		IsRestricted: changeFlag(input.IsRestricted),
	})
	if err != nil {
		return nil, err
	}
	return &gql.AssetPayload{Asset: changed}, nil
}

func (r *mutationResolver) DeleteAsset(ctx context.Context, input gql.DeleteAssetInput) (*gql.DeletePayload, error) {
	w, err := r.writer(ctx, authz.DeleteAsset)
	if err != nil {
		return nil, err
	}
	if err := identified("input.id", input.ID); err != nil {
		return nil, err
	}
	if err := r.Store.DeleteAsset(ctx, w, input.ID); err != nil {
		return nil, err
	}
	return &gql.DeletePayload{ID: input.ID}, nil
}

func (r *queryResolver) Asset(ctx context.Context, id *string, name *string, datasource *string) (*graph.Asset, error) {
	audience, err := authz.AudienceFrom(ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case id != nil && name == nil && datasource == nil:
		if err := identified("id", *id); err != nil {
			return nil, err
		}
		return loaders.From(ctx).Asset(ctx, *id)
	case id == nil && name != nil && datasource != nil:
		if err := identified("datasource", *datasource); err != nil {
			return nil, err
		}
		return r.Store.AssetNamed(ctx, audience, *datasource, *name)
	}
	return nil, fault.BadInput("id", "Pass either id, or name and datasource.")
}

func (r *queryResolver) Assets(ctx context.Context, filter *graph.AssetFilter, orderBy *graph.AssetOrder, first *int, after *string) (*connection.Connection[*graph.Asset], error) {
	scope, err := authz.ScopeFrom(ctx)
	if err != nil {
		return nil, err
	}
	asked := assetListArguments(filter, orderBy)
	if err := validFilter(asked.Filter); err != nil {
		return nil, err
	}
	l, at, err := r.page(ctx, "assets", asked, first, after)
	if err != nil {
		return nil, err
	}
	page, err := r.Store.AssetList(ctx, scope, asked.Filter, asked.Order, at)
	if err != nil {
		return nil, err
	}
	announceAssets(ctx, page.Items)
	return connection.New(r.Cursors, l, page, func(a *graph.Asset) graph.Position {
		return graph.AssetPosition(a, asked.Order.Field)
	}), nil
}

func (r *Resolver) Asset() gql.AssetResolver { return &assetResolver{r} }

type assetResolver struct{ *Resolver }
