package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/server/transport"
	"github.com/strata-gateway/strata/slots"
)

const (
	// uploadsAtOnce bounds the memory that uploads take together; more wait.
	uploadsAtOnce = 4
	// uploadWait is how long one waits at most.
	uploadWait = 30 * time.Second
)

// upload is the transport of the GraphQL multipart request specification: the part `operations`, the part
// `map`, then the files. It reads the form and hands the operation to POST with the files among its
// variables, so that parameters, errors and statuses are those of every other request. gqlgen's own
// opens a file for each path that the map names and panics on some paths.
type upload struct {
	post  transport.POST
	slots *slots.Slots
	// tokens bounds a query.
	tokens int
	// time is how long an ingest may take.
	time time.Duration
}

func newUpload(post transport.POST, tokens int, time time.Duration) upload {
	return upload{post: post, slots: slots.New("uploads", uploadsAtOnce, uploadWait), tokens: tokens, time: time}
}

// Supports implements graphql.Transport.
func (upload) Supports(r *http.Request) bool {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && r.Method == http.MethodPost && r.Header.Get("Upgrade") == "" && media == "multipart/form-data"
}

// Do implements graphql.Transport.
func (u upload) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	release, err := u.slots.Take(r.Context())
	if err != nil {
		transport.WriteFault(w, r, err)
		return
	}
	defer release()
	f, err := readForm(w, r)
	if err != nil {
		w.Header().Set("Connection", "close") // so that the rest need not be read
		transport.WriteFault(w, r, err)
		return
	}
	if err := outlast(w, u.time+grace+answerTime); err != nil {
		transport.WriteFault(w, r, err)
		return
	}
	asPost := r.Clone(r.Context())
	asPost.Header.Set("Content-Type", "application/json")
	asPost.ContentLength, asPost.Body = int64(len(f.operations)), io.NopCloser(bytes.NewReader(f.operations))
	u.post.Do(w, asPost, withFiles{GraphExecutor: exec, form: f, tokens: u.tokens})
}

// answerTime is how long it may take to send the answer of an upload.
const answerTime = time.Minute

// withFiles is an executor that puts the files of a form among the variables of its operation.
type withFiles struct {
	graphql.GraphExecutor
	form form
	// tokens bounds the query that is read for its variables.
	tokens int
}

// CreateOperationContext implements graphql.GraphExecutor.
func (e withFiles) CreateOperationContext(ctx context.Context, params *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
	for name, file := range e.form.variables {
		if value, declared := params.Variables[name]; !declared || value != nil {
			refused := fault.BadInput("variables."+name, "A variable that a file takes the place of must be there, and null.")
			return &graphql.OperationContext{}, gqlerror.List{gqlerror.Wrap(refused)}
		}
		params.Variables[name] = file
	}
	if refused := e.misplaced(params); refused != nil {
		return &graphql.OperationContext{}, gqlerror.List{gqlerror.Wrap(refused)}
	}
	return e.GraphExecutor.CreateOperationContext(ctx, params)
}

// misplaced refuses files in the place of variables that are none: other scalars would take one for a value.
// A query that cannot be read is the executor's to refuse.
func (e withFiles) misplaced(params *graphql.RawParams) *fault.Error {
	query, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: params.Query}, e.tokens)
	if err != nil {
		return nil
	}
	operation := query.Operations.ForName(params.OperationName)
	if operation == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(e.form.variables)) {
		switch declared := operation.VariableDefinitions.ForName(name); {
		case declared == nil:
			return fault.BadInput("variables."+name, fmt.Sprintf("The map puts a file in the place of %.100q, which the query does not declare. Declare it as Upload, or leave the file out.", name))
		case declared.Type.NamedType != "Upload":
			return fault.BadInput("variables."+name, fmt.Sprintf("The map puts a file in the place of %.100q, which is of the type %s. Files are for variables of the type Upload.", name, declared.Type))
		}
	}
	return nil
}
