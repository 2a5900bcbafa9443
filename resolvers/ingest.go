package resolvers

import (
	"io"

	"github.com/99designs/gqlgen/graphql"
)

// datasourceName is the name of a datasource, "" if none was given. Errors: BAD_USER_INPUT.
func datasourceName(given *string) (string, error) {
	if given == nil {
		return "", nil
	}
	return *given, named("datasource", *given, maxName)
}

// content is what a file holds, nil if it was left out.
func content(file *graphql.Upload) io.Reader {
	if file == nil || file.File == nil {
		return nil
	}
	return file.File
}
