package bench

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// The statements that read a page without the gateway: the same rows, a statement for each set of them,
// under no condition but the ladder, which decides which suites are the caller's.
const (
	rawCallerQuery = `
MATCH (u:User {email: $email})-[m:MEMBER]->(:Workspace {id: $workspace})
RETURN u.id, m.role = 'ADMIN'`

	// rawPageMatch is written so that the index gives the order, and no more is read than the page needs.
	rawPageMatch = `
MATCH (a:Asset)
WHERE a.workspace = $workspace AND a.name >= $name AND a.id IS NOT NULL AND NOT (a.name = $name AND a.id <= $id) AND a.suiteCount > 0
WITH a ORDER BY a.workspace, a.name, a.id LIMIT 51`

	rawPageQuery = rawPageMatch + `
MATCH (d:Datasource {id: a.datasource})
WITH a, d ORDER BY a.workspace, a.name, a.id
RETURN collect([a.id, a.name, a.type, a.description, a.ownerEmail, a.tags, a.columnCount, d.id, d.name, d.kind])`

	rawVerdict = `[a.id, a.severityRank, a.checksTotal, a.checksPassed, a.hasFailedRun, a.hasRunningRun, a.hasOpenIncident, a.lastRunAt,
  a.suiteCount, a.scorecard]`

	rawVerdictsQuery = `
UNWIND $ids AS id
MATCH (a:Dataset {id: id, workspace: $workspace})
RETURN collect(` + rawVerdict + `)`

	rawColumns = `COLLECT {
  MATCH (a)-[:HAS_COLUMN]->(c:Column) WHERE c.ordinal <= 10
  RETURN [c.id, c.name, c.type, c.ordinal] ORDER BY c.ordinal }`

	rawColumnsQuery = `
UNWIND $ids AS id
MATCH (a:Dataset {id: id, workspace: $workspace})
RETURN collect([a.id, ` + rawColumns + `])`

	rawSuites = `COLLECT {
  MATCH (a)<-[:CHECKS]-(s:Suite) WHERE $admin OR s.owner = $user OR EXISTS { (:User {id: $user})-[:SHARE]->(s) }
  RETURN [s.id, s.name, s.owner, s.createdAt, head([(:User {id: $user})-[g:SHARE]->(s) | g.permission])]
  ORDER BY s.name, s.id LIMIT 10 }`

	rawSuitesQuery = `
UNWIND $ids AS id
MATCH (a:Dataset {id: id, workspace: $workspace})
RETURN collect([a.id, ` + rawSuites + `])`

	rawRuns = `COLLECT {
  MATCH (s)-[:HAS_CONFIG]->(:ValidationConfig)-[:HAS_RUN]->(r:Run)
  RETURN [r.id, r.state, r.startedAt, r.finishedAt, r.checksTotal, r.checksPassed]
  ORDER BY coalesce(r.finishedAt, r.createdAt) DESC, r.id DESC LIMIT 1 }`

	rawRunsQuery = `
UNWIND $ids AS id
MATCH (s:Suite {id: id})
RETURN collect([s.id, ` + rawRuns + `])`
)

// The same, as naive resolvers would ask: an object at a time.
const (
	rawAssetListQuery = rawPageMatch + `
RETURN collect([a.id, a.name, a.type, a.description, a.ownerEmail, a.tags, a.columnCount, a.datasource])`

	rawDatasourceQuery = `
MATCH (d:Datasource {id: $id})
RETURN d.id, d.name, d.kind`

	rawVerdictOfQuery = `
MATCH (a:Dataset {id: $id, workspace: $workspace})
RETURN ` + rawVerdict

	rawColumnsOfQuery = `
MATCH (a:Dataset {id: $id, workspace: $workspace})
RETURN ` + rawColumns

	rawSuitesOfQuery = `
MATCH (a:Dataset {id: $id, workspace: $workspace})
RETURN ` + rawSuites

	rawRunsOfQuery = `
MATCH (s:Suite {id: $id})
RETURN ` + rawRuns
)

// caller finds out who reads, once: their rights are parameters of the statements.
func (r *raw) caller(ctx context.Context, email string) (caller, error) {
	rows, err := r.run(ctx, rawCallerQuery, map[string]any{"email": email, "workspace": r.workspace})
	if err != nil {
		return caller{}, err
	}
	admin, _ := rows[0].Values[1].(bool)
	return caller{user: text(rows[0].Values[0]), admin: admin}, nil
}

type caller struct {
	user  string
	admin bool
}

func (r *raw) params(c caller, more map[string]any) map[string]any {
	more["workspace"], more["user"], more["admin"] = r.workspace, c.user, c.admin
	return more
}

