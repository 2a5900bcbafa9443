package cache

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/strata-gateway/strata/graph"
)

// Key says what an answer depends on: all of it (docs/caching.md, "Keys").
type Key struct {
	Audience graph.Audience
	// Epochs are those that the request read before anything that the answer is made of.
	Epochs graph.Epochs
	// Families are those whose changes the answer can show.
	Families []graph.Family
	// Inputs are everything else that the answer depends on: a struct, list or text of plain values, without
	// pointers and functions.
	Inputs any
}

// versions are those of the key's families at some epochs.
func (k Key) versions(e graph.Epochs) []string {
	out := make([]string, len(k.Families))
	for i, f := range k.Families {
		out[i] = e.Version(f, k.Audience.Class)
	}
	return out
}

// tuple is the key as one text from which each of its parts could be read back: every part is preceded by its length.
//
// SECURITY: two keys that differ anywhere differ here (TestKeysAreInjective), and every field of the inputs of an area
// is part of them (TestEveryInputIsPartOfTheKey).
func (k Key) tuple(area string) []byte {
	parts := []string{area, k.Audience.Workspace, string(k.Audience.Class), fmt.Sprintf("%#v", k.Inputs)}
	for _, f := range k.Families {
		parts = append(parts, fmt.Sprint(int(f)))
	}
	parts = append(parts, k.versions(k.Epochs)...)
	var out []byte
	for _, p := range parts {
		out = binary.AppendUvarint(out, uint64(len(p)))
		out = append(out, p...)
	}
	return out
}

// digest is the name under which the answer of an area is kept. Who does not know the secret cannot tell of a name
// what it stands for.
func (k Key) digest(secret []byte, area string) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write(k.tuple(area))
	return string(mac.Sum(nil))
}
