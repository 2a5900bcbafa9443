package authn

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

const (
	// maxDocument bounds a discovery document or key set in bytes.
	maxDocument = 1 << 20
	// staleFor is how long a document is used while its provider is down.
	staleFor = time.Hour
	// fetchBurst requests for one document may follow each other at once, then
	// one every fetchEvery.
	fetchBurst = 5
	fetchEvery = 5 * time.Second
)

// documents is a RoundTripper for the public documents of a provider. A key
// set asks for its document again at every token it cannot verify; here
// those requests are limited in rate, and the last good answer stands in for
// one that is held back or fails.
//
// SECURITY: without it, anyone who sends tokens with made-up key ids makes the
// gateway send as many requests to the provider. Held by TestMadeUpKeysDoNotFetch.
type documents struct {
	next http.RoundTripper
	now  func() time.Time

	mu   sync.Mutex
	kept map[string]*document // by URL: the discovery document and the key set
}

// document is what is known of one URL.
type document struct {
	body    []byte    // the last good answer, nil if there was none
	at      time.Time // when it came
	failed  error     // what the last request met, nil if it was good
	budget  float64   // requests that may be sent at once
	counted time.Time // when budget was last refilled
}

func newDocuments(next http.RoundTripper, now func() time.Time) *documents {
	return &documents{next: next, now: now, kept: map[string]*document{}}
}

// RoundTrip implements http.RoundTripper. Only status 200 with JSON is good.
func (d *documents) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := secure(req.URL); err != nil {
		return nil, fmt.Errorf("fetch %s: %w", req.URL, err)
	}
	url := req.URL.String()
	if !d.spend(url) {
		return d.lastGood(req, url)
	}
	body, err := d.fetch(req)
	d.record(url, body, err)
	return d.lastGood(req, url)
}

// spend takes one request out of the budget of url.
func (d *documents) spend(url string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	doc := d.kept[url]
	if doc == nil {
		doc = &document{budget: fetchBurst, counted: d.now(), failed: errors.New("not fetched yet")}
		d.kept[url] = doc
	}
	elapsed := d.now().Sub(doc.counted)
	doc.budget = min(fetchBurst, doc.budget+elapsed.Seconds()/fetchEvery.Seconds())
	doc.counted = d.now()
	if doc.budget < 1 {
		return false
	}
	doc.budget--
	return true
}

func (d *documents) fetch(req *http.Request) ([]byte, error) {
	resp, err := d.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %s", resp.Status)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxDocument+1))
	switch {
	case err != nil:
		return nil, err
	case len(body) > maxDocument:
		return nil, errors.New("the document is longer than 1 MiB")
	case !json.Valid(body):
		return nil, errors.New("the document is not JSON")
	}
	return body, nil
}

func (d *documents) record(url string, body []byte, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	doc := d.kept[url]
	doc.failed = err
	if err == nil {
		doc.body, doc.at = body, d.now()
	}
}

// failure is what the last request for url met, nil if it was good.
func (d *documents) failure(url string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if doc := d.kept[url]; doc != nil {
		return doc.failed
	}
	return nil
}

// lastGood answers with the last good document. One that is kept for longer
// than staleFor does not outlive the failure of its provider.
func (d *documents) lastGood(req *http.Request, url string) (*http.Response, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	doc := d.kept[url]
	if doc.failed != nil && (doc.body == nil || d.now().Sub(doc.at) > staleFor) {
		return nil, fmt.Errorf("fetch %s: %w", url, doc.failed)
	}
	return &http.Response{
		Status:        "200 OK",
		StatusCode:    http.StatusOK,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        http.Header{"Content-Type": {"application/json"}},
		Body:          io.NopCloser(bytes.NewReader(doc.body)),
		ContentLength: int64(len(doc.body)),
		Request:       req,
	}, nil
}
