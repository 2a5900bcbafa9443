package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/strata-gateway/strata/server/authn"
)

// legacyShare is a line of a file of shares.
type legacyShare struct {
	Suite, Asset, User, Permission string
	line                           int
}

// maxShareLine bounds a line in bytes.
const maxShareLine = 64 << 10

// readShares reads all lines before anything is granted. Errors: a line that is no such object.
func readShares(in io.Reader) ([]legacyShare, error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxShareLine)
	var all []legacyShare
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		s := legacyShare{line: n}
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.DisallowUnknownFields()
		if err := d.Decode(&s); err != nil || s.Suite == "" || s.User == "" {
			return nil, fmt.Errorf(`line %d: give {"suite": …, "asset": …, "user": …, "permission": …}, the asset only with a suite's name`, n)
		}
		s.User = authn.NormalizeEmail(s.User)
		all = append(all, s)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("the shares cannot be read: %w", err)
	}
	return all, nil
}

// grants is what becomes of a legacy permission: "" for none.
func (s legacyShare) grants(role string) (permission, remark string, err error) {
	switch strings.ToLower(s.Permission) {
	case "view":
		return "VIEW", "", nil
	case "edit":
		permission = "EDIT"
	case "admin":
		permission, remark = "EDIT", " (was admin)"
	case "owner":
		return "", "", nil
	default:
		return "", "", fmt.Errorf("the permission %q is none of view, edit, admin, owner", s.Permission)
	}
	if role == "VIEWER" {
		return "VIEW", remark + " (a VIEWER of the workspace)", nil
	}
	return permission, remark, nil
}

// importShare grants one share and says what it did.
func (c *client) importShare(ctx context.Context, s legacyShare, members map[string]member, dryRun bool) (string, error) {
	m, known := members[s.User]
	if !known {
		return "", errors.New("no member of the workspace has this address")
	}
	permission, remark, err := s.grants(m.role)
	if err != nil {
		return "", err
	}
	if permission == "" {
		return "nothing to grant: an owner needs no share", nil
	}
	suite, err := c.findSuite(ctx, s)
	if err != nil {
		return "", err
	}
	if dryRun {
		return "would grant " + permission + remark, nil
	}
	return "granted " + permission + remark, c.share(ctx, suite, m.id, permission)
}

// member is who a share can go to.
type member struct{ id, role string }

const membersQuery = `query Members($after: String) {
  members(first: 200, after: $after) { pageInfo { hasNextPage endCursor } edges { node { role user { id email } } } }
}`

// members are those of the workspace, by address.
func (c *client) members(ctx context.Context) (map[string]member, error) {
	all := map[string]member{}
	for after := any(nil); ; {
		var data struct {
			Members struct {
				PageInfo struct {
					HasNextPage bool
					EndCursor   string
				}
				Edges []struct {
					Node struct {
						Role string
						User struct{ ID, Email string }
					}
				}
			}
		}
		if err := c.query(ctx, membersQuery, map[string]any{"after": after}, &data); err != nil {
			return nil, err
		}
		for _, e := range data.Members.Edges {
			all[e.Node.User.Email] = member{id: e.Node.User.ID, role: e.Node.Role}
		}
		if !data.Members.PageInfo.HasNextPage {
			return all, nil
		}
		after = data.Members.PageInfo.EndCursor
	}
}

const suitesQuery = `query Suites($name: String!, $after: String) {
  suites(first: 200, after: $after, filter: {nameContains: $name}) {
    pageInfo { hasNextPage endCursor } edges { node { id name asset { name } } }
  }
}`

// findSuite is the id of the suite that a share names. Errors: there is none, or several.
func (c *client) findSuite(ctx context.Context, s legacyShare) (string, error) {
	if s.Asset == "" && strings.HasPrefix(s.Suite, "suite_") {
		return s.Suite, nil
	}
	found := ""
	for after := any(nil); ; {
		var data struct {
			Suites struct {
				PageInfo struct {
					HasNextPage bool
					EndCursor   string
				}
				Edges []struct {
					Node struct {
						ID, Name string
						Asset    struct{ Name string }
					}
				}
			}
		}
		if err := c.query(ctx, suitesQuery, map[string]any{"name": s.Suite, "after": after}, &data); err != nil {
			return "", err
		}
		for _, e := range data.Suites.Edges {
			if e.Node.Name != s.Suite || (s.Asset != "" && e.Node.Asset.Name != s.Asset) {
				continue
			}
			if found != "" {
				return "", errors.New("several suites have this name: name the asset as well, or give the suite's id")
			}
			found = e.Node.ID
		}
		if !data.Suites.PageInfo.HasNextPage {
			break
		}
		after = data.Suites.PageInfo.EndCursor
	}
	if found == "" {
		return "", errors.New("there is no such suite, or it is not yours to see")
	}
	return found, nil
}

const shareMutation = `mutation Share($suite: ID!, $user: ID!, $permission: SharePermission!) {
  shareSuite(input: {suite: $suite, user: $user, permission: $permission}) { share { id } }
}`

func (c *client) share(ctx context.Context, suite, user, permission string) error {
	var data any
	return c.query(ctx, shareMutation, map[string]any{"suite": suite, "user": user, "permission": permission}, &data)
}
