package main

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/strata-gateway/strata/authz"
	"github.com/strata-gateway/strata/demo"
	"github.com/strata-gateway/strata/graph"
	"github.com/strata-gateway/strata/server/authn"
)

const (
	defaultListen    = "127.0.0.1:8080"
	defaultData      = ".strata"
	defaultWorkspace = "default"
	// localAdmin is the first admin of an embedded gateway that was told of none: only the local key can
	// sign them in.
	localAdmin = "admin@localhost"
)

// serveOptions are what `serve` is told.
type serveOptions struct {
	listen, data, workspace string
	demo, introspection     bool
	exports                 bool
	admins                  []string
	// heapMB bounds the heap of the embedded Neo4j, 0 for the default.
	heapMB int
	// neo4j is the address of a server that is not embedded, "" for the embedded one.
	neo4j, neo4jUser, neo4jPassword string
	// redis is the address of the Redis behind the cache, "" for none; cacheMB bounds what this process keeps, 0 for
	// nothing.
	redis, redisUser, redisPassword string
	cacheMB                         int
	// metrics is the address on which metrics are served, "" for none.
	metrics string
	// localKey accepts tokens of the local key; always so when embedded.
	localKey bool
	// enrolDomains are those whose addresses become members by signing in, with the role enrolRole.
	enrolDomains        []string
	enrolRole           string
	oidcIssuer          string
	oidcAudiences       []string
	logLevel, logFormat string
}

func (o *serveOptions) bind(flags *pflag.FlagSet) {
	flags.StringVar(&o.listen, "listen", defaultListen, "address to listen on; port 0 takes a free one")
	flags.StringVar(&o.data, "data", defaultData, "data folder of the embedded Neo4j and of the local key")
	flags.BoolVar(&o.demo, "demo", false, "load the demo estate on the first start, into the workspace demo")
	flags.StringVar(&o.workspace, "workspace", "", "workspace that the admins are members of (default \"default\", with --demo \"demo\")")
	flags.StringSliceVar(&o.admins, "admin", nil, "e-mail addresses of workspace admins: made members, and ADMIN whatever is stored")
	flags.StringVar(&o.neo4j, "neo4j", "", "address of a Neo4j to use instead of the embedded one, bolt://… or neo4j://…;\ncredentials by STRATA_NEO4J_USER and STRATA_NEO4J_PASSWORD")
	flags.IntVar(&o.heapMB, "heap-mb", 1024, "heap of the embedded Neo4j in MiB, at least 256; a quarter of it comes on top for its page cache")
	flags.StringVar(&o.redis, "redis", "", "address of a Redis that replicas share what they keep by, redis://… or rediss://…;\ncredentials by STRATA_REDIS_USER and STRATA_REDIS_PASSWORD")
	flags.IntVar(&o.cacheMB, "cache-mb", 64, "memory for answers that are the same for everyone of an audience, in MiB; 0 keeps none")
	flags.StringVar(&o.metrics, "metrics-listen", "", "address on which /metrics is served, without a token: keep it to this machine")
	flags.BoolVar(&o.localKey, "local-key", false, "with --neo4j: accept tokens of the local key under --data too (the embedded gateway always does)")
	flags.StringVar(&o.oidcIssuer, "oidc-issuer", "", "OpenID Connect issuer whose tokens are accepted")
	flags.StringSliceVar(&o.oidcAudiences, "oidc-audience", nil, "audiences of its tokens that are meant for this gateway")
	flags.StringSliceVar(&o.enrolDomains, "enrol-domain", nil, "domains whose verified e-mail addresses become members of the workspace by signing in")
	flags.StringVar(&o.enrolRole, "enrol-role", string(graph.RoleMember), "the role that they get: VIEWER, MEMBER or MANAGER")
	flags.BoolVar(&o.exports, "exports", true, "let lists be downloaded as files")
	flags.BoolVar(&o.introspection, "introspection", true, "let members read the schema")
	flags.StringVar(&o.logLevel, "log-level", "info", "debug, info, warn or error")
	flags.StringVar(&o.logFormat, "log-format", "text", "text or json")
}

// embedded reports whether the gateway runs a Neo4j of its own.
func (o *serveOptions) embedded() bool { return o.neo4j == "" }

// usesLocalKey reports whether tokens of the local key sign in.
func (o *serveOptions) usesLocalKey() bool { return o.embedded() || o.localKey }

// firstAdmin is whom a client of this machine speaks for if it does not say; "" if there is nobody.
func (o *serveOptions) firstAdmin() string {
	switch {
	case len(o.admins) > 0:
		return o.admins[0]
	case o.demo:
		return demo.Admin
	}
	return ""
}

