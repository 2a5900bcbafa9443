package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/server/transport"
)

const (
	// maxUpload bounds the files of a request together, in bytes.
	maxUpload = 64 << 20
	// maxFiles bounds their number.
	maxFiles = 10
	// maxMap bounds the part that says which file is which variable, in bytes.
	maxMap = 16 << 10
)

// form is a multipart request that was read.
type form struct {
	operations []byte
	// variables says which variable is which file.
	variables map[string]graphql.Upload
}

// readForm reads a request. Errors: BAD_USER_INPUT, LIMIT_EXCEEDED.
func readForm(w http.ResponseWriter, r *http.Request) (form, error) {
	var f form
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload+transport.DefaultMaxBody+maxMap)
	parts, err := r.MultipartReader()
	if err != nil {
		return f, malformed("The body is no multipart form.", err)
	}
	if f.operations, err = readPart(parts, "operations", transport.DefaultMaxBody); err != nil {
		return f, err
	}
	described, err := readPart(parts, "map", maxMap)
	if err != nil {
		return f, err
	}
	paths := map[string][]string{}
	if err := json.Unmarshal(described, &paths); err != nil {
		return f, malformed(`The part map must be a JSON object such as {"0": ["variables.manifest"]}.`, err)
	}
	f.variables, err = readFiles(parts, paths)
	return f, err
}

// readPart reads the next part, which must have the name.
func readPart(parts *multipart.Reader, name string, most int64) ([]byte, error) {
	part, err := parts.NextPart()
	if err != nil || part.FormName() != name {
		return nil, malformed("A multipart request has the part operations, then the part map, then the files. The part "+name+" is not where it belongs.", err)
	}
	return readAtMost(part, name, most)
}

// readFiles reads the rest of the form.
func readFiles(parts *multipart.Reader, paths map[string][]string) (map[string]graphql.Upload, error) {
	variables, left := map[string]graphql.Upload{}, int64(maxUpload)
	for {
		part, err := parts.NextPart()
		switch {
		case errors.Is(err, io.EOF) && len(paths) == 0:
			return variables, nil
		case errors.Is(err, io.EOF):
			return nil, malformed("The map names a file that is not in the form.", nil)
		case err != nil:
			return nil, cutShort(err)
		}
		name := part.FormName()
		content, err := readAtMost(part, "files", left)
		if err != nil {
			return nil, err
		}
		left -= int64(len(content))
		if len(paths[name]) == 0 {
			return nil, malformed("A file's part is not named in the map.", nil)
		}
		for _, path := range paths[name] {
			variable, ok := strings.CutPrefix(path, "variables.")
			_, taken := variables[variable]
			switch {
			case !ok || variable == "" || strings.Contains(variable, "."):
				return nil, malformed(fmt.Sprintf(`The map's path %.100q names no variable. Write variables.NAME, as in {"0": ["variables.manifest"]}.`, path), nil)
			case taken:
				return nil, malformed(fmt.Sprintf("The map names the variable %.100q twice. One file takes its place.", variable), nil)
			case len(variables) == maxFiles:
				return nil, malformed(fmt.Sprintf("The map names more than %d variables. Send fewer files at once.", maxFiles), nil)
			}
			variables[variable] = graphql.Upload{
				File: bytes.NewReader(content), Size: int64(len(content)), Filename: part.FileName(), ContentType: part.Header.Get("Content-Type"),
			}
		}
		delete(paths, name)
	}
}

// readAtMost reads a part of at most that many bytes.
func readAtMost(part io.Reader, what string, most int64) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(part, most+1))
	switch {
	case int64(len(content)) > most:
		return nil, tooLarge(what)
	case err != nil:
		return nil, cutShort(err)
	}
	return content, nil
}

func cutShort(err error) error {
	if over := (*http.MaxBytesError)(nil); errors.As(err, &over) {
		return tooLarge("files")
	}
	return malformed("The body ended early, or is no multipart form. Send it again.", err)
}

func tooLarge(what string) error {
	message := fmt.Sprintf("The files of a request may have %d MiB together.", maxUpload>>20)
	if what != "files" {
		message = "The part " + what + " is too large."
	}
	return &fault.Error{Code: fault.CodeLimitExceeded, Status: http.StatusRequestEntityTooLarge, Message: message}
}

func malformed(message string, cause error) error {
	return fault.Wrap(fault.CodeBadUserInput, message, cause)
}
