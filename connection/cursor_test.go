package connection

import (
	"encoding/base64"
	"testing"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func assets() List {
	return List{Caller: "me", Workspace: "w", Class: "FULL", Field: "assets", Arguments: map[string]string{"tag": "pii"}}
}

func TestACursorOpensForItsOwnListOnly(t *testing.T) {
	s := NewSealer([]byte("key"))
	at := graph.Position{Text: "orders", Number: 7, ID: "asset_1"}
	cursor := s.Seal(assets(), at)
	opened, err := s.Open(assets(), cursor)
	require.NoError(t, err)
	assert.Equal(t, graph.Position{After: true, Text: "orders", Number: 7, ID: "asset_1"}, opened)

	for name, change := range map[string]func(*List){
		"another caller":          func(l *List) { l.Caller = "you" },
		"another workspace":       func(l *List) { l.Workspace = "x" },
		"another class":           func(l *List) { l.Class = "RESTRICTED" },
		"another list":            func(l *List) { l.Field = "suites" },
		"other arguments":         func(l *List) { l.Arguments = map[string]string{"tag": "phi"} },
		"parts joined otherwise":  func(l *List) { l.Caller, l.Workspace = "mew", "" },
		"the arguments left away": func(l *List) { l.Arguments = nil },
	} {
		t.Run(name, func(t *testing.T) {
			l := assets()
			change(&l)
			_, err := s.Open(l, cursor)
			assert.Equal(t, fault.CodeBadUserInput, fault.CodeOf(err))
		})
	}
	_, err = NewSealer([]byte("other")).Open(assets(), cursor)
	assert.Equal(t, fault.CodeBadUserInput, fault.CodeOf(err), "another deployment's key")
}

func TestEachFlippedBitOfACursorIsNoticed(t *testing.T) {
	s := NewSealer([]byte("key"))
	raw, err := base64.RawURLEncoding.DecodeString(s.Seal(assets(), graph.Position{Text: "orders", ID: "asset_1"}))
	require.NoError(t, err)
	for i := range raw {
		for bit := range 8 {
			raw[i] ^= 1 << bit
			_, err := s.Open(assets(), base64.RawURLEncoding.EncodeToString(raw))
			require.Error(t, err)
			raw[i] ^= 1 << bit
		}
	}
}

func TestPositionChecksThePage(t *testing.T) {
	s := NewSealer([]byte("key"))
	number := func(n int) *int { return &n }
	cursor := s.Seal(assets(), graph.Position{ID: "asset_1"})
	for _, c := range []struct {
		name  string
		first *int
		after *string
		field string // of the BAD_USER_INPUT, "" if it is good
	}{
		{"the least", number(1), nil, ""}, {"the most", number(200), nil, ""}, {"a cursor", number(10), &cursor, ""},
		{"none", number(0), nil, "first"}, {"negative", number(-1), nil, "first"}, {"too many", number(201), nil, "first"},
		{"far too many", number(100_000), nil, "first"}, {"null", nil, nil, "first"}, {"no cursor", number(1), new(string), "after"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := s.Position(assets(), c.first, c.after)
			if c.field == "" {
				require.NoError(t, err)
				assert.Equal(t, *c.first, p.First)
				return
			}
			require.Equal(t, fault.CodeBadUserInput, fault.CodeOf(err))
			assert.Equal(t, c.field, fault.Of(err).Field)
		})
	}
}

func FuzzOpen(f *testing.F) {
	s := NewSealer([]byte("key"))
	f.Add("")
	f.Add("AAAA")
	f.Add(s.Seal(List{Field: "suites"}, graph.Position{ID: "suite_1"}))
	f.Fuzz(func(t *testing.T, cursor string) {
		if _, err := s.Open(assets(), cursor); err == nil {
			t.Fatalf("opened a cursor that was not sealed for this list: %q", cursor)
		}
	})
}
