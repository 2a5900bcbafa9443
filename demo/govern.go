package demo

import (
	"context"
	"fmt"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
)

// What the demo's admin governs.
const (
	// restricted is hidden from restricted viewers.
	restricted = ".journal_entries"
	// auditors are a group of the directory with whom the admin's suites on audited are shared.
	auditors = "auditors"
	audited  = ".fct_orders"
)

// govern hides one asset from restricted viewers and shares suites with a group. Putting the viewer into the
// group comes last: it tells that all was done.
func (e estate) govern(ctx context.Context) error {
	hidden, err := e.assetEndingIn(ctx, restricted)
	if err != nil {
		return err
	}
	w, err := authz.Writer(ctx, requestID, authz.UpdateAsset)
	if err != nil {
		return err
	}
	change := graph.AssetChange{IsRestricted: graph.Change[bool]{Set: true, Value: true}}
	if _, err := e.store.UpdateAsset(ctx, w, hidden.ID, change); err != nil {
		return err
	}
	group, err := e.auditors(ctx)
	if err != nil {
		return err
	}
	if err := e.shareWith(ctx, group.ID); err != nil {
		return err
	}
	viewer, err := e.signIn(ctx, Viewer)
	if err != nil {
		return err
	}
	who, err := authz.CallerFrom(viewer)
	if err != nil {
		return err
	}
	_, err = e.setGroup(ctx, graph.GroupChange{ID: group.ID, Add: []string{who.User.ID}})
	return err
}

// auditors is the group, made if it is not there yet.
func (e estate) auditors(ctx context.Context) (*graph.Group, error) {
	if found, err := e.findAuditors(ctx); err != nil || found != nil {
		return found, err
	}
	name := auditors
	return e.setGroup(ctx, graph.GroupChange{Name: &name})
}

// findAuditors is the group, nil if it is not there.
func (e estate) findAuditors(ctx context.Context) (*graph.Group, error) {
	audience, err := authz.AudienceFrom(ctx)
	if err != nil {
		return nil, err
	}
	page, err := e.store.GroupList(ctx, audience, graph.Position{First: 1, After: true, Text: auditors}) // names are unique, and every id is behind ""
	if err != nil || len(page.Items) == 0 || page.Items[0].Name != auditors {
		return nil, err
	}
	return page.Items[0], nil
}

func (e estate) setGroup(ctx context.Context, c graph.GroupChange) (*graph.Group, error) {
	w, err := authz.Writer(ctx, requestID, authz.ManageDirectory)
	if err != nil {
		return nil, err
	}
	return e.store.SetGroup(ctx, w, c)
}

// shareWith lets the group view the caller's own suites on the audited asset.
func (e estate) shareWith(ctx context.Context, group string) error {
	asset, err := e.assetEndingIn(ctx, audited)
	if err != nil {
		return err
	}
	c, err := authz.CallerFrom(ctx)
	if err != nil {
		return err
	}
	page, err := e.store.SuiteList(ctx, c.Scope(), graph.SuiteFilter{Asset: asset.ID}, graph.Position{First: 50})
	if err != nil {
		return err
	}
	w, err := authz.Writer(ctx, requestID, authz.ShareSuite)
	if err != nil {
		return err
	}
	for _, s := range page.Items {
		if s.Owner != c.User.ID {
			continue
		}
		if _, err := e.store.ShareSuite(ctx, w, graph.NewShare{Suite: s.ID, Group: group, Permission: graph.ShareView}); err != nil {
			return err
		}
	}
	return nil
}

// assetEndingIn is the demo's asset whose name ends so.
func (e estate) assetEndingIn(ctx context.Context, suffix string) (*graph.Asset, error) {
	scope, err := authz.ScopeFrom(ctx)
	if err != nil {
		return nil, err
	}
	order := graph.AssetOrder{Field: graph.OrderByName, Direction: graph.Ascending}
	page, err := e.store.AssetList(ctx, scope, graph.AssetFilter{NameContains: suffix}, order, graph.Position{First: 50})
	if err != nil {
		return nil, err
	}
	for _, a := range page.Items {
		if a.Workspace == e.workspace && len(a.Name) > len(suffix) && a.Name[len(a.Name)-len(suffix):] == suffix {
			return a, nil
		}
	}
	return nil, fmt.Errorf("no asset ends in %s", suffix)
}
