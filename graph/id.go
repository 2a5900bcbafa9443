package graph

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

// Kind is the kind of object that an id names: its prefix.
type Kind string

// The kinds of ids.
const (
	KindAsset      Kind = "asset"
	KindColumn     Kind = "column"
	KindDatasource Kind = "datasource"
	KindEdge       Kind = "edge"
	KindSuite      Kind = "suite"
	KindCheck      Kind = "check"
	KindRun        Kind = "run"
	KindShare      Kind = "share"
	KindUser       Kind = "user"
	KindTeam       Kind = "team"
	KindGroup      Kind = "group"
	KindAudit      Kind = "audit"
	KindExternal   Kind = "ext"
)

const idDigits = 32

// IDs makes ids. Tests seed it to get equal ids in two worlds.
type IDs interface {
	New(kind Kind) string
}

// RandomIDs makes ids that cannot be guessed: 128 random bits.
type RandomIDs struct{}

// New returns a fresh id of the kind.
func (RandomIDs) New(kind Kind) string {
	var b [idDigits / 2]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand.Read stops the program instead
	return string(kind) + "_" + hex.EncodeToString(b[:])
}

// DerivedID is the id of an object that is determined by its parts, such as an edge by its two ends
// and category. The parts are length-prefixed by a separator that ids and enum values cannot hold.
func DerivedID(kind Kind, parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return string(kind) + "_" + hex.EncodeToString(h.Sum(nil))[:idDigits]
}

// EdgeID is the id of the edge of a category between two nodes.
func EdgeID(source, target string, category EdgeCategory) string {
	return DerivedID(KindEdge, source, target, string(category))
}

// ExternalID is the readable id of an external node: `ext:<system>:<model>`, in whose system `%` and
// `:` are percent-encoded so that no two external nodes share an id.
func ExternalID(system, model string) string {
	return "ext:" + strings.NewReplacer("%", "%25", ":", "%3A").Replace(system) + ":" + model
}

// KindOf is the kind of a well-formed id, and "" for anything else.
func KindOf(id string) Kind {
	if rest, ok := strings.CutPrefix(id, "ext:"); ok {
		system, model, found := strings.Cut(rest, ":")
		if !found || system == "" || model == "" {
			return ""
		}
		return KindExternal
	}
	kind, digits, found := strings.Cut(id, "_")
	if !found || len(digits) != idDigits || strings.Trim(digits, "0123456789abcdef") != "" {
		return ""
	}
	switch k := Kind(kind); k {
	case KindAsset, KindColumn, KindDatasource, KindEdge, KindSuite, KindCheck, KindRun, KindShare, KindUser, KindTeam, KindGroup, KindAudit:
		return k
	}
	return ""
}

// ValidWorkspace reports whether name can be a workspace's: a DNS label, and not the organization's.
func ValidWorkspace(name string) bool {
	ok, err := regexp.MatchString(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`, name)
	return err == nil && ok && name != OrgWorkspace
}
