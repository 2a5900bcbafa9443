package graph

// Role is a role in a workspace, as stored on the membership.
type Role string

// The roles, strongest first.
const (
	RoleAdmin   Role = "ADMIN"
	RoleManager Role = "MANAGER"
	RoleMember  Role = "MEMBER"
	RoleViewer  Role = "VIEWER"
)

// ViewerAccess says whether a viewer sees restricted assets. The zero value reads as unrestricted.
type ViewerAccess string

// The two kinds of access.
const (
	Unrestricted ViewerAccess = "UNRESTRICTED"
	Restricted   ViewerAccess = "RESTRICTED"
)

// SharePermission is what can be granted on a suite.
type SharePermission string

// The permissions, weakest first.
const (
	ShareView SharePermission = "VIEW"
	ShareEdit SharePermission = "EDIT"
)

// TeamPermission is a team's permission on a datasource.
type TeamPermission string

// The permissions, weakest first; each includes those before it.
const (
	Reporter TeamPermission = "REPORTER"
	Viewer   TeamPermission = "VIEWER"
	Drafter  TeamPermission = "DRAFTER"
	Author   TeamPermission = "AUTHOR"
	Editor   TeamPermission = "EDITOR"
)

// Rank orders the permissions: 1 for REPORTER to 5 for EDITOR, 0 for none. It is what the store keeps.
func (p TeamPermission) Rank() int {
	switch p {
	case Reporter:
		return 1
	case Viewer:
		return 2
	case Drafter:
		return 3
	case Author:
		return 4
	case Editor:
		return 5
	}
	return 0
}

// TeamPermissionOf is the permission of a rank, "" for 0 and for a rank that is none.
func TeamPermissionOf(rank int) TeamPermission {
	if rank < 1 || rank > 5 {
		return ""
	}
	return [...]TeamPermission{Reporter, Viewer, Drafter, Author, Editor}[rank-1]
}

// Severity says how bad a failing check is.
type Severity string

// The severities, mildest first.
const (
	SeverityNone     Severity = "NONE"
	SeverityInfo     Severity = "INFO"
	SeverityWarning  Severity = "WARNING"
	SeverityCritical Severity = "CRITICAL"
)

// Rank orders severities: 0 for NONE to 3 for CRITICAL, -1 for none of them. It is what the store keeps.
func (s Severity) Rank() int {
	switch s {
	case SeverityNone:
		return 0
	case SeverityInfo:
		return 1
	case SeverityWarning:
		return 2
	case SeverityCritical:
		return 3
	}
	return -1
}

// SeverityOf is the severity of a rank, "" outside 0 to 3.
func SeverityOf(rank int) Severity {
	if rank < 0 || rank > 3 {
		return ""
	}
	return [...]Severity{SeverityNone, SeverityInfo, SeverityWarning, SeverityCritical}[rank]
}

// Dimension is the aspect of quality that a check measures.
type Dimension string

// Dimensions lists them in the order in which scorecards are kept.
func Dimensions() []Dimension {
	return []Dimension{"COMPLETENESS", "ACCURACY", "CONSISTENCY", "TIMELINESS", "UNIQUENESS", "VALIDITY"}
}

// AssetType says what kind of thing an asset is.
type AssetType string

// The types.
const (
	TypeTable          AssetType = "TABLE"
	TypeView           AssetType = "VIEW"
	TypeQuery          AssetType = "QUERY"
	TypeParquetDataset AssetType = "PARQUET_DATASET"
	TypeFile           AssetType = "FILE"
	TypeTopic          AssetType = "TOPIC"
	TypeDashboard      AssetType = "DASHBOARD"
	TypeModel          AssetType = "MODEL"
)

// DatasourceKind is the system behind a datasource.
type DatasourceKind string

// RunState is where a run stands.
type RunState string

// The states.
const (
	RunQueued    RunState = "QUEUED"
	RunRunning   RunState = "RUNNING"
	RunSucceeded RunState = "SUCCEEDED"
	RunFailed    RunState = "FAILED"
	RunErrored   RunState = "ERRORED"
	RunCancelled RunState = "CANCELLED"
)

// CheckStatus is the outcome of one check in a run.
type CheckStatus string

// The outcomes.
const (
	CheckPassed  CheckStatus = "PASSED"
	CheckFailed  CheckStatus = "FAILED"
	CheckErrored CheckStatus = "ERRORED"
)

// EdgeCategory says how an edge came to be known.
type EdgeCategory string

// The categories.
const (
	EdgeManual      EdgeCategory = "MANUAL"
	EdgeDataCatalog EdgeCategory = "DATA_CATALOG"
	EdgeCollected   EdgeCategory = "COLLECTED"
	EdgeManaged     EdgeCategory = "MANAGED"
	EdgeOpenLineage EdgeCategory = "OPENLINEAGE"
	EdgeDBT         EdgeCategory = "DBT"
)

// EdgeState is where an edge stands in its life.
type EdgeState string

// The states.
const (
	EdgeActive  EdgeState = "ACTIVE"
	EdgeRetired EdgeState = "RETIRED"
	EdgeDeleted EdgeState = "DELETED"
)

// Direction of a walk.
type Direction string

// The directions.
const (
	Upstream   Direction = "UPSTREAM"
	Downstream Direction = "DOWNSTREAM"
	Both       Direction = "BOTH"
)

// highestShare is the strongest of several permissions, "" of none.
func highestShare(held any) SharePermission {
	best := SharePermission("")
	for _, p := range texts(held) {
		switch p := SharePermission(p); {
		case p == ShareEdit:
			return ShareEdit
		case p == ShareView:
			best = ShareView
		}
	}
	return best
}
