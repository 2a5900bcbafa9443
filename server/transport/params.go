package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/99designs/gqlgen/graphql"

	"github.com/strata-gateway/strata/fault"
)

// decodeBody reads the parameters of a POST. Names it does not know are left
// out, as the specification has it.
func decodeBody(body []byte) (*graphql.RawParams, *fault.Error) {
	switch start := bytes.TrimLeft(body, " \t\r\n"); {
	case len(start) == 0:
		return nil, fault.New(fault.CodeBadUserInput, `The body is empty. Send a JSON object: {"query": "…"}.`)
	case start[0] == '[':
		return nil, fault.New(fault.CodeBadUserInput, "Array batching is not supported. Send one operation per request.")
	}
	params := &graphql.RawParams{}
	err := decodeJSON(body, params)
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrongType) && expected(wrongType.Field) != "":
		return nil, &fault.Error{
			Code:    fault.CodeBadUserInput,
			Message: fmt.Sprintf("The parameter %s must be %s.", wrongType.Field, expected(wrongType.Field)),
			Field:   wrongType.Field,
			Cause:   err,
		}
	case errors.As(err, &wrongType):
		return nil, fault.Wrap(fault.CodeBadUserInput, `The body must be a JSON object: {"query": "…"}.`, err)
	case err != nil:
		return nil, fault.Wrap(fault.CodeBadUserInput, "The body is not valid JSON.", err)
	}
	return params, requireQuery(params)
}

func expected(param string) string {
	switch param {
	case "query", "operationName":
		return "a string"
	case "variables", "extensions":
		return "an object"
	default:
		return ""
	}
}

// requireQuery asks for a query. Clients that try persisted ones first send
// nothing but an extension.
func requireQuery(params *graphql.RawParams) *fault.Error {
	switch _, persisted := params.Extensions["persistedQuery"]; {
	case params.Query != "":
		return nil
	case persisted:
		return fault.BadInput("query", "Persisted queries are not supported. Send the query itself in the parameter query.")
	}
	return fault.BadInput("query", "The parameter query is missing.")
}

// decodeJSON decodes exactly one JSON value, its numbers as they are written.
func decodeJSON(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is more after the JSON value")
	}
	return nil
}

func tooLarge(limit int64) *fault.Error {
	return &fault.Error{
		Code:    fault.CodeLimitExceeded,
		Message: fmt.Sprintf("The body is larger than the limit of %d bytes.", limit),
		Status:  http.StatusRequestEntityTooLarge,
	}
}
