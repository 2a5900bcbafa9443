// Package connection makes Relay connections of the pages that the store finds: it checks `first` and
// `after`, and seals cursors so that one is good for the same caller, list and arguments only.
package connection

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/graph"
)

// Sealer makes and opens cursors. All replicas share its key.
type Sealer struct{ key []byte }

// NewSealer makes a sealer with a secret key.
func NewSealer(key []byte) *Sealer { return &Sealer{key: key} }

// List names a list for its cursors: whose it is, in which workspace, which one, and every argument but
// the page's. A cursor opens only for an equal list.
type List struct {
	Caller, Workspace, Class string
	// Field is the list's name, for example "assets" or "suite.runs".
	Field string
	// Arguments are those that shape the list, encoded as JSON.
	Arguments any
}

// sealed is what a cursor says: the key of the entry it stands on.
type sealed struct {
	Text   string `json:"t,omitempty"`
	Number int64  `json:"n,omitempty"`
	ID     string `json:"i"`
}

const macSize = 16

func (s *Sealer) mac(l List, payload []byte) []byte {
	m := hmac.New(sha256.New, s.key)
	_ = json.NewEncoder(m).Encode(l) // lists are made of plain values; JSON keeps their parts apart
	m.Write(payload)
	return m.Sum(nil)[:macSize]
}

// Seal is the cursor of a position in a list.
func (s *Sealer) Seal(l List, p graph.Position) string {
	payload, _ := json.Marshal(sealed{p.Text, p.Number, p.ID}) // strings and a number: cannot fail
	return base64.RawURLEncoding.EncodeToString(append(s.mac(l, payload), payload...))
}

// Open reads a cursor. Errors: BAD_USER_INPUT for anything that Seal did not make for an equal list.
func (s *Sealer) Open(l List, cursor string) (graph.Position, error) {
	bad := fault.BadInput("after", "This cursor is not one of this list. Pass an endCursor that the same list, with the same arguments, gave to you.")
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) < macSize {
		return graph.Position{}, bad
	}
	payload := raw[macSize:]
	if !hmac.Equal(raw[:macSize], s.mac(l, payload)) {
		return graph.Position{}, bad
	}
	var v sealed
	if err := json.Unmarshal(payload, &v); err != nil {
		return graph.Position{}, bad
	}
	return graph.Position{After: true, Text: v.Text, Number: v.Number, ID: v.ID}, nil
}

// MaxFirst is the largest page.
const MaxFirst = 200

// Position checks the page's arguments. A nil first stands for the schema's default, which gqlgen fills
// in, so it only occurs for an explicit null. Errors: BAD_USER_INPUT.
func (s *Sealer) Position(l List, first *int, after *string) (graph.Position, error) {
	if first == nil {
		return graph.Position{}, fault.BadInput("first", "Leave first out or give a number from 1 to 200.")
	}
	if *first < 1 || *first > MaxFirst {
		return graph.Position{}, fault.BadInput("first", "first must be from 1 to 200.")
	}
	if after == nil {
		return graph.Position{First: *first}, nil
	}
	p, err := s.Open(l, *after)
	p.First = *first
	return p, err
}
