package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// What a page shows of each asset.
const (
	pageSize     = 50
	columnsShown = 10
	suitesShown  = 10
)

// pageQuery is a page of the catalog: of those assets that something checks, since the others have no
// suites to show. %s is the operation's name, so that the statements of each caller are counted apart.
const pageQuery = `
query %s($after: String) {
  assets(filter: {isMonitored: true}, first: 50, after: $after) {
    edges { node {
      id name type description ownerEmail tags columnCount
      datasource { id name kind }
      verdict {
        worstSeverity checksTotal checksPassed hasFailedRun hasRunningRun hasOpenIncident lastRunAt suiteCount
        scorecard { dimension coverage score }
      }
      columns(first: 10) { edges { node { id name type ordinal } } }
      suites(first: 10) { edges { node {
        id name myPermission createdAt
        runs(first: 1) { edges { node { id state startedAt finishedAt checksTotal checksPassed } } }
      } } }
    } }
    pageInfo { hasNextPage endCursor }
  }
}`

// pageItem is what is compared of an asset on a page.
type pageItem struct {
	ID, Name, Datasource              string
	Checks, Passed, Suites, Dimension int
	Columns                           []string
	Shown                             []pageSuite
}

// pageSuite is a suite with its last run, "" for none.
type pageSuite struct{ ID, Run string }

// pages are where the pages of a caller start.
type pages struct {
	who    string
	caller caller
	// cursors are those of the gateway, starts the same places for the other side.
	cursors []string
	starts  []pageStart
}

// pageStart is the last entry of the page before.
type pageStart struct{ name, id string }

func (p *pages) at(round int) (cursor string, start pageStart) {
	return p.cursors[round%len(p.cursors)], p.starts[round%len(p.starts)]
}

func (p *pages) query() string { return fmt.Sprintf(pageQuery, "PageOf_"+p.who) }

func (g *gateway) page(ctx context.Context, p *pages, round int) ([]byte, error) {
	cursor, _ := p.at(round)
	variables := map[string]any{}
	if cursor != "" {
		variables["after"] = cursor
	}
	return g.ask(ctx, p.who, p.query(), variables)
}

type pageAnswer struct {
	Data struct {
		Assets struct {
			Edges    []struct{ Node answeredAsset }
			PageInfo struct {
				HasNextPage bool
				EndCursor   string
			}
		}
	}
}

type answeredAsset struct {
	ID, Name   string
	Datasource struct{ ID string }
	Verdict    struct {
		ChecksTotal, ChecksPassed, SuiteCount int
		Scorecard                             []struct{ Dimension string }
	}
	Columns struct {
		Edges []struct{ Node struct{ ID string } }
	}
	Suites struct {
		Edges []struct {
			Node struct {
				ID   string
				Runs struct {
					Edges []struct{ Node struct{ ID string } }
				}
			}
		}
	}
}

func (a answeredAsset) item() pageItem {
	v := a.Verdict
	item := pageItem{
		ID: a.ID, Name: a.Name, Datasource: a.Datasource.ID, Checks: v.ChecksTotal, Passed: v.ChecksPassed, Suites: v.SuiteCount,
		Dimension: len(v.Scorecard),
	}
	for _, c := range a.Columns.Edges {
		item.Columns = append(item.Columns, c.Node.ID)
	}
	for _, s := range a.Suites.Edges {
		shown := pageSuite{ID: s.Node.ID}
		for _, r := range s.Node.Runs.Edges {
			shown.Run = r.Node.ID
		}
		item.Shown = append(item.Shown, shown)
	}
	return item
}

// findPages pages through the whole list as a caller, and notes where each full page starts. It makes
// sure that the statements of the other side read the same rows.
func findPages(ctx context.Context, g *gateway, r *raw, who, email string) (p *pages, size Size, err error) {
	p = &pages{who: who, cursors: []string{""}, starts: []pageStart{{}}}
	if p.caller, err = r.caller(ctx, email); err != nil {
		return nil, Size{}, err
	}
	for at := 0; ; at++ {
		content, err := g.page(ctx, p, at)
		if err != nil {
			return nil, Size{}, err
		}
		var a pageAnswer
		if err := json.Unmarshal(content, &a); err != nil {
			return nil, Size{}, err
		}
		found := a.Data.Assets
		if len(found.Edges) == pageSize {
			if err := samePage(ctx, r, p, at, found.Edges); err != nil {
				return nil, Size{}, err
			}
			size = Size{Nodes: len(found.Edges), Bytes: len(content)}
			for _, e := range found.Edges {
				size.Edges += len(e.Node.Suites.Edges)
			}
		}
		if !found.PageInfo.HasNextPage || len(found.Edges) < pageSize {
			break
		}
		last := found.Edges[len(found.Edges)-1].Node
		p.cursors, p.starts = append(p.cursors, found.PageInfo.EndCursor), append(p.starts, pageStart{name: last.Name, id: last.ID})
	}
	if size.Nodes == 0 {
		return nil, Size{}, errors.New("bench: the estate has no full page of monitored assets")
	}
	if n := len(p.cursors); n > 1 { // the last page is not full
		p.cursors, p.starts = p.cursors[:n-1], p.starts[:n-1]
	}
	return p, size, nil
}

// samePage makes sure that a page of the gateway and the two ways to read it through the driver agree.
func samePage(ctx context.Context, r *raw, p *pages, at int, edges []struct{ Node answeredAsset }) error {
	ours := make([]pageItem, 0, len(edges))
	for _, e := range edges {
		ours = append(ours, e.Node.item())
	}
	_, start := p.at(at)
	for name, read := range map[string]func(context.Context, caller, pageStart) ([]pageItem, error){"set by set": r.pageBySets, "item by item": r.pageByItems} {
		theirs, err := read(ctx, p.caller, start)
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(ours, theirs) {
			return fmt.Errorf("bench: page %d of the %s differs from what the driver reads %s", at, p.who, name)
		}
	}
	return nil
}
