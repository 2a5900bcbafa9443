package dbt

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/strata-gateway/strata/fault"
)

const (
	// maxBytes bounds the files together.
	maxBytes = 64 << 20
	// maxEntries bounds how many nodes, or results, one file may hold.
	maxEntries = 250_000
)

var (
	errTooLarge = errors.New("the files are too large")
	errTooMany  = errors.New("the file has too many entries")
	errNoObject = errors.New("not the expected object or list")
	errTrailing = errors.New("more follows behind the object")
)

// artifact is one of the files on its way in.
type artifact struct {
	ctx context.Context
	// field names it in errors.
	field string
	r     io.Reader
	// left is how many bytes may still come, of all files together.
	left *int64
}

// Read reads on, and no further than the bound.
func (a artifact) Read(p []byte) (int, error) {
	if err := a.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := a.r.Read(p)
	if *a.left -= int64(n); *a.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}

// sections are what is done with the members of the object at the top of a file; the others are skipped.
type sections map[string]func(*json.Decoder) error

// walk reads the file, one section after the other. Errors: BAD_USER_INPUT and LIMIT_EXCEEDED as Read.
func (a artifact) walk(s sections) error {
	text := bufio.NewReader(a)
	if refused := a.notText(text); refused != nil {
		return refused
	}
	dec := json.NewDecoder(text)
	err := members(dec, func(name string) error {
		if handle, ok := s[name]; ok {
			return handle(dec)
		}
		return skip(dec)
	})
	if err == nil {
		if _, err = dec.Token(); errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = errTrailing
		}
	}
	return a.explain(err)
}

// notText refuses files that are something else than text in UTF-8, and says what.
func (a artifact) notText(r *bufio.Reader) error {
	start, _ := r.Peek(4) // what cannot be read is reported where it is read
	for _, known := range []struct{ begins, what string }{
		{"\x1f\x8b", "is compressed by gzip: unpack it first"},
		{"\x28\xb5\x2f\xfd", "is compressed by zstd: unpack it first"},
		{"PK\x03\x04", "is a zip archive: unpack it first"},
		{"\xef\xbb\xbf", "begins with a byte order mark: save it as UTF-8 without one"},
		{"\xff\xfe", "is text in UTF-16: save it as UTF-8"},
		{"\xfe\xff", "is text in UTF-16: save it as UTF-8"},
		{"{\x00", "is text in UTF-16: save it as UTF-8"},
		{"\x00{", "is text in UTF-16: save it as UTF-8"},
	} {
		if strings.HasPrefix(string(start), known.begins) {
			return fault.BadInput(a.field, fmt.Sprintf("The file %s. %s is expected here, as dbt writes it to its target folder.", known.what, fileName(a.field)))
		}
	}
	return nil
}

// explain turns what went wrong into a fault for who gave the file.
func (a artifact) explain(err error) error {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	what := fmt.Sprintf("%s is expected here, as dbt writes it to its target folder", fileName(a.field))
	switch {
	case fault.Of(err) != nil:
		return err
	case errors.Is(err, errTooLarge):
		return &fault.Error{Code: fault.CodeLimitExceeded, Message: "The files may have 64 MiB together. Leave out the catalog or the results, or ingest parts of the project.", Field: a.field, Status: http.StatusRequestEntityTooLarge}
	case errors.Is(err, errTooMany):
		return fault.New(fault.CodeLimitExceeded, "The file may have 250,000 entries. Ingest parts of the project.")
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return fault.BadInput(a.field, "The file ends in the middle. Copy it again once dbt has finished: "+what+".")
	case errors.As(err, &kind):
		return fault.BadInput(a.field, fmt.Sprintf("The file is not as dbt writes it: %s holds a JSON %s. %s.", orTop(kind.Field), kind.Value, what))
	case errors.As(err, &syntax), errors.Is(err, errNoObject), errors.Is(err, errTrailing):
		return fault.BadInput(a.field, "The file is not the JSON object that dbt writes. "+what+".")
	case a.ctx.Err() != nil:
		return a.ctx.Err()
	}
	return fmt.Errorf("read %s: %w", a.field, err)
}

func orTop(field string) string {
	if field == "" {
		return "a member"
	}
	return field
}

func fileName(field string) string {
	if field == "runResults" {
		return "run_results.json"
	}
	return field + ".json"
}

// members reads an object and calls handle at each of its values, which handle must read. null is an
// empty object.
func members(dec *json.Decoder, handle func(name string) error) error {
	_, err := statedMembers(dec, handle)
	return err
}

// statedMembers is members, and says whether there was an object at all.
func statedMembers(dec *json.Decoder, handle func(name string) error) (bool, error) {
	start, err := dec.Token()
	if err != nil || start == nil {
		return false, err
	}
	if start != json.Delim('{') {
		return false, errNoObject
	}
	return true, readMembers(dec, handle)
}

func readMembers(dec *json.Decoder, handle func(name string) error) error {
	for count := 0; dec.More(); count++ {
		if count == maxEntries {
			return errTooMany
		}
		name, err := dec.Token()
		if err != nil {
			return err
		}
		if err := handle(name.(string)); err != nil { // a name in an object is a string
			return err
		}
	}
	_, err := dec.Token()
	return err
}

// elements reads a list and calls handle at each of its values, which handle must read. null is an empty
// list.
func elements(dec *json.Decoder, handle func() error) error {
	start, err := dec.Token()
	if err != nil || start == nil {
		return err
	}
	if start != json.Delim('[') {
		return errNoObject
	}
	for count := 0; dec.More(); count++ {
		if count == maxEntries {
			return errTooMany
		}
		if err := handle(); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}

// ignored takes any value and keeps nothing of it.
type ignored struct{}

// UnmarshalJSON does nothing.
func (*ignored) UnmarshalJSON([]byte) error { return nil }

// skip passes over a value. Members of an object are passed one by one, so that a large section is never
// held as a whole.
func skip(dec *json.Decoder) error {
	start, err := dec.Token()
	if err != nil {
		return err
	}
	delim, ok := start.(json.Delim)
	if !ok {
		return nil
	}
	for dec.More() {
		if delim == '{' {
			if _, err := dec.Token(); err != nil {
				return err
			}
		}
		if err := dec.Decode(&ignored{}); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}