// complete reads the credentials and fills in what depends on other settings. Errors say which setting is
// wrong.
func (o *serveOptions) complete(lookup func(string) (string, bool)) error {
	o.neo4jUser, _ = lookup("STRATA_NEO4J_USER")
	o.neo4jPassword, _ = lookup("STRATA_NEO4J_PASSWORD")
	o.redisUser, _ = lookup("STRATA_REDIS_USER")
	o.redisPassword, _ = lookup("STRATA_REDIS_PASSWORD")
	if o.workspace == "" {
		o.workspace = defaultWorkspace
		if o.demo {
			o.workspace = "demo"
		}
	}
	if !graph.ValidWorkspace(o.workspace) {
		return fmt.Errorf("--workspace %q: a name has 1 to 63 of a-z, 0-9 and -, and is not \"org\"", o.workspace)
	}
	for i, email := range o.admins {
		if o.admins[i] = authn.NormalizeEmail(email); !authn.PlausibleEmail(o.admins[i]) {
			return fmt.Errorf("--admin %q: give e-mail addresses", email)
		}
	}
	if len(o.admins) == 0 && o.embedded() && !o.demo && o.oidcIssuer == "" {
		o.admins = []string{localAdmin}
	}
	return errors.Join(o.checkHeap(), o.checkNeo4j(), o.checkCache(), o.checkIssuers(), o.checkEnrolment())
}

// checkEnrolment brings the domains into the form in which addresses are compared.
func (o *serveOptions) checkEnrolment() error {
	for i, d := range o.enrolDomains {
		d = strings.ToLower(strings.TrimSpace(d))
		if d == "" || strings.ContainsAny(d, "@ *") || !strings.Contains(d, ".") {
			return fmt.Errorf("--enrol-domain %q: give a domain such as your-company.example, without @ and *", o.enrolDomains[i])
		}
		o.enrolDomains[i] = d
	}
	if len(o.enrolDomains) == 0 {
		return nil
	}
	if r := graph.Role(o.enrolRole); r != graph.RoleViewer && r != graph.RoleMember && r != graph.RoleManager {
		return fmt.Errorf("--enrol-role %q: give VIEWER, MEMBER or MANAGER", o.enrolRole)
	}
	return nil
}

// enrolment is who becomes a member by signing in.
func (o *serveOptions) enrolment() authz.Enrolment {
	return authz.Enrolment{Workspace: o.workspace, Domains: o.enrolDomains, Role: graph.Role(o.enrolRole)}
}

// minHeapMB is the least that Neo4j starts and answers with.
const minHeapMB = 256

func (o *serveOptions) checkHeap() error {
	if o.embedded() && o.heapMB != 0 && o.heapMB < minHeapMB {
		return fmt.Errorf("--heap-mb %d: give at least %d", o.heapMB, minHeapMB)
	}
	return nil
}

// checkCache asks for a Redis only where something is kept.
func (o *serveOptions) checkCache() error {
	switch {
	case o.cacheMB < 0:
		return fmt.Errorf("--cache-mb %d: give 0 or more", o.cacheMB)
	case o.redis == "":
		return nil
	case o.cacheMB == 0:
		return errors.New("--redis needs --cache-mb above 0")
	}
	u, err := url.Parse(o.redis)
	schemes := []string{"redis", "rediss", "unix"}
	if err != nil || u.User != nil || !slices.Contains(schemes, u.Scheme) {
		return errors.New("--redis: give an address such as redis://127.0.0.1:6379, credentials by STRATA_REDIS_USER and STRATA_REDIS_PASSWORD")
	}
	return nil
}

func (o *serveOptions) checkNeo4j() error {
	if o.embedded() {
		return nil
	}
	u, err := url.Parse(o.neo4j)
	schemes := []string{"bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc"}
	if err != nil || u.Host == "" || u.User != nil || !slices.Contains(schemes, u.Scheme) {
		return errors.New("--neo4j: give an address such as bolt://127.0.0.1:7687 or neo4j://cluster.example, credentials by STRATA_NEO4J_USER and STRATA_NEO4J_PASSWORD")
	}
	return nil
}

// checkIssuers asks that somebody can sign in.
//
// SECURITY: a gateway on a shared Neo4j does not accept the local key unless it is told to
// (TestSharedStoreNeedsAnIssuer).
func (o *serveOptions) checkIssuers() error {
	if o.oidcIssuer == "" && len(o.oidcAudiences) > 0 {
		return errors.New("--oidc-audience needs --oidc-issuer")
	}
	if o.oidcIssuer != "" {
		return authn.OIDCConfig{Issuer: o.oidcIssuer, Audiences: o.oidcAudiences}.Validate()
	}
	if !o.usesLocalKey() {
		return errors.New("nobody could sign in: with --neo4j give --oidc-issuer and --oidc-audience, or accept tokens of the local key by --local-key")
	}
	return nil
}
