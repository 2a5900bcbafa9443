package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	// clientTime bounds one call: the gateway's own limits are below it.
	clientTime = 12 * time.Minute
	// maxAnswer bounds an answer in bytes.
	maxAnswer = 16 << 20
)

// client calls a running gateway.
type client struct{ endpoint, token, workspace string }

const ingestDbtMutation = `mutation IngestDbt($manifest: Upload!, $catalog: Upload, $runResults: Upload, $datasource: String) {
  ingestDbt(manifest: $manifest, catalog: $catalog, runResults: $runResults, datasource: $datasource) {
    project
    summary {
      assetsCreated assetsChanged assetsUnchanged edgesCreated edgesUnchanged edgesRemoved suitesCreated runsCreated warnings
    }
  }
}`

// ingestDbt sends the artifacts. Errors are the gateway's own words where it has some.
func (c *client) ingestDbt(ctx context.Context, files dbtFiles) (*ingested, error) {
	if files.manifest == "" {
		return nil, errors.New("--manifest: give the path of a manifest.json; dbt leaves it in target/")
	}
	variables := map[string]any{"manifest": nil}
	uploads := []file{{"manifest", files.manifest}}
	for _, f := range []file{{"catalog", files.catalog}, {"runResults", files.runResults}} {
		if f.path != "" {
			variables[f.variable] = nil
			uploads = append(uploads, f)
		}
	}
	if files.datasource != "" {
		variables["datasource"] = files.datasource
	}
	var data struct{ IngestDbt *ingested }
	if err := c.upload(ctx, ingestDbtMutation, variables, uploads, &data); err != nil {
		return nil, err
	}
	if data.IngestDbt == nil {
		return nil, errors.New("the gateway answered with nothing")
	}
	return data.IngestDbt, nil
}

// file is a file that takes the place of a variable.
type file struct{ variable, path string }

// upload sends an operation with files, as the GraphQL multipart request specification has it.
func (c *client) upload(ctx context.Context, query string, variables map[string]any, files []file, into any) error {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	paths := map[string][]string{}
	for i, f := range files {
		paths[strconv.Itoa(i)] = []string{"variables." + f.variable}
	}
	err := errors.Join(
		writeJSON(form, "operations", map[string]any{"query": query, "variables": variables}),
		writeJSON(form, "map", paths),
	)
	for i, f := range files {
		err = errors.Join(err, writeFile(form, strconv.Itoa(i), f.path))
	}
	if err = errors.Join(err, form.Close()); err != nil {
		return err
	}
	return c.send(ctx, &body, form.FormDataContentType(), into)
}

func writeJSON(form *multipart.Writer, name string, value any) error {
	part, err := form.CreateFormField(name)
	if err != nil {
		return err
	}
	return json.NewEncoder(part).Encode(value)
}

func writeFile(form *multipart.Writer, name, path string) error {
	content, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", path, errors.Unwrap(err))
	}
	defer content.Close()
	part, err := form.CreateFormFile(name, filepath.Base(path))
	if err != nil {
		return err
	}
	if _, err := io.Copy(part, content); err != nil {
		return fmt.Errorf("cannot read %s: %w", path, err)
	}
	return nil
}

// query sends an operation without files.
func (c *client) query(ctx context.Context, query string, variables map[string]any, into any) error {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return err
	}
	return c.send(ctx, bytes.NewReader(body), "application/json", into)
}

// reply is a GraphQL response.
type reply struct {
	Data   json.RawMessage
	Errors []struct {
		Message    string
		Extensions struct{ RequestID string }
	}
}

func (c *client) send(ctx context.Context, body io.Reader, contentType string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, clientTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, body)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", contentType)
	request.Header.Set("Accept", "application/json")
	request.Header.Set("Authorization", "Bearer "+c.token)
	if c.workspace != "" {
		request.Header.Set("X-Strata-Workspace", c.workspace)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("the gateway does not answer: %w; start `strata serve`, or give its address by --url", err)
	}
	defer response.Body.Close()
	var got reply
	if err := json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(&got); err != nil {
		return fmt.Errorf("%s does not answer as a gateway does (status %s): check --url", c.endpoint, response.Status)
	}
	if len(got.Errors) > 0 {
		first := got.Errors[0]
		first.Message = strings.ReplaceAll(first.Message, "the header X-Strata-Workspace", "--workspace")
		if id := first.Extensions.RequestID; id != "" {
			return fmt.Errorf("%s (request %s: the gateway's log says more)", first.Message, id)
		}
		return errors.New(first.Message)
	}
	return json.Unmarshal(got.Data, into)
}
