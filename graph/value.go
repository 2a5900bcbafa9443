package graph

import (
	"encoding/json"
	"time"
)

// The store's values come as any: these read them with the zero value for what is absent.

func text(v any) string {
	s, _ := v.(string)
	return s
}

func textOrNil(v any) *string {
	if s, ok := v.(string); ok {
		return &s
	}
	return nil
}

func integer(v any) int {
	n, _ := v.(int64)
	return int(n)
}

func integerOrNil(v any) *int {
	if n, ok := v.(int64); ok {
		i := int(n)
		return &i
	}
	return nil
}

func boolean(v any) bool {
	b, _ := v.(bool)
	return b
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

func texts(v any) []string {
	l := list(v)
	out := make([]string, 0, len(l))
	for _, x := range l {
		out = append(out, text(x))
	}
	return out
}

func integers(v any) []int {
	l := list(v)
	out := make([]int, 0, len(l))
	for _, x := range l {
		out = append(out, integer(x))
	}
	return out
}

// instant reads milliseconds since 1970, nil for none.
func instant(v any) *time.Time {
	n, ok := v.(int64)
	if !ok {
		return nil
	}
	t := time.UnixMilli(n).UTC()
	return &t
}

// millis is an instant as the store keeps it, nil for none.
func millis(t *time.Time) any {
	if t == nil {
		return nil
	}
	return t.UnixMilli()
}

// decoded reads a JSON value kept as text, nil for none.
func decoded(v any) any {
	s, ok := v.(string)
	if !ok {
		return nil
	}
	var out any
	if err := json.Unmarshal([]byte(s), &out); err != nil {
		return nil // written by encoded only
	}
	return out
}

// encoded keeps a JSON value as text, nil for none.
func encoded(v any) (any, error) {
	if v == nil {
		return nil, nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return string(b), nil
}
