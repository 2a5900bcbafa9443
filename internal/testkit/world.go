package testkit

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/graph"
)

// World is a workspace of a test's own, and who is in it.
type World struct {
	Store     *graph.Store
	Workspace string
	Policy    *authz.Policy

	t       testing.TB
	members map[string]Member
	groups  map[string]string // ids by name
	runs    int
}

// T is the test that the world belongs to.
func (w *World) T() testing.TB { return w.t }

// Member is a member of a world.
type Member struct{ ID, Email string }

// NewWorld makes a workspace with a random name in the store of the test server. What it holds stays
// there until the server ends.
func NewWorld(t testing.TB, options ...Option) *World {
	t.Helper()
	s := apply(options)
	if s.name == "" {
		s.name = RandomName()
	}
	w := &World{Store: Store(t, options...), Workspace: s.name, t: t, members: map[string]Member{}, groups: map[string]string{}}
	admins := s.admins
	for _, name := range s.listed {
		admins = append(admins, w.address(name))
	}
	w.Policy = authz.NewPolicy(admins...)
	require.NoError(t, w.Store.EnsureWorkspace(t.Context(), w.Workspace))
	return w
}

// RandomName is a name that no other world has.
func RandomName() string {
	var suffix [6]byte
	_, _ = rand.Read(suffix[:]) // never fails
	return "t-" + hex.EncodeToString(suffix[:])
}

// Member is the world's member of a role; it joins when it is first asked for.
func (w *World) Member(role graph.Role) Member {
	w.t.Helper()
	return w.Enrol(strings.ToLower(string(role)), role, graph.Unrestricted)
}

// Restricted is the world's viewer from whom restricted assets are hidden.
func (w *World) Restricted() Member {
	w.t.Helper()
	return w.Enrol("restricted", graph.RoleViewer, graph.Restricted)
}

// Enrol is the member of a name, unique in the world, who joins when first asked for.
func (w *World) Enrol(name string, role graph.Role, access graph.ViewerAccess) Member {
	w.t.Helper()
	if m, ok := w.members[name]; ok {
		return m
	}
	m := Member{Email: w.address(name)}
	var err error
	m.ID, err = w.Store.EnsureMember(w.t.Context(), w.Workspace, m.Email, role, access)
	require.NoError(w.t, err)
	w.members[name] = m
	return m
}

func (w *World) address(name string) string { return name + "@" + w.Workspace + ".test" }

// Caller is who a member is now.
func (w *World) Caller(m Member) *authz.Caller {
	w.t.Helper()
	facts, epochs, err := w.Store.Caller(w.t.Context(), m.Email, w.Workspace)
	require.NoError(w.t, err)
	c, err := w.Policy.Caller(facts)
	require.NoError(w.t, err)
	c.Epochs = epochs
	return c
}

// Writer is a member who asks for a change under a rule.
func (w *World) Writer(m Member, rule authz.Rule) graph.Writer {
	w.t.Helper()
	writer, err := authz.Writer(authz.WithCaller(w.t.Context(), w.Caller(m)), "testkit", rule)
	require.NoError(w.t, err)
	return writer
}
