package graph

import (
	"context"

	"github.com/strata-gateway/strata/fault"
)

// Datasource is a system that holds assets.
type Datasource struct {
	ID         string
	Workspace  string
	Name       string
	Kind       DatasourceKind
	Host       *string
	Database   *string
	Schemas    []string
	Namespaces []string
}

// IsNode marks a Datasource as an object with a global id.
func (*Datasource) IsNode() {}

// datasourceColumns is a datasource d as one list.
const datasourceColumns = `[d.id, d.workspace, d.name, d.kind, d.host, d.database, d.schemas, d.namespaces]`

func readDatasource(v any) *Datasource {
	c := list(v)
	if len(c) == 0 {
		return nil
	}
	return &Datasource{
		ID: text(c[0]), Workspace: text(c[1]), Name: text(c[2]), Kind: DatasourceKind(text(c[3])),
		Host: textOrNil(c[4]), Database: textOrNil(c[5]), Schemas: texts(c[6]), Namespaces: texts(c[7]),
	}
}

const datasourcesByIDQuery = `
UNWIND $ids AS id
MATCH (d:Datasource {id: id}) WHERE $VISIBLE(d)
RETURN ` + datasourceColumns

// Datasources returns those of the ids that exist in the audience, by id.
func (s *Store) Datasources(ctx context.Context, audience Audience, ids []string) (map[string]*Datasource, error) {
	rows, err := s.read(ctx, audience, datasourcesByIDQuery, map[string]any{"ids": ids})
	if err != nil {
		return nil, err
	}
	out := make(map[string]*Datasource, len(rows))
	for _, r := range rows {
		d := readDatasource(r[0])
		out[d.ID] = d
	}
	return out, nil
}

// datasourceRank is the caller's rank on datasource d: of teams, ownership and role, before the cap.
const datasourceRank = `
CASE WHEN $allDatasources OR d.owner = $user THEN 5
ELSE coalesce(reduce(best = 0, x IN [(t:Team)-[g:TEAM_ON]->(d) WHERE t.id IN $teams | g.rank] |
  CASE WHEN x > best THEN x ELSE best END), 0) END`

const datasourceListQuery = `
MATCH (d:Datasource) WHERE $VISIBLE(d)
WITH d, ` + datasourceRank + ` AS rank
WHERE $minRank = 0 OR ($minRank <= $maxDatasource AND rank >= $minRank) OR $allDatasources
WITH d ORDER BY d.name, d.id
WITH collect(` + datasourceColumns + `) AS found
RETURN size(found), [x IN found WHERE x[2] > $afterName OR (x[2] = $afterName AND x[0] > $afterID)][0..$limit]`

// DatasourceList is one page of the datasources by name on which the caller holds at least min ("": all).
func (s *Store) DatasourceList(ctx context.Context, scope Scope, minimum TeamPermission, at Position) (Page[*Datasource], error) {
	rows, err := s.readScoped(ctx, scope, datasourceListQuery, map[string]any{
		"minRank": minimum.Rank(), "afterName": at.Text, "afterID": at.ID, "limit": at.First + 1,
	})
	if err != nil {
		return Page[*Datasource]{}, err
	}
	page := Page[*Datasource]{Total: integer(rows[0][0]), Scope: scope}
	for _, v := range list(rows[0][1]) {
		page.Items = append(page.Items, readDatasource(v))
	}
	return page.trim(at), nil
}

const datasourceFactsQuery = `
UNWIND $ids AS id
MATCH (d:Datasource {id: id}) WHERE $VISIBLE(d)
RETURN d.id, d.name, d.owner, reduce(best = 0, x IN [(t:Team)-[g:TEAM_ON]->(d) WHERE t.id IN $teams | g.rank] |
  CASE WHEN x > best THEN x ELSE best END)`