// pageBySets reads a page by five statements, one after the other.
func (r *raw) pageBySets(ctx context.Context, c caller, from pageStart) ([]pageItem, error) {
	items, err := r.items(ctx, c, rawPageQuery, from)
	if err != nil {
		return nil, err
	}
	ids, at := make([]string, len(items)), make(map[string]*pageItem, len(items))
	for i := range items {
		ids[i], at[items[i].ID] = items[i].ID, &items[i]
	}
	sets := func(statement string, ids []string, each func([]any)) error {
		rows, err := r.run(ctx, statement, r.params(c, map[string]any{"ids": ids}))
		if err != nil {
			return err
		}
		for _, v := range list(rows[0].Values[0]) {
			each(list(v))
		}
		return nil
	}
	if err := sets(rawVerdictsQuery, ids, func(v []any) { at[text(v[0])].addVerdict(v) }); err != nil {
		return nil, err
	}
	if err := sets(rawColumnsQuery, ids, func(v []any) { at[text(v[0])].addColumns(v[1]) }); err != nil {
		return nil, err
	}
	if err := sets(rawSuitesQuery, ids, func(v []any) { at[text(v[0])].addSuites(v[1]) }); err != nil {
		return nil, err
	}
	var suites []string
	shown := map[string]*pageSuite{}
	for i := range items {
		for j := range items[i].Shown {
			s := &items[i].Shown[j]
			suites, shown[s.ID] = append(suites, s.ID), s
		}
	}
	return items, sets(rawRunsQuery, suites, func(v []any) { shown[text(v[0])].addRun(v[1]) })
}

// pageByItems reads a page as naive resolvers do: of each asset its datasource, verdict, columns and
// suites, and of each suite its last run, one after the other.
func (r *raw) pageByItems(ctx context.Context, c caller, from pageStart) ([]pageItem, error) {
	items, err := r.items(ctx, c, rawAssetListQuery, from)
	if err != nil {
		return nil, err
	}
	one := func(statement, id string) (*neo4j.Record, error) {
		rows, err := r.run(ctx, statement, r.params(c, map[string]any{"id": id}))
		if err != nil {
			return nil, err
		}
		return rows[0], nil
	}
	for i := range items {
		item := &items[i]
		if _, err := one(rawDatasourceQuery, item.Datasource); err != nil {
			return nil, err
		}
		verdict, err := one(rawVerdictOfQuery, item.ID)
		if err != nil {
			return nil, err
		}
		item.addVerdict(list(verdict.Values[0]))
		columns, err := one(rawColumnsOfQuery, item.ID)
		if err != nil {
			return nil, err
		}
		item.addColumns(columns.Values[0])
		suites, err := one(rawSuitesOfQuery, item.ID)
		if err != nil {
			return nil, err
		}
		item.addSuites(suites.Values[0])
		for j := range item.Shown {
			run, err := one(rawRunsOfQuery, item.Shown[j].ID)
			if err != nil {
				return nil, err
			}
			item.Shown[j].addRun(run.Values[0])
		}
	}
	return items, nil
}

// items reads the assets of a page, one more than it shows to see whether there is a next one.
func (r *raw) items(ctx context.Context, c caller, statement string, from pageStart) ([]pageItem, error) {
	rows, err := r.run(ctx, statement, r.params(c, map[string]any{"name": from.name, "id": from.id}))
	if err != nil {
		return nil, err
	}
	found := list(rows[0].Values[0])
	items := make([]pageItem, 0, pageSize)
	for _, v := range found[:min(len(found), pageSize)] {
		a := list(v)
		items = append(items, pageItem{ID: text(a[0]), Name: text(a[1]), Datasource: text(a[7])})
	}
	return items, nil
}

func (i *pageItem) addVerdict(v []any) {
	i.Checks, i.Passed, i.Suites = integer(v[2]), integer(v[3]), integer(v[8])
	const fields = 4 // covered, columns, passed, total; no columns: no check of the dimension
	for at, n := range list(v[9]) {
		if at%fields == 1 && integer(n) > 0 {
			i.Dimension++
		}
	}
}

func (i *pageItem) addColumns(v any) {
	for _, c := range list(v) {
		i.Columns = append(i.Columns, text(list(c)[0]))
	}
}

func (i *pageItem) addSuites(v any) {
	for _, s := range list(v) {
		i.Shown = append(i.Shown, pageSuite{ID: text(list(s)[0])})
	}
}

func (s *pageSuite) addRun(v any) {
	for _, run := range list(v) {
		s.Run = text(list(run)[0])
	}
}
