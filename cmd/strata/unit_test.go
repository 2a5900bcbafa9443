package main

import (
	"net"
	"runtime/debug"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCommandLineGoesBeforeTheEnvironment(t *testing.T) {
	var o serveOptions
	flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	o.bind(flags)
	require.NoError(t, flags.Parse([]string{"--listen", "127.0.0.1:1"}))
	set := map[string]string{
		"STRATA_LISTEN": "127.0.0.1:2", "STRATA_OIDC_AUDIENCE": "a,b", "STRATA_DEMO": "true", "STRATA_NEO4J_PASSWORD": "secret",
	}
	lookup := func(name string) (string, bool) { v, ok := set[name]; return v, ok }
	require.NoError(t, fromEnvironment(flags, lookup))
	assert.Equal(t, "127.0.0.1:1", o.listen)
	assert.Equal(t, []string{"a", "b"}, o.oidcAudiences)
	assert.True(t, o.demo)
	assert.Equal(t, defaultData, o.data)

	set["STRATA_INTROSPECTION"], set["STRATA_LOCAL_KEY"] = "often", "seldom"
	err := fromEnvironment(flags, lookup)
	assert.ErrorContains(t, err, "STRATA_INTROSPECTION is malformed")
	assert.ErrorContains(t, err, "STRATA_LOCAL_KEY is malformed")
}

func TestWhatIsLeftOutIsFilledIn(t *testing.T) {
	none := func(string) (string, bool) { return "", false }
	for _, tt := range []struct {
		name      string
		o         serveOptions
		workspace string
		admins    []string
	}{
		{"embedded", serveOptions{}, "default", []string{localAdmin}},
		{"demo", serveOptions{demo: true}, "demo", nil},
		{"demo and an admin", serveOptions{demo: true, admins: []string{" Me@Example.test"}}, "demo", []string{"me@example.test"}},
		{"issuer", serveOptions{oidcIssuer: "https://issuer.example", oidcAudiences: []string{"strata"}}, "default", nil},
		{"named", serveOptions{workspace: "sales", admins: []string{"a@b.test"}}, "sales", []string{"a@b.test"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.NoError(t, tt.o.complete(none))
			assert.Equal(t, tt.workspace, tt.o.workspace)
			assert.Equal(t, tt.admins, tt.o.admins)
		})
	}
}

func TestEnrolmentIsChecked(t *testing.T) {
	none := func(string) (string, bool) { return "", false }
	for _, tt := range []struct {
		domains []string
		role    string
		want    []string
		refused string
	}{
		{[]string{" Example.TEST"}, "MEMBER", []string{"example.test"}, ""},
		{[]string{"@example.test"}, "MEMBER", nil, "--enrol-domain"},
		{[]string{"*.example.test"}, "MEMBER", nil, "--enrol-domain"},
		{[]string{"test"}, "MEMBER", nil, "--enrol-domain"},
		{[]string{"example.test"}, "ADMIN", nil, "--enrol-role"},
		{[]string{"example.test"}, "", nil, "--enrol-role"},
	} {
		o := serveOptions{enrolDomains: tt.domains, enrolRole: tt.role}
		err := o.complete(none)
		if tt.refused != "" {
			assert.ErrorContains(t, err, tt.refused, "%v %s", tt.domains, tt.role)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, tt.want, o.enrolment().Domains)
		assert.Equal(t, "default", o.enrolment().Workspace)
	}
}

func TestOwnTokenStaysOnThisMachine(t *testing.T) {
	data := t.TempDir()
	key, err := newIdentities(serveOptions{data: data})
	require.NoError(t, err)
	require.NotNil(t, key.key)
	require.NoError(t, local{URL: "http://127.0.0.1:4711", Admin: "admin@demo.test"}.write(data))
	for _, tt := range []struct {
		name     string
		a        access
		endpoint string
		refused  string
	}{
		{"the gateway here", access{data: data}, "http://127.0.0.1:4711/graphql", ""},
		{"another here", access{data: data, url: "http://localhost:99/"}, "http://localhost:99/graphql", ""},
		{"its endpoint", access{data: data, url: "http://localhost:99/graphql"}, "http://localhost:99/graphql", ""},
		{"below a path", access{data: data, url: "http://localhost:99/strata/graphql/"}, "http://localhost:99/strata/graphql", ""},
		{"another, version 6", access{data: data, url: "http://[::1]:99"}, "http://[::1]:99/graphql", ""},
		{"elsewhere", access{data: data, url: "https://strata.example"}, "", "gateways of this machine only"},
		{"elsewhere, as somebody", access{data: data, url: "https://strata.example", as: "a@b.test"}, "", "gateways of this machine only"},
		{"a name that looks local", access{data: data, url: "https://127.0.0.1.example"}, "", "gateways of this machine only"},
		{"elsewhere with a token", access{data: data, url: "https://strata.example", token: "t"}, "https://strata.example/graphql", ""},
		{"both", access{data: data, token: "t", as: "a@b.test"}, "", "not both"},
		{"no gateway", access{data: t.TempDir()}, "", "no token"},
		{"no key", access{data: t.TempDir(), as: "a@b.test"}, "", "no local key"},
		{"no address", access{data: data, url: "strata.example"}, "", "--url"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := tt.a.client()
			if tt.refused != "" {
				assert.ErrorContains(t, err, tt.refused)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.endpoint, c.endpoint)
			if tt.a.token != "" {
				assert.Equal(t, tt.a.token, c.token)
				return
			}
			id, err := key.Verify(t.Context(), c.token)
			require.NoError(t, err)
			assert.Equal(t, "admin@demo.test", id.Email)
		})
	}
}

