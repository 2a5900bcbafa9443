package connection

import (
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/lineage"
)

// PageInfo says where a page stands.
type PageInfo struct {
	HasNextPage, HasPreviousPage bool
	StartCursor, EndCursor       *string
}

// Edge is an entry of a connection.
type Edge[N any] struct {
	Cursor string
	Node   N
}

// Connection is one page of a list with its cursors. It carries the scope that the list was filtered by,
// which a gate asks for.
type Connection[N any] struct {
	Edges      []*Edge[N]
	PageInfo   *PageInfo
	TotalCount int
	scope      graph.Scope
}

// CarriedScope is the scope the list was filtered by.
func (c *Connection[N]) CarriedScope() graph.Scope { return c.scope }

// The connections and edges of the schema.
type (
	AssetConnection      = Connection[*graph.Asset]
	AssetEdge            = Edge[*graph.Asset]
	ColumnConnection     = Connection[*graph.Column]
	ColumnEdge           = Edge[*graph.Column]
	DatasourceConnection = Connection[*graph.Datasource]
	DatasourceEdge       = Edge[*graph.Datasource]
	SuiteConnection      = Connection[*graph.Suite]
	SuiteEdge            = Edge[*graph.Suite]
	MemberConnection     = Connection[*graph.Member]
	MemberEdge           = Edge[*graph.Member]
	TeamConnection       = Connection[*graph.Team]
	TeamEdge             = Edge[*graph.Team]
	GroupConnection      = Connection[*graph.Group]
	GroupEdge            = Edge[*graph.Group]

	GroupMemberConnection = Connection[*graph.GroupMember]
	GroupMemberEdge       = Edge[*graph.GroupMember]
	RunConnection         = Connection[*graph.Run]
	RunEdge               = Edge[*graph.Run]
	AuditConnection       = Connection[*graph.AuditEvent]
	AuditEdge             = Edge[*graph.AuditEvent]

	ExpandConnection = Connection[*lineage.Neighbour]
	ExpandEdge       = Edge[*lineage.Neighbour]
)

// New makes a connection of a page; position gives the key of an entry in the list's order.
func New[N any](s *Sealer, l List, page graph.Page[N], position func(N) graph.Position) *Connection[N] {
	c := &Connection[N]{
		Edges: make([]*Edge[N], 0, len(page.Items)), TotalCount: page.Total, scope: page.Scope,
		PageInfo: &PageInfo{HasNextPage: page.HasNext, HasPreviousPage: page.HasPrevious},
	}
	for _, n := range page.Items {
		c.Edges = append(c.Edges, &Edge[N]{Cursor: s.Seal(l, position(n)), Node: n})
	}
	if n := len(c.Edges); n > 0 {
		c.PageInfo.StartCursor, c.PageInfo.EndCursor = &c.Edges[0].Cursor, &c.Edges[n-1].Cursor
	}
	return c
}
