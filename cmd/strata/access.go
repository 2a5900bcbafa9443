package main

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// ownTokenLife is how long a token is good for that a client makes for one call of its own.
const ownTokenLife = 5 * time.Minute

// access is how a client reaches a gateway and who it speaks for.
type access struct{ url, token, as, data, workspace string }

func (a *access) bind(flags *pflag.FlagSet) {
	flags.StringVar(&a.url, "url", "", "address of the gateway (default: the one that runs on --data, else http://"+defaultListen+")")
	flags.StringVar(&a.token, "token", "", "bearer token; better by STRATA_TOKEN, where other users do not see it")
	flags.StringVar(&a.as, "as", "", "whom to speak for, signed by the local key under --data")
	flags.StringVar(&a.data, "data", defaultData, "data folder of an embedded gateway of this machine")
	flags.StringVar(&a.workspace, "workspace", "", "workspace, needed by who is in several")
}

// client is a client of the gateway, signed in.
func (a *access) client() (*client, error) {
	if a.token != "" && a.as != "" {
		return nil, errors.New("give --as or a token, not both: a token says whom it speaks for")
	}
	here, err := readLocal(a.data)
	if err != nil {
		return nil, err
	}
	base, err := a.base(here)
	if err != nil {
		return nil, err
	}
	token := a.token
	if token == "" {
		if token, err = a.ownToken(base, here); err != nil {
			return nil, err
		}
	}
	return &client{endpoint: base.JoinPath("graphql").String(), token: token, workspace: a.workspace}, nil
}

func (a *access) base(here local) (*url.URL, error) {
	text := a.url
	if text == "" {
		text = here.URL
	}
	if text == "" {
		text = "http://" + defaultListen
	}
	base, err := url.Parse(text)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return nil, fmt.Errorf("--url %q: give an address such as http://%s", text, defaultListen)
	}
	base.Path = strings.TrimSuffix(strings.TrimRight(base.Path, "/"), "/graphql") // the endpoint, as other clients are given it
	return base, nil
}

// ownToken makes a token with the local key.
//
// SECURITY: it goes to this machine only, since whoever receives it could use it on the gateway here
// (TestOwnTokenStaysOnThisMachine).
func (a *access) ownToken(base *url.URL, here local) (string, error) {
	if !isLoopback(base.Hostname()) {
		return "", errors.New("no token: give one by --token or STRATA_TOKEN; the local key signs in to gateways of this machine only")
	}
	email := a.as
	if email == "" {
		email = here.Admin
	}
	if email == "" {
		return "", fmt.Errorf("no token: give one by --token or STRATA_TOKEN, or say by --as whom to speak for and by --data where the gateway keeps its local key (there is no running gateway's in %s)", a.data)
	}
	return mint(a.data, email, ownTokenLife)
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