func TestToken(t *testing.T) {
	data := t.TempDir()
	_, err := mint(data, "a@b.test", tokenLife)
	assert.ErrorContains(t, err, "no local key in "+data)
	key, err := newIdentities(serveOptions{data: data})
	require.NoError(t, err)
	for _, email := range []string{"", "member", "@demo.test", "a@b@c", "a b@c.test", "a@b.test,c@d.test"} {
		_, err := mint(data, email, tokenLife)
		assert.ErrorContains(t, err, "--email", email)
	}
	_, err = mint(data, "a@b.test", 0)
	assert.ErrorContains(t, err, "positive duration")
	token, err := mint(data, "A@B.test", tokenLife)
	require.NoError(t, err)
	id, err := key.Verify(t.Context(), token)
	require.NoError(t, err)
	assert.Equal(t, "a@b.test", id.Email)
}

func TestAddresses(t *testing.T) {
	for ip, want := range map[string]struct {
		url   string
		stays bool
	}{
		"127.0.0.1": {"http://127.0.0.1:80", true}, "::1": {"http://[::1]:80", true}, "192.0.2.1": {"http://192.0.2.1:80", false},
		"0.0.0.0": {"http://127.0.0.1:80", false}, "::": {"http://127.0.0.1:80", false},
	} {
		address := &net.TCPAddr{IP: net.ParseIP(ip), Port: 80}
		assert.Equal(t, want.url, baseURL(address))
		assert.Equal(t, want.stays, staysHere(address), ip)
	}
}

func TestVersion(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "(devel)"}}
	assert.Equal(t, "v1.2.0 go1.26.8", versionOf("v1.2.0", info, true))
	assert.Equal(t, "(devel) go1.26.8", versionOf("", info, true))
	info.Settings = []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}}
	assert.Equal(t, "(devel) abc go1.26.8", versionOf("", info, true))
	assert.Equal(t, "unknown", versionOf("", nil, false))
	got := strata(t, environment(t), "version")
	assert.Zero(t, got.code)
	assert.Regexp(t, `^strata \S+.* go1\.\d+`, got.out)
}