func readDatasourceFacts(rows []row) map[string]DatasourceFacts {
	out := make(map[string]DatasourceFacts, len(rows))
	for _, r := range rows {
		out[text(r[0])] = DatasourceFacts{ID: text(r[0]), Name: text(r[1]), Owner: text(r[2]), TeamPermission: TeamPermissionOf(integer(r[3]))}
	}
	return out
}

// DatasourceFacts returns what the datasources say of the caller's rights, by id.
func (s *Store) DatasourceFacts(ctx context.Context, scope Scope, ids []string) (map[string]DatasourceFacts, error) {
	rows, err := s.readScoped(ctx, scope, datasourceFactsQuery, map[string]any{"ids": ids})
	if err != nil {
		return nil, err
	}
	return readDatasourceFacts(rows), nil
}

// datasourceFacts reads the same inside the transaction. Errors: NOT_FOUND if one is not there.
func (e entered) datasourceFacts(ids ...string) ([]DatasourceFacts, error) {
	rows, err := e.run(e.Audience, datasourceFactsQuery, map[string]any{"ids": ids, "teams": orEmpty(e.Teams)})
	if err != nil {
		return nil, err
	}
	found := readDatasourceFacts(rows)
	out := make([]DatasourceFacts, 0, len(ids))
	for _, id := range ids {
		f, ok := found[id]
		if !ok {
			return nil, fault.NotFound("datasource")
		}
		out = append(out, f)
	}
	return out, nil
}

// NewDatasource is what a datasource is made of.
type NewDatasource struct {
	Name                string
	Kind                DatasourceKind
	Host, Database      *string
	Schemas, Namespaces []string
	// Everyone is what the built-in team gets; "": it is not assigned.
	Everyone TeamPermission
}

const createDatasourceQuery = `
MATCH (u:User {id: $owner})
CREATE (d:Datasource {id: $id, workspace: $workspace, name: $name, kind: $kind, host: $host, database: $database,
  schemas: $schemas, namespaces: $namespaces, owner: u.id, createdAt: $at})
WITH d
CALL (d) {
  MATCH (t:Team {workspace: $workspace, name: 'everyone'}) WHERE $rank > 0
  CREATE (t)-[:TEAM_ON {rank: $rank}]->(d)
}
RETURN ` + datasourceColumns

// CreateDatasource makes a datasource that the caller owns. Errors: CONFLICT if the name is taken, and
// what the rule says.
func (s *Store) CreateDatasource(ctx context.Context, w Writer, in NewDatasource) (*Datasource, error) {
	var made *Datasource
	err := s.permitted(ctx, w, func(e entered) error {
		if err := e.refuseTakenName(in.Name); err != nil {
			return err
		}
		rows, err := e.runUnscoped(createDatasourceQuery, map[string]any{
			"id": s.ids.New(KindDatasource), "workspace": e.Workspace, "owner": e.User, "name": in.Name, "kind": string(in.Kind),
			"host": in.Host, "database": in.Database, "schemas": orEmpty(in.Schemas), "namespaces": orEmpty(in.Namespaces),
			"rank": in.Everyone.Rank(), "at": s.nowMillis(),
		})
		if err != nil {
			return err
		}
		made = readDatasource(rows[0][0])
		e.touch(FamilyCatalog, e.Workspace, made.ID, visibleToAll)
		e.record(Event{Action: "datasource.create", Resource: made.ID, After: map[string]any{"name": in.Name, "kind": string(in.Kind), "everyone": string(in.Everyone)}})
		return nil
	})
	return made, err
}

const datasourceNamedQuery = `MATCH (d:Datasource {name: $name}) WHERE $VISIBLE(d) RETURN d.id`

func (e entered) refuseTakenName(name string) error {
	rows, err := e.run(e.Audience, datasourceNamedQuery, map[string]any{"name": name})
	if err != nil {
		return err
	}
	if len(rows) > 0 {
		return fault.New(fault.CodeConflict, "A datasource of this name exists already. Choose another name.")
	}
	return nil
}
