package resolvers

import (
	"context"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
)

// explain says why someone may do something or not, nil if the object is not there for the caller or the
// subject is no member.
func (r *Resolver) explain(ctx context.Context, c *authz.Caller, a authz.Access, subject, object string) (*authz.Explanation, error) {
	there, err := r.isThere(ctx, c, a.About, object)
	if err != nil || !there {
		return nil, err
	}
	who, err := r.other(ctx, c, subject)
	if err != nil || who == nil {
		return nil, err
	}
	held, err := r.held(ctx, c, who, a, object)
	if err != nil {
		return nil, err
	}
	return a.Explain(who, object, held), nil
}

// isThere reports whether an object exists for the caller.
func (r *Resolver) isThere(ctx context.Context, c *authz.Caller, about graph.Kind, object string) (bool, error) {
	ids := []string{object}
	switch about {
	case graph.KindSuite:
		found, err := r.Store.Suites(ctx, c.Scope(), ids)
		suite := found[object]
		return suite != nil && authz.OnSuite(c, suite.SuiteFacts, authz.SuiteView, "suite").Allowed, err
	case graph.KindDatasource:
		found, err := r.Store.DatasourceFacts(ctx, c.Scope(), ids)
		return len(found) > 0, err
	case graph.KindAsset:
		found, err := r.Store.Assets(ctx, c.Audience, ids)
		return len(found) > 0, err
	}
	return object == c.Audience.Workspace, nil
}

// other is who a member of the caller's workspace is, as a request of theirs would find them; nil if there
// is no such member.
func (r *Resolver) other(ctx context.Context, c *authz.Caller, user string) (*authz.Caller, error) {
	if user == c.User.ID {
		return c, nil
	}
	email, err := r.Store.MemberEmail(ctx, c.Scope(), user)
	if err != nil || email == "" {
		return nil, err
	}
	facts, _, err := r.Store.Caller(ctx, email, c.Audience.Workspace)
	if err != nil {
		return nil, err
	}
	return c.Other(facts), nil
}

// held reads what someone holds that counts for an access to an object, as far as c may be told.
func (r *Resolver) held(ctx context.Context, c, who *authz.Caller, a authz.Access, object string) (authz.Held, error) {
	switch a.About {
	case graph.KindSuite:
		return r.heldOnSuite(ctx, c, who, object)
	case graph.KindDatasource:
		return r.heldOnDatasource(ctx, who, object)
	case graph.KindAsset:
		found, err := r.Store.Assets(ctx, who.Audience, []string{object})
		if err != nil || found[object] == nil {
			return authz.Held{Hidden: true}, err
		}
		if a.HeldOn == graph.KindDatasource {
			return r.heldOnDatasource(ctx, who, found[object].Datasource.ID)
		}
	}
	return authz.Held{}, nil
}

func (r *Resolver) heldOnSuite(ctx context.Context, c, who *authz.Caller, id string) (authz.Held, error) {
	scope, ids := who.Scope(), []string{id}
	if scope.Groups.Exceeded && !scope.AllSuites {
		return authz.Held{Untold: true}, nil
	}
	found, err := r.Store.Suites(ctx, scope, ids)
	if err != nil || found[id] == nil {
		return authz.Held{Hidden: true}, err
	}
	shares, err := r.Store.Shares(ctx, scope, ids)
	if err != nil {
		return authz.Held{}, err
	}
	facts := found[id].SuiteFacts
	return authz.Held{
		Facts: graph.Facts{Suites: []graph.SuiteFacts{facts}}, Shares: shares[id],
		// The facts are the subject's: of oneself, or read by an admin, whom those of anyone give ADMIN.
		SharesTold: authz.OnSuite(c, facts, authz.SuiteAdmin, "suite").Allowed,
	}, nil
}

func (r *Resolver) heldOnDatasource(ctx context.Context, who *authz.Caller, id string) (authz.Held, error) {
	found, err := r.Store.DatasourceFacts(ctx, who.Scope(), []string{id})
	facts, ok := found[id]
	if err != nil || !ok {
		return authz.Held{Hidden: true}, err
	}
	teams, err := r.Store.HeldByTeams(ctx, who.Scope(), id)
	if err != nil {
		return authz.Held{}, err
	}
	return authz.Held{Facts: graph.Facts{Datasources: []graph.DatasourceFacts{facts}}, Teams: teams}, nil
}
