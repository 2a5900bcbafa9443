package dbt

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// scalar is a text, number or boolean as text; anything else is "".
type scalar string

// UnmarshalJSON reads any value.
func (s *scalar) UnmarshalJSON(b []byte) error {
	*s = ""
	var text string
	switch {
	case json.Unmarshal(b, &text) == nil:
		*s = scalar(text)
	case len(b) > 0 && b[0] != '{' && b[0] != '[':
		*s = scalar(b)
	}
	return nil
}

// scalars are texts, given as one or as a list; what is no text is left out.
type scalars []string

// UnmarshalJSON reads any value.
func (s *scalars) UnmarshalJSON(b []byte) error {
	*s = nil
	var list []scalar
	if json.Unmarshal(b, &list) != nil {
		var one scalar
		_ = one.UnmarshalJSON(b) // reads any value
		list = []scalar{one}
	}
	for _, x := range list {
		if x != "" {
			*s = append(*s, string(x))
		}
	}
	return nil
}

// entry is a member of an object.
type entry[T any] struct {
	name  string
	value T
}

// entries is an object whose members keep the order of the file, each name once.
type entries[T any] []entry[T]

// UnmarshalJSON reads an object; null is an empty one.
func (e *entries[T]) UnmarshalJSON(b []byte) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	seen := map[string]bool{}
	*e = nil
	return members(dec, func(name string) error {
		var value T
		if err := dec.Decode(&value); err != nil {
			return err
		}
		if !seen[name] {
			seen[name] = true
			*e = append(*e, entry[T]{name, value})
		}
		return nil
	})
}

// names are the names of an object's members; of anything else there are none.
type names []string

// UnmarshalJSON reads any value.
func (n *names) UnmarshalJSON(b []byte) error {
	var object map[string]ignored
	_ = json.Unmarshal(b, &object) // anything else leaves it empty
	*n = sortedKeys(object)
	return nil
}

// instant reads a time as dbt writes it, UTC if it names no zone; the zero time for anything else.
func instant(s string) time.Time {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// cut is s without space around it and of at most n bytes, cut between characters.
func cut(s string, n int) string {
	s = strings.TrimSpace(s)
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// invisible reports whether a character shows as nothing: a control or formatting character.
func invisible(r rune) bool { return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) }

// orNil is a pointer to s, nil for "".
func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
