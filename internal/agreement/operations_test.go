package agreement

import (
	"encoding/json"
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// operation is one request, or a list walked page by page when the query has a $after.
type operation struct {
	query string
	paged bool
}

// operations draws what the caller does: reads by every way, and changes. Of ids it uses those of both
// variants, so that some name nothing in one world and something hidden in the other.
func operations(rt *rapid.T, public, secret []string) []operation {
	ids := append(append([]string{"asset_00000000000000000000000000000000", "suite_00000000000000000000000000000000"}, public...), secret...)
	out := make([]operation, rapid.IntRange(8, 14).Draw(rt, "operations"))
	for i := range out {
		out[i] = drawOperation(rt, ids)
	}
	return out
}

const suiteFields = `id name description myPermission asset { id name } owner { email } shares { id permission user { email } group { name } }
  checks { id name expectation severity dimension config }
  runs(first: 3) { totalCount pageInfo { endCursor hasNextPage } edges { cursor node { id state checksTotal checksPassed finishedAt results { status severity observed check { name } } } } }`

const lineageFields = `nodes { id kind label upstreamDegree downstreamDegree isFocus isImpacted canOpen canSeeImpact asset { ...everything } }
  edges { id source target category state onImpactPath closesCycle canEdit onDelete description columnPairs { source { id name } target { id } kind subtype masking }
    assertions { producer eventKind at retractedAt details { scope job run transformation sql submitter facets } } }
  completeness { isComplete stoppedBy hiddenByFilter truncated { node direction omitted } graphVersion }`

func drawOperation(rt *rapid.T, ids []string) operation {
	id := func(kinds ...string) string {
		fitting := []string{}
		for _, x := range ids {
			for _, k := range kinds {
				if strings.HasPrefix(x, k) {
					fitting = append(fitting, x)
				}
			}
		}
		if len(fitting) == 0 {
			fitting = ids
		}
		return rapid.SampledFrom(fitting).Draw(rt, "id")
	}
	word := func() string {
		return rapid.SampledFrom([]string{"shop", "payroll", "hr", "table0", "suite", "pii", "of 0"}).Draw(rt, "word")
	}
	first := rapid.IntRange(1, 3).Draw(rt, "first")
	asset, suite := func() string { return id("asset") }, func() string { return id("suite") }
	drawn := rapid.SampledFrom([]func() operation{
		func() operation {
			order := rapid.SampledFrom([]string{"NAME", "WORST_SEVERITY", "SUITE_COUNT", "LAST_RUN_AT"}).Draw(rt, "order")
			return operation{paged: true, query: fmt.Sprintf(`query Op($after: String) { list: assets(first: %d, after: $after, orderBy: {field: %s, direction: DESC}) { totalCount pageInfo { endCursor hasNextPage hasPreviousPage } edges { cursor node { ...everything } } } } %s`, first, order, everything)}
		},
		func() operation {
			return operation{paged: true, query: fmt.Sprintf(`query Op($after: String) { list: assets(first: %d, after: $after, filter: {nameContains: %q}) { totalCount pageInfo { endCursor hasNextPage } edges { cursor node { id name } } } }`, first, word())}
		},
		func() operation {
			return operation{paged: true, query: fmt.Sprintf(`query Op($after: String) { list: suites(first: %d, after: $after, filter: {nameContains: %q}) { totalCount pageInfo { endCursor hasNextPage } edges { cursor node { %s } } } }`, first, word(), suiteFields)}
		},
		func() operation {
			return operation{query: fmt.Sprintf(`query Op { suites(filter: {asset: %q}) { totalCount edges { node { %s } } } }`, asset(), suiteFields)}
		},
		func() operation {
			return operation{query: fmt.Sprintf(`query Op { search(text: %q, first: 5) { totalCount edges { cursor node { __typename ... on Asset { ...everything } } } } } %s`, word(), everything)}
		},
		func() operation {
			return operation{query: fmt.Sprintf(`query Op { asset(id: %q) { ...everything } } %s`, asset(), everything)}
		},
		func() operation {
			return operation{query: fmt.Sprintf(`query Op { nodes(ids: [%q, %q, %q]) { __typename id ... on Suite { %s } ... on External { model } ... on Run { state results { observed } } } }`, id("suite", "run"), id(""), id("ext", "edge", "share"), suiteFields)}
		},
		func() operation {
			return operation{query: fmt.Sprintf(`query Op { suite(id: %q) { %s } run(id: %q) { state suite { name } } node(id: %q) { id } }`, suite(), suiteFields, id("run"), id("share", "ext", "group"))}
		},
		func() operation {
			direction := rapid.SampledFrom([]string{"UPSTREAM", "DOWNSTREAM", "BOTH"}).Draw(rt, "direction")
			return operation{query: fmt.Sprintf(`query Op { lineage(node: %q, direction: %s, depth: %d%s) { %s } } %s`, id("asset", "ext"), direction, rapid.IntRange(0, 5).Draw(rt, "depth"), drawFilter(rt, word), lineageFields, everything)}
		},
		func() operation {
			direction := rapid.SampledFrom([]string{"UPSTREAM", "DOWNSTREAM"}).Draw(rt, "direction")
			condition := rapid.SampledFrom([]string{"", "categories: [MANUAL]", fmt.Sprintf("text: %q", word())}).Draw(rt, "filter")
			return operation{paged: true, query: fmt.Sprintf(`query Op($after: String) { list: expand(node: %q, direction: %s, filter: {%s}, first: %d, after: $after) { totalCount pageInfo { endCursor hasNextPage hasPreviousPage } edges { cursor node { degree node { id label asset { ...everything } } edges { id category canEdit } } } } } %s`,
				id("asset", "ext"), direction, condition, first, everything)}
		},
		func() operation {
			a, b := id("datasource"), id("datasource")
			return operation{query: fmt.Sprintf(`query Op { map: datasourceMap(datasource: %q) { datasource { name } links { datasource { name } system upstreamCount downstreamCount } isComplete graphVersion }
				between: datasourceLineage(a: %q, b: %q, maxNodes: 4) { %s } all: workspaceLineage(datasources: [%q, %q], maxNodes: 4) { %s } } %s`, a, a, b, lineageFields, a, b, lineageFields, everything)}
		},
		func() operation {
			direction := rapid.SampledFrom([]string{"UPSTREAM", "DOWNSTREAM"}).Draw(rt, "direction")
			order := rapid.SampledFrom([]string{"DEGREE", "SEVERITY", "NAME", "CONSUMERS"}).Draw(rt, "order")
			condition := rapid.SampledFrom([]string{"", "categories: [MANUAL, DBT]", "worstSeverityAtLeast: NONE", fmt.Sprintf("text: %q", word())}).Draw(rt, "filter")
			return operation{paged: true, query: fmt.Sprintf(`query Op($after: String) { list: impact(node: %q, direction: %s, maxDepth: %d, filter: {%s}, orderBy: {field: %s, direction: DESC}, first: %d, after: $after) {
				totalCount countByDegree { degree count } countBySeverity { severity count } countByOwner { owner count } completeness { isComplete stoppedBy graphVersion }
				pageInfo { endCursor hasNextPage hasPreviousPage } edges { cursor degree node { id asset { ...everything } } paths(first: 2) } } } %s`,
				id("asset", "ext"), direction, rapid.IntRange(1, 3).Draw(rt, "depth"), condition, order, first, everything)}
		},
		func() operation {
			order := rapid.SampledFrom([]string{"REACH", "WORST_SEVERITY"}).Draw(rt, "order")
			return operation{paged: true, query: fmt.Sprintf(`query Op($after: String) { list: impactRanking(datasource: %q, orderBy: %s, first: %d, after: $after) { totalCount completeness { isComplete graphVersion }
				pageInfo { endCursor hasNextPage } edges { cursor reach worstSeverity node { id asset { ...everything } } } } } %s`, id("datasource"), order, first, everything)}
		},
		func() operation {
			direction := rapid.SampledFrom([]string{"UPSTREAM", "DOWNSTREAM", "BOTH"}).Draw(rt, "direction")
			return operation{query: fmt.Sprintf(`query Op { columnLineage(column: %q, direction: %s, depth: %d) { nodes { id column { id name } asset { ...everything } upstreamDegree downstreamDegree isFocus }
				edges { source target kind subtype masking } completeness { isComplete stoppedBy graphVersion } } } %s`, id("column"), direction, rapid.IntRange(0, 5).Draw(rt, "depth"), everything)}
		},
		func() operation {
			return operation{query: fmt.Sprintf(`query Op { paths(from: %q, to: %q) }`, id("asset", "ext"), id("asset", "ext"))}
		},
		func() operation {
			table := rapid.SampledFrom([]string{"shop.table0", "SHOP.TABLE0", "hr.payroll0.of0", "hr.payroll0.of1", "nothing"}).Draw(rt, "dataset")
			return operation{query: fmt.Sprintf(`query Op { asset: dataset(namespace: "postgres", name: %q) { id kind isFocus upstreamDegree asset { ...everything } } outside: dataset(namespace: "dbt", name: %q) { id model } } %s`, table, table, everything)}
		},
		func() operation {
			return operation{query: `query Op { viewer { user { email } role audience teams { name } } datasources { totalCount edges { node { name myPermission } } } groups { totalCount edges { node { id name } } } }`}
		},
		func() operation {
			return operation{paged: true, query: fmt.Sprintf(`query Op($after: String) { list: members(first: %d, after: $after) { totalCount pageInfo { endCursor hasNextPage } edges { cursor node { role viewerAccess user { email } } } } teams { totalCount edges { node { name datasources { permission datasource { name } } members { user { email } } } } } }`, first)}
		},
		func() operation { return operation{query: drawMutation(rt, id)} },
		func() operation { return operation{query: drawMutation(rt, id)} },
		func() operation { return operation{query: drawMutation(rt, id)} },
	}).Draw(rt, "operation")
	return drawn()
}

// drawFilter draws what narrows a walk, as arguments of lineage.
func drawFilter(rt *rapid.T, word func() string) string {
	condition := rapid.SampledFrom([]string{
		"", "categories: [MANUAL, DBT]", `systems: ["dbt", "s3"]`, fmt.Sprintf("tags: [%q]", word()), "types: [TABLE]", "worstSeverityAtLeast: NONE",
		"worstSeverityAtLeast: WARNING", fmt.Sprintf("text: %q", word()), `ownerEmail: "owner@demo.test"`, `datasource: "ds_00000000000000000000000000000000"`,
	}).Draw(rt, "filter")
	nodes := rapid.IntRange(1, 6).Draw(rt, "nodes")
	return fmt.Sprintf(", maxNodes: %d, filter: {%s stopAt: %t, includeRetired: %t}", nodes, condition, rapid.Bool().Draw(rt, "stopAt"), rapid.Bool().Draw(rt, "retired"))
}

func drawMutation(rt *rapid.T, id func(...string) string) string {
	name := rapid.SampledFrom([]string{"new", "hr.payroll0.of0", "hr.payroll0.of1", "shop.table0"}).Draw(rt, "name")
	drawn := rapid.SampledFrom([]func() string{
		func() string {
			return fmt.Sprintf(`shareSuite(input: {suite: %q, user: %q, permission: %s}) { share { id permission } }`, id("suite"), id("user"), rapid.SampledFrom([]string{"VIEW", "EDIT"}).Draw(rt, "permission"))
		},
		func() string { return fmt.Sprintf(`revokeShare(input: {share: %q}) { id }`, id("share")) },
		func() string {
			return fmt.Sprintf(`createSuite(input: {asset: %q, name: %q, checks: [{name: "c", expectation: "e", dimension: VALIDITY}]}) { suite { %s } }`, id("asset"), name, suiteFields)
		},
		func() string {
			return fmt.Sprintf(`updateAsset(input: {id: %q, tags: [%q]}) { asset { id tags } }`, id("asset"), name)
		},
		func() string {
			return fmt.Sprintf(`updateAsset(input: {id: %q, isRestricted: true}) { asset { id } }`, id("asset"))
		},
		func() string {
			return fmt.Sprintf(`addUpstream(input: {asset: %q, upstreamAsset: %q}) { edge { id closesCycle } }`, id("asset"), id("asset"))
		},
		func() string {
			return fmt.Sprintf(`addUpstream(input: {asset: %q, upstreamExternal: {system: "s3", model: %q}}) { edge { id } }`, id("asset"), name)
		},
		func() string { return fmt.Sprintf(`deleteEdge(input: {edge: %q}) { edge outcome }`, id("edge")) },
		func() string {
			return fmt.Sprintf(`addEdge(input: {source: {asset: %q}, target: {external: {system: "tableau", model: %q}}, description: "d"}) { edge { id description } }`, id("asset"), name)
		},
		func() string {
			return fmt.Sprintf(`updateEdge(input: {edge: %q, description: %q, columnPairs: [{source: %q, target: %q}]}) { edge { id state description columnPairs { kind } } }`, id("edge"), name, id("column"), id("column"))
		},
		func() string {
			category := rapid.SampledFrom([]string{"COLLECTED", "OPENLINEAGE", "MANUAL"}).Draw(rt, "category")
			return fmt.Sprintf(`assertEdges(input: {category: %s, producer: "p", scope: "s", complete: %t, edges: [{source: {asset: %q}, target: {asset: %q}, details: {job: "j"}}]}) { created unchanged retracted kept edges { id assertions { producer details { job } } } }`,
				category, rapid.Bool().Draw(rt, "complete"), id("asset"), id("asset"))
		},
		func() string {
			return fmt.Sprintf(`setGroup(input: {name: %q, addMembers: [%q]}) { group { id } }`, name, id("user", "group"))
		},
		func() string {
			return fmt.Sprintf(`updateSuite(input: {suite: %q, name: %q}) { suite { %s } }`, id("suite"), name, suiteFields)
		},
		func() string { return fmt.Sprintf(`deleteSuite(input: {suite: %q}) { id }`, id("suite")) },
		func() string {
			return fmt.Sprintf(`transferSuite(input: {suite: %q, newOwner: %q}) { suite { owner { email } } }`, id("suite"), id("user"))
		},
		func() string {
			return fmt.Sprintf(`createCheck(input: {suite: %q, name: %q, expectation: "e", dimension: ACCURACY}) { check { id } suite { checks { name } asset { verdict { scorecard { dimension coverage } } } } }`, id("suite"), name)
		},
		func() string {
			return fmt.Sprintf(`updateCheck(input: {check: %q, severity: INFO}) { check { severity } suite { name } }`, id("check"))
		},
		func() string { return fmt.Sprintf(`deleteCheck(input: {check: %q}) { id }`, id("check")) },
		func() string { return fmt.Sprintf(`deleteAsset(input: {id: %q}) { id }`, id("asset")) },
		func() string {
			return fmt.Sprintf(`setMembership(input: {user: %q, role: ADMIN}) { member { role } }`, id("user"))
		},
		func() string {
			return fmt.Sprintf(`setTeam(input: {name: %q, addMembers: [{user: %q}]}) { team { id } }`, name, id("user"))
		},
		func() string {
			return fmt.Sprintf(`createDatasource(input: {name: %q, kind: DUCKDB}) { datasource { name } }`, name)
		},
	}).Draw(rt, "mutation")
	return "mutation Op { " + drawn() + " }"
}

// nextPage is the cursor of the page behind an answer's list; "" if there is none.
func nextPage(data json.RawMessage) string {
	var answer struct {
		List *struct {
			PageInfo struct {
				EndCursor   *string
				HasNextPage bool
			}
		}
	}
	if json.Unmarshal(data, &answer) != nil || answer.List == nil || !answer.List.PageInfo.HasNextPage || answer.List.PageInfo.EndCursor == nil {
		return ""
	}
	return *answer.List.PageInfo.EndCursor
}
