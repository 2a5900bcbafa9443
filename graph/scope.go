package graph

// OrgWorkspace is, unless the configuration names another, the pseudo-workspace of what belongs to the
// whole organization.
const OrgWorkspace = "org"

// Class is an audience class: callers of one class see the same identity, topology and aggregates.
type Class string

// The classes (docs/visibility.md, "Restricted assets").
const (
	// ClassFull sees everything in the workspace and the organization.
	ClassFull Class = "FULL"
	// ClassOrgHidden sees all of the workspace, but no restricted asset of the organization.
	ClassOrgHidden Class = "ORG_HIDDEN"
	// ClassRestricted sees no restricted asset.
	ClassRestricted Class = "RESTRICTED"
)

// Hidden ranks: how many classes, narrowest first, a dataset is hidden from. Kept on every dataset.
const (
	visibleToAll       = 0 // not restricted
	hiddenToRestricted = 1 // restricted, of a workspace
	hiddenToOrgHidden  = 2 // restricted, of the organization
)

// hiddenRank is the rank of a dataset, of the organization or of a workspace.
func hiddenRank(ofOrganization, restricted bool) int {
	switch {
	case !restricted:
		return visibleToAll
	case ofOrganization:
		return hiddenToOrgHidden
	default:
		return hiddenToRestricted
	}
}

// hiddenFrom is the least rank that the class does not see. An unknown class sees nothing.
func (c Class) hiddenFrom() int {
	switch c {
	case ClassFull:
		return hiddenToOrgHidden + 1
	case ClassOrgHidden:
		return hiddenToOrgHidden
	case ClassRestricted:
		return hiddenToRestricted
	}
	return visibleToAll
}

// Audience is who may know identity and aggregates: everyone of one class in one workspace. It names
// no caller, so what is read for an audience is the same for all of it. The zero value sees nothing.
//
// SECURITY: made only in package authz (TestScopesAreMadeInAuthzOnly).
type Audience struct {
	Workspace string
	Class     Class
}

// workspaces are the workspaces whose objects the audience sees: its own and the organization's.
func (a Audience) workspaces(organization string) []string {
	if a.Workspace == "" {
		return []string{}
	}
	return []string{a.Workspace, organization}
}

// Scope is an audience and one caller's rights in it: what itemized lists are filtered by. The zero
// value sees nothing.
//
// SECURITY: made only in package authz (TestScopesAreMadeInAuthzOnly).
type Scope struct {
	Audience
	// User is the caller's id.
	User string
	// AllSuites is set for effective workspace admins: they hold ADMIN on every suite.
	AllSuites bool
	// Teams are the ids of the caller's teams.
	Teams []string
	// Groups are the ids of the caller's groups, those that these are in included.
	Groups GroupClosure
	// AllDatasources is set for admins who are not subject to team permissions.
	AllDatasources bool
	// MaxDatasource caps the caller's team permission: VIEWER for a workspace VIEWER, EDITOR otherwise.
	MaxDatasource TeamPermission
}

// principals are whose shares count as the caller's: their own and their groups'. Errors: LIMIT_EXCEEDED
// if not all of the groups are known, unless the caller has every suite anyway: what cannot be decided
// is refused, not guessed.
func (s *Scope) principals() ([]string, error) {
	if s.Groups.Exceeded && !s.AllSuites {
		return nil, errTooManyGroups()
	}
	return append([]string{s.User}, s.Groups.IDs...), nil
}
