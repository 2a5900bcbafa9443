package bulk

import "strconv"

// Column appends a field of an element as JSON.
type Column[T any] func(b []byte, v *T) []byte

// Text is the column of a String, an ID or an enum.
func Text[T any, S ~string](get func(*T) S) Column[T] {
	return func(b []byte, v *T) []byte { return appendText(b, string(get(v))) }
}

// NullableText is the column of a nullable String.
func NullableText[T any](get func(*T) *string) Column[T] {
	return func(b []byte, v *T) []byte {
		if s := get(v); s != nil {
			return appendText(b, *s)
		}
		return append(b, null...)
	}
}

// Int is the column of an Int.
func Int[T any](get func(*T) int) Column[T] {
	return func(b []byte, v *T) []byte { return strconv.AppendInt(b, int64(get(v)), 10) }
}

// NullableInt is the column of a nullable Int.
func NullableInt[T any](get func(*T) *int) Column[T] {
	return func(b []byte, v *T) []byte {
		if n := get(v); n != nil {
			return strconv.AppendInt(b, int64(*n), 10)
		}
		return append(b, null...)
	}
}

// Bool is the column of a Boolean.
func Bool[T any](get func(*T) bool) Column[T] {
	return func(b []byte, v *T) []byte { return strconv.AppendBool(b, get(v)) }
}

const (
	null = "null"
	hex  = "0123456789ABCDEF"
)

// appendText quotes a string as graphql.MarshalString does, to the byte.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[start:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\t':
			b = append(b, `\t`...)
		case '\r':
			b = append(b, `\r`...)
		case '\n':
			b = append(b, `\n`...)
		default:
			b = append(b, `\u00`...)
			b = append(b, hex[c>>4], hex[c&0xF])
		}
		start = i + 1
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}
