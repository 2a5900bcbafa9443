package main

import "strings"

// plausibleEmail reports whether a text looks like one address: what an issuer verifies is up to it.
func plausibleEmail(email string) bool {
	local, domain, ok := strings.Cut(email, "@")
	return ok && local != "" && domain != "" && !strings.ContainsAny(email, " \t\r\n,<>") && !strings.Contains(domain, "@")
}
