package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/strata-gateway/strata/fault"
	"github.com/strata-gateway/strata/server/transport"
	"github.com/strata-gateway/strata/slots"
)

const (
	// exportsAtOnce bounds the results that exports hold on to; more wait.
	exportsAtOnce = 8
	// exportWait is how long one waits at most.
	exportWait = 10 * time.Second
	// exportTime bounds one, however slowly its client reads.
	exportTime = 10 * time.Minute
)

// export answers GET /export/impact.csv and .ndjson: the list of an impact as a file. It asks the executor for
// page after page, so that each is authorized, counted and bounded as any other request's, and its rows and their
// order are those of the list.
type export struct {
	executor http.Handler
	// allowed is whether the deployment lets anyone download.
	allowed bool
	// slots are those of all formats together.
	slots  *slots.Slots
	format format
}

// exportQuery asks for a page.
const exportQuery = `query ExportImpact($node: ID!, $direction: Direction!, $maxDepth: Int!, $filter: ImpactFilter, $orderBy: ImpactOrder, $after: String) {
  impact(node: $node, direction: $direction, maxDepth: $maxDepth, filter: $filter, orderBy: $orderBy, first: 200, after: $after) {
    pageInfo { hasNextPage endCursor }
    edges { degree node { id kind label system model asset { name type ownerEmail sourceOwners datasource { name } verdict { worstSeverity } } } }
  }
}`

// exportPage is its answer.
type exportPage struct {
	Data struct {
		Impact *struct {
			PageInfo struct {
				HasNextPage bool
				EndCursor   *string
			}
			Edges []exportEdge
		}
	}
	Errors []struct {
		Message    string
		Extensions struct {
			Code       fault.Code
			Field      string
			Needs      string
			HTTPStatus int
		}
	}
}

// ServeHTTP implements http.Handler. What goes wrong before the first row is an answer; after it the connection is
// broken off, so that half a file is not taken for a whole one.
//
// SECURITY: it reads through the executor alone (TestAnExportIsTheList, TestExportsAreRefusedLikeTheList).
func (x export) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !x.allowed {
		transport.WriteFault(w, r, fault.New(fault.CodeForbidden, "Downloads are turned off in this deployment. Read the list by the query impact."))
		return
	}
	variables, err := exportVariables(r.URL.Query())
	if err != nil {
		transport.WriteFault(w, r, err)
		return
	}
	release, err := x.slots.Take(r.Context())
	if err != nil {
		transport.WriteFault(w, r, err)
		return
	}
	defer release()
	page, err := x.page(r, variables)
	if err == nil {
		err = outlast(w, exportTime)
	}
	if err != nil {
		transport.WriteFault(w, r, err)
		return
	}
	x.stream(w, r, page, variables)
}

// stream writes a page and those after it.
func (x export) stream(w http.ResponseWriter, r *http.Request, page *exportPage, variables map[string]any) {
	w.Header().Set("Content-Type", x.format.media)
	w.Header().Set("Content-Disposition", `attachment; filename="impact.`+x.format.extension+`"`)
	rows := x.format.begin(w)
	for {
		for _, e := range page.Data.Impact.Edges {
			rows.write(e.row())
		}
		if rows.flush() != nil || http.NewResponseController(w).Flush() != nil || r.Context().Err() != nil {
			panic(http.ErrAbortHandler)
		}
		if !page.Data.Impact.PageInfo.HasNextPage {
			return
		}
		variables["after"] = page.Data.Impact.PageInfo.EndCursor
		next, err := x.page(r, variables)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		page = next
	}
}

// page asks for a page as the one who asks for the file.
func (x export) page(r *http.Request, variables map[string]any) (*exportPage, error) {
	body, err := json.Marshal(map[string]any{"query": exportQuery, "variables": variables})
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(r.Context(), http.MethodPost, "/graphql", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(workspaceHeader, r.Header.Get(workspaceHeader))
	answer := &held{header: http.Header{}}
	x.executor.ServeHTTP(answer, request)
	var page exportPage
	if err := json.Unmarshal(answer.body.Bytes(), &page); err != nil {
		return nil, err
	}
	if len(page.Errors) > 0 {
		e := page.Errors[0]
		return nil, &fault.Error{Code: e.Extensions.Code, Message: e.Message, Field: e.Extensions.Field, Needs: e.Extensions.Needs, Status: e.Extensions.HTTPStatus}
	}
	if page.Data.Impact == nil {
		return nil, fault.NotFound("node")
	}
	return &page, nil
}

// held is an answer that is kept until it is whole.
type held struct {
	header http.Header
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (h *held) Header() http.Header { return h.header }

// Write implements http.ResponseWriter.
func (h *held) Write(b []byte) (int, error) { return h.body.Write(b) }

// WriteHeader implements http.ResponseWriter: the body says what went wrong.
func (h *held) WriteHeader(int) {}

// exportVariables reads the arguments of the list: node, direction, maxDepth, orderBy, order, and those of the
// filter, lists by naming them again. Errors: BAD_USER_INPUT for an argument that there is not, or no number.
func exportVariables(asked url.Values) (map[string]any, error) {
	depth := 50
	variables, filter, order := map[string]any{"node": asked.Get("node"), "direction": "DOWNSTREAM"}, map[string]any{}, map[string]any{}
	for name, values := range asked {
		switch name {
		case "node":
		case "direction":
			variables[name] = values[0]
		case "maxDepth":
			var err error
			if depth, err = strconv.Atoi(values[0]); err != nil {
				return nil, fault.BadInput("maxDepth", "maxDepth must be a number from 1 to 50.")
			}
		case "orderBy":
			order["field"] = values[0]
		case "order":
			order["direction"] = values[0]
		case "categories", "systems", "tags", "types":
			filter[name] = values
		case "worstSeverityAtLeast", "text", "ownerEmail", "datasource":
			filter[name] = values[0]
		default:
			return nil, fault.BadInput(name, "There is no such argument. Those of the list are node, direction, maxDepth, orderBy, order, categories, systems, tags, types, worstSeverityAtLeast, text, ownerEmail and datasource.")
		}
	}
	variables["maxDepth"], variables["filter"] = depth, filter
	if len(order) > 0 {
		variables["orderBy"] = order
	}
	return variables, nil
}
